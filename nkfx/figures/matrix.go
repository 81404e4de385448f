package figures

// IntegrationMatrix draws an integration matrix X [rows, forms], with entry
// ∫_σ ω_j in row σ and column j, first row on top.
func IntegrationMatrix(title string, forms int, x []float64) *Figure {
	rows := len(x) / max(1, forms)
	h := &Heat{
		Rows: rows, Columns: forms, Scale: Signed(Typical(x)),
		XMax: float64(forms), YMax: float64(rows),
	}
	for r := range rows { // Heat counts from below
		h.Values = append(h.Values, x[(rows-1-r)*forms:][:forms]...)
	}
	f := Arrange(title, 1, &Panel{X: "forms", Y: "simplices, first on top", Layers: []Layer{h}})
	f.Bars = []Bar{{"∫ω over σ", h.Scale}}
	return f
}
