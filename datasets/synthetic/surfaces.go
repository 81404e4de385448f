package synthetic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/datasets/simplicial"
)

// Surfaces generates triangulated squares in space of two classes,
//
//	sin x  (x, y, sin x)
//	sin y  (x, y, sin y)
//
// over a grid of unit squares whose corner is uniform in [-10, 10]², with
// uniform noise on z. Every surface is another piece of the wave.
//
// As in the published code, triangles are oriented by the order of their
// vertices, as the simplices of a complex are. So the two triangles of a
// square have opposite orientations, and their sum is not the fundamental
// chain of the surface, see [simplicial.Grid].
type Surfaces struct {
	Cells int     // squares along a side of the grid
	Noise float64 // bound of the noise
}

// NewSurfaces returns the published grid, 5 × 5 points, that is, 32
// triangles, and noise 0.1.
func NewSurfaces() Surfaces { return Surfaces{Cells: 4, Noise: 0.1} }

// surfaceClasses names the classes of Surfaces.
var surfaceClasses = []string{"sin x", "sin y"}

// Sample returns perClass surfaces of each class; the paper has 30. It is an
// error if there are no cells.
func (s Surfaces) Sample(perClass int, seed uint64, part Part) (*datasets.Collection, error) {
	grid, _, err := simplicial.Grid(s.Cells, s.Cells)
	if err != nil {
		return nil, fmt.Errorf("surfaces: %w", err)
	}
	waves := waves{s, grid.Coords(), grid.Simplices(2)}
	return collect(waves, "surfaces", 3, surfaceClasses, perClass, seed, part)
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
		p := []float64{at[0] + shift[0], at[1] + shift[1]}
		out = append(out, p[0], p[1], math.Sin(p[class])+between(r, -w.Noise, w.Noise))
	}
	return out
}

// Torus returns a torus of revolution about the third axis of R³, with n
// vertices around each of its circles: that of the ring, of radius 1, and
// those of the tube, of the given radius. It is an error if n is below 3, or
// if the tube has no radius between 0 and 1.
func Torus(n int, tube float64) (*simplicial.Complex, error) {
	if n < 3 || !(tube > 0 && tube < 1) {
		return nil, fmt.Errorf("torus: circles of %d vertices and a tube of radius %g: use 3 or more, and a "+
			"radius between 0 and 1", n, tube)
	}
	return mesh.Torus(n, n, func(u, v float64) (x, y, z float64) {
		sin, cos := math.Sincos(u)
		height, width := math.Sincos(v)
		return (1 + tube*width) * cos, (1 + tube*width) * sin, tube * height
	}).Complex()
}
