// Shape computes the holes, the curvature and the flow of heat of a surface, and of points sampled from it.
package main

import (
	"fmt"
	"log"
	"math"

	"github.com/neuralkforms/nkf/datasets/simplicial"
	"github.com/neuralkforms/nkf/datasets/synthetic"
	"gonum.org/v1/gonum/floats"
)

func must[T any](x T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return x
}

// loops prints the 1-dimensional classes of a filtration that live longest.
func loops(name string, c *simplicial.Complex, values [][]float64, least float64) {
	for _, class := range must(c.Persistence(values, 2)) {
		if class.Degree == 1 && class.Death-class.Birth > least {
			fmt.Printf("%s complex: a loop from %.2f to %.2f\n", name, class.Birth, class.Death)
		}
	}
}

func main() {
	torus := must(synthetic.Torus(16, 0.4))
	fmt.Printf("Betti numbers %v, area %.2f, total curvature %.2f\n", torus.Betti(),
		floats.Sum(must(torus.Volumes(2))), math.Abs(floats.Sum(must(torus.AngleDefects()))))

	// The loops of the points alone, that of the tube and that of the ring, live long as balls around them
	// grow.
	alpha, radii, err := simplicial.Alpha(3, torus.Coords())
	if err != nil {
		log.Fatal(err)
	}
	loops("alpha", alpha, radii, 0.25)
	rips := must(simplicial.Rips(3, torus.Coords(), 0.75, 2))
	loops("Rips", rips, must(rips.Diameters()), 0.5)

	// How much of the heat of a vertex is left there after some time, a feature of vertices (Sun, Ovsjanikov
	// and Guibas, A concise and provably informative multi-scale signature based on heat diffusion, 2009).
	basis := must(torus.Basis(32)).Unit()
	for _, vertex := range []int{0, 8} { // the outermost and the innermost
		heat := 0.0
		for j, value := range basis.Values {
			heat += math.Exp(-0.02*value) * math.Pow(basis.Vectors[32*vertex+j], 2)
		}
		fmt.Printf("heat at vertex %d: %.2f\n", vertex, heat)
	}

	// Fields that go around the holes are neither gradients nor curls.
	metric := must(torus.WithMetric())
	fmt.Println(must(metric.Eigen(1, 4)).Parts)
}
