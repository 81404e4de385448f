package simplicial

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/combin"

	"github.com/neuralkforms/nkf/datasets/simplicial/internal/sparse"
)

// Subdivide returns the barycentric subdivision and the subdivision operators, matrices sd[k] for k =
// 0..Dim() which map each simplex to the signed sum of those it is cut into: ∂ sd = sd ∂, and integrals
// over a chain and its subdivision agree.
//
// The vertices of the subdivision are the barycenters of all simplices, by degree and then by index, so
// those of c come first. Its k-simplices are the flags σ0 ⊂ … ⊂ σk. It is an error if it would exceed
// MaxSize.
func (c *Complex) Subdivide() (fine *Complex, sd []*Matrix, err error) {
	offset := []int{0} // offset[k]+i is the barycenter of the i-th k-simplex
	var coords []float64
	for k := range c.levels {
		if err := checkClosure(float64(c.Count(k))*math.Gamma(float64(k)+2), k); err != nil {
			return nil, nil, err
		}
		offset = append(offset, offset[k]+c.Count(k))
		for i := range c.Count(k) {
			for a := range c.ambient {
				x := 0.0
				for _, v := range c.at(k, i) {
					x += c.coords[int(v)*c.ambient+a] / float64(k+1)
				}
				coords = append(coords, x)
			}
		}
	}
	levels := make([][]int32, max(len(c.levels), 1))
	pieces := make([][]int32, len(c.levels)) // of each k-simplex (k+1)! flags
	for k := range pieces {
		orders := combin.Permutations(k+1, k+1)
		for i := range c.Count(k) {
			for _, order := range orders {
				var face []int32
				for j, p := range order {
					face = append(face, c.at(k, i)[p])
					slices.Sort(face)
					pieces[k] = append(pieces[k], int32(offset[j]+find(c.levels[j], face)))
				}
			}
		}
		levels[k] = slices.Clone(pieces[k])
	}
	levels[0] = count32(offset[len(c.levels)])
	if fine, err = closed(c.ambient, coords, levels); err != nil {
		return nil, nil, err
	}
	for k, flags := range pieces {
		orders := combin.Permutations(k+1, k+1)
		entries := make([]sparse.Entry, len(flags)/(k+1))
		for i := range entries {
			piece := find(fine.levels[k], flags[i*(k+1):(i+1)*(k+1)])
			sign := parity(orders[i%len(orders)])
			entries[i] = sparse.Entry{I: int32(piece), J: int32(i / len(orders)), V: sign}
		}
		m, err := sparse.NewMatrix(fine.Count(k), c.Count(k), entries)
		if err != nil {
			return nil, nil, err
		}
		sd = append(sd, m)
	}
	return fine, sd, nil
}
