package simplicial

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/combin"
)

// Subdivide returns the barycentric subdivision and the subdivision operators, sd[k] for k = 0..Dim(),
// which map each simplex to the signed sum of those it is cut into: ∂ sd = sd ∂, and integrals over a
// chain and its subdivision agree.
//
// The vertices of the subdivision are the barycenters of all simplices, by degree and then by index, so
// those of c come first. Its k-simplices are the flags σ0 ⊂ … ⊂ σk. It is an error if it would exceed
// MaxSize.
func (c *Complex) Subdivide() (fine *Complex, sd []*Operator, err error) {
	offset := []int{0} // offset[k]+i is the barycenter of the i-th k-simplex
	var coords []float64
	for k := range c.levels {
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
		if err := checkClosure(float64(c.Count(k))*math.Gamma(float64(k)+2), k); err != nil {
			return nil, nil, err
		}
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
	for k := range pieces {
		m := newOperator(k, k, fine.Count(k), c.Count(k), len(pieces[k])/(k+1))
		orders := combin.Permutations(k+1, k+1)
		for i := range c.Count(k) {
			rows := len(orders) * (k + 1)
			m.add(fine.pieces(k, pieces[k][i*rows:(i+1)*rows], orders))
		}
		sd = append(sd, m)
	}
	return fine, sd, nil
}
