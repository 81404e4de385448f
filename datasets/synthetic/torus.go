package synthetic

import (
	"fmt"
	"math"

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
	var triangles [][]int
	var points []float64
	for i := range n {
		for j := range n {
			right, up := (i+1)%n*n, (j+1)%n
			triangles = append(triangles, []int{i*n + j, right + j, right + up}, []int{i*n + j, right + up,
				i*n + up})
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			height, width := math.Sincos(2 * math.Pi * float64(j) / float64(n))
			points = append(points, (1+tube*width)*cos, (1+tube*width)*sin, tube*height)
		}
	}
	c, err := simplicial.New(n*n, triangles)
	if err != nil {
		return nil, err
	}
	return c.Embed(3, points)
}
