package experiments

import "math"

// explain fills the field with what integrals [E, ℓ] over edges [E, 2] say: at every point of the grid the
// vector v with the least Σ_e w_e (⟨v, t_e⟩ - X_e)², where t_e is edge e as a vector and the weight w_e falls
// with the distance of its middle, as a Gaussian of that width does. Where there are no edges v is zero.
func (f *Field) explain(points []float64, edges []int32, integrals []float32, width float64) {
	grid := f.points()
	forms := len(integrals) / max(1, len(edges)/2)
	f.Values = make([]float32, len(grid)*forms)
	for i := 0; i < len(grid); i += 2 {
		var xx, xy, yy float64 // Σ w t tᵀ
		sums := make([]float64, 2*forms)
		for e := range len(edges) / 2 {
			from, to := 2*edges[2*e], 2*edges[2*e+1]
			x, y := points[to]-points[from], points[to+1]-points[from+1]
			away := math.Hypot((points[from]+points[to])/2-float64(grid[i]),
				(points[from+1]+points[to+1])/2-float64(grid[i+1])) / width
			w := math.Exp(-away * away / 2)
			xx, xy, yy = xx+w*x*x, xy+w*x*y, yy+w*y*y
			for j := range forms {
				wx := w * float64(integrals[e*forms+j])
				sums[j] += wx * x
				sums[forms+j] += wx * y
			}
		}
		// Edges that are all parallel say nothing of what is across them: the least v.
		ridge := 1e-9 * (xx + yy)
		xx, yy = xx+ridge, yy+ridge
		det := xx*yy - xy*xy
		if det < math.SmallestNonzeroFloat32 {
			continue
		}
		for j := range forms {
			f.Values[i*forms+j] = float32((yy*sums[j] - xy*sums[forms+j]) / det)
			f.Values[(i+1)*forms+j] = float32((xx*sums[forms+j] - xy*sums[j]) / det)
		}
	}
}
