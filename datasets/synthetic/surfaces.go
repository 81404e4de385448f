package synthetic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

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
// from below: counterclockwise seen from above.
//
// The published code differs: there z is sin (x + a) or sin (y + b), so that
// every surface is another piece of the wave, and only z has noise.
type Surfaces struct {
	Cells int     // squares along a side of the grid
	Noise float64 // bound of the noise
}

// NewSurfaces returns the published grid, 5 × 5 points, that is, 32
// triangles, and noise 0.1.
func NewSurfaces() Surfaces { return Surfaces{Cells: 4, Noise: 0.1} }

// SurfaceClasses names the classes of Surfaces.
var SurfaceClasses = []string{"sin x", "sin y"}

// Sample returns perClass surfaces of each class; the paper has 30. It is an
// error if there are no cells.
func (s Surfaces) Sample(perClass int, seed uint64, part Part) (*datasets.Collection, error) {
	grid, orientation, err := simplicial.Grid(s.Cells, s.Cells)
	if err != nil {
		return nil, fmt.Errorf("surfaces: %w", err)
	}
	triangles := slices.Clone(grid.Simplices(2))
	for i, sign := range orientation {
		if v := triangles[3*i:]; sign < 0 {
			v[0], v[1] = v[1], v[0]
		}
	}
	waves := waves{s, grid.Coords(), triangles}
	return collect(waves, "surfaces", 3, SurfaceClasses, perClass, seed, part)
}

// waves are Surfaces on a grid.
type waves struct {
	Surfaces
	at        []float64 // [V, 2]
	triangles []int32
}

func (w waves) simplices(int) [][]int32 { return [][]int32{2: w.triangles} }

func (w waves) vertices(r *rand.Rand, class int) (out []float64) {
	shift := [2]float64{between(r, -10, 10), between(r, -10, 10)}
	for at := range slices.Chunk(w.at, 2) {
		for _, x := range []float64{at[0] + shift[0], at[1] + shift[1], math.Sin(at[class])} {
			out = append(out, x+between(r, -w.Noise, w.Noise))
		}
	}
	return out
}
