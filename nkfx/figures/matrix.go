package figures

import "slices"

// IntegrationMatrix draws an integration matrix X [rows, forms], with entry ∫_σ ω_j in row σ and column
// j, first row on top.
func IntegrationMatrix(title string, forms int, x []float64) *Figure {
	p, scale := MatrixPanel("", forms, x)
	f := Arrange(title, 1, p)
	f.Bars = []Bar{{"∫ω over σ", scale}}
	return f
}

// MatrixPanel returns the panel with the same, for figures with more than that, and its scale.
func MatrixPanel(title string, forms int, x []float64) (*Panel, *Scale) {
	h := matrix(forms, x, Signed(Typical(x)))
	p := NewChart(title, h)
	p.NominalX(numbered("ω", forms)...)
	rows := numbered("σ", h.Rows)
	slices.Reverse(rows)
	p.NominalY(rows...)
	p.X.Padding, p.Y.Padding = 2, 2
	return p, h.Scale
}

// matrix returns a matrix as cells around the integers, first row on top.
func matrix(columns int, x []float64, scale *Scale) *Heat {
	rows := len(x) / max(1, columns)
	h := &Heat{Rows: rows, Columns: columns, Scale: scale,
		XMin: -0.5, XMax: float64(columns) - 0.5, YMin: -0.5, YMax: float64(rows) - 0.5}
	for r := range rows { // Heat counts from below
		h.Values = append(h.Values, x[(rows-1-r)*columns:][:columns]...)
	}
	return h
}

// numbered returns the names of cells: all if there are few, else the first and the last.
func numbered(symbol string, count int) []string {
	names := make([]string, max(1, count))
	for i := range names {
		if count <= 20 || i == 0 || i+1 == count {
			names[i] = symbol + subscript(i)
		}
	}
	return names
}
