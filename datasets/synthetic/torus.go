package synthetic

import (
	"fmt"
	"math"

	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/datasets/simplicial"
)

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
