package figures

import "slices"

// IntegrationMatrix draws an integration matrix X [rows, forms], with entry
// ∫_σ ω_j in row σ and column j, first row on top.
func IntegrationMatrix(title string, forms int, x []float64) *Figure {
	p, scale := MatrixPanel("", forms, x)
	f := Arrange(title, 1, p)
	f.Bars = []Bar{{"∫ω over σ", scale}}
	return f
}

// MatrixPanel returns the panel with the same, for figures with more than
// that, and its scale.
func MatrixPanel(title string, forms int, x []float64) (*Panel, *Scale) {
	rows := len(x) / max(1, forms)
	h := &Heat{
		Rows: rows, Columns: forms, Scale: Signed(Typical(x)),
		XMax: float64(forms), YMax: float64(rows),
	}
	for r := range rows { // Heat counts from below
		h.Values = append(h.Values, x[(rows-1-r)*forms:][:forms]...)
	}
	p := &Panel{Title: title, Layers: []Layer{h}, columns: numbered("ω", forms), rows: numbered("σ", rows)}
	slices.Reverse(p.rows)
	return p, h.Scale
}
