package synthetic

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/simplicial"
)

// Surfaces generates triangulated squares in space of two classes,
//
//	sin x  (x + a, y + b, sin x)
//	sin y  (x + a, y + b, sin y)
//
// over a grid of unit squares from the origin, with a and b uniform in [-10,
// 10] and uniform noise on every coordinate. Triangles are oriented as dx ∧ dy
// from below: anticlockwise seen from above.
type Surfaces struct {
	Cells int     // squares along a side of the grid
	Noise float64 // bound of the noise
}

// NewSurfaces returns the published set-up: 5 × 5 points, that is, 32
// triangles, and noise 0.1.
func NewSurfaces() Surfaces { return Surfaces{Cells: 4, Noise: 0.1} }

// SurfaceClasses names the classes of Surfaces.
var SurfaceClasses = []string{"sin x", "sin y"}

// Sample returns perClass surfaces of each class; the paper has 30. It is an
// error if an option makes no sense.
func (s Surfaces) Sample(perClass int, seed uint64, part Part) (*datasets.Collection, error) {
	if err := finite("surfaces: noise", s.Noise); err != nil {
		return nil, err
	}
	grid, orientation, err := simplicial.Grid(s.Cells, s.Cells)
	if err != nil {
		return nil, fmt.Errorf("surfaces: %w", err)
	}
	corners := grid.Dim() + 1
	simplices := make([]int32, 0, len(orientation)*corners)
	for i, sign := range orientation {
		v := append([]int32(nil), grid.Simplices(grid.Dim())[i*corners:][:corners]...)
		if sign < 0 {
			v[0], v[1] = v[1], v[0]
		}
		simplices = append(simplices, v...)
	}
	vertices := func(r *rand.Rand, class int) []float64 {
		shift := [2]float64{between(r, -10, 10), between(r, -10, 10)}
		var out []float64
		for at := grid.Coords(); len(at) > 0; at = at[grid.Ambient():] {
			point := [3]float64{at[0] + shift[0], at[1] + shift[1], math.Sin(at[class])}
			for _, x := range point {
				out = append(out, x+between(r, -s.Noise, s.Noise))
			}
		}
		return out
	}
	return complexes{
		name: "surfaces", dim: 3, degree: grid.Dim(), classes: SurfaceClasses,
		simplices: func(int) []int32 { return simplices }, vertices: vertices,
		perClass: perClass, seed: seed, part: part,
	}.collect()
}
