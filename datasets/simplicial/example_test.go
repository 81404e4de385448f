package simplicial_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/datasets/simplicial"
)

// A triangle with a tail, in the plane.
func ExampleNew() {
	c := must(simplicial.New(4, [][]int{{2, 0, 1}, {2, 3}}))
	c = must(c.Embed(2, []float64{0, 0, 1, 0, 0, 1, -1, 2}))
	for k := 0; k <= c.Dim(); k++ {
		fmt.Println(k, c.Count(k), c.Simplices(k))
	}
	index, sign, ok := c.Index(2, 1)
	fmt.Println(index, sign, ok)
	// Output:
	// 0 4 [0 1 2 3]
	// 1 4 [0 1 0 2 1 2 2 3]
	// 2 1 [0 1 2]
	// 2 -1 true
}

// The boundary of a path is its end minus its start, and a coboundary sums to the difference of the
// potential.
func ExampleComplex_Path() {
	c := must(simplicial.New(4, [][]int{{0, 1, 2}, {2, 3}}))
	path := must(c.Path(3, 2, 0))
	ends := make([]float64, c.Count(0))
	c.Boundary(1).MulVecTo(ends, false, path)
	fmt.Println(path, ends)

	potential := []float64{1, 2, 4, 8}
	d := make([]float64, c.Count(1))
	c.Boundary(1).MulVecTo(d, true, potential)
	fmt.Println(floats.Dot(d, path))
	// Output:
	// [0 -1 0 -1] [1 0 0 -1]
	// -7
}

func ExampleRips() {
	// The corners of a regular hexagon with sides 1.
	var points []float64
	for i := range 6 {
		s, c := math.Sincos(float64(i) * math.Pi / 3)
		points = append(points, c, s)
	}
	for _, threshold := range []float64{0.9, 1.1, 1.8} {
		c := must(simplicial.Rips(2, points, threshold, 3))
		fmt.Println(threshold, c.Betti())
	}
	// Output:
	// 0.9 [6]
	// 1.1 [1 1]
	// 1.8 [1 0 1]
}

// A surface in space over a 4 by 4 grid of squares.
func ExampleGrid() {
	grid, whole := must2(simplicial.Grid(4, 4))
	var points []float64
	for i := range grid.Count(0) {
		x, y := grid.Coords()[2*i], grid.Coords()[2*i+1]
		points = append(points, x, y, math.Sin(x))
	}
	surface := must(grid.Embed(3, points))
	fmt.Println(surface.Count(2), "triangles in dimension", surface.Ambient())
	fmt.Println(whole[:4])
	// Output:
	// 32 triangles in dimension 3
	// [-1 1 -1 1]
}

// On a path the Laplacian of a function is minus its second difference.
func ExampleComplex_Laplacian() {
	peak := must(must(simplicial.New(3, [][]int{{0, 1}, {1, 2}})).Laplacian(0, []float64{0, 1, 0}))
	fmt.Println(peak)
	// Output: [-1 2 -1]
}

// Every 1-cochain on a triangle is an eigenvector of 3; the ones returned are gradients and a curl
// all the same.
func ExampleComplex_Eigen() {
	c := must(simplicial.New(3, [][]int{{0, 1, 2}}))
	e := must(c.Eigen(1, c.Count(1)))
	for j, value := range e.Values {
		fmt.Printf("%.3f %v\n", value, e.Parts[j])
	}
	// Output:
	// 3.000 gradient
	// 3.000 gradient
	// 3.000 curl
}

// A flow around a loop is harmonic, up to a gradient where it differs from edge to edge.
func ExampleComplex_Hodge() {
	c := must(simplicial.New(3, [][]int{{0, 1}, {1, 2}, {2, 0}}))
	gradient, curl, harmonic := must3(c.Hodge(1, []float64{3, 0, 0}))
	fmt.Printf("%.1f %.1f %.1f\n", gradient, curl, harmonic)
	// Output:
	// [2.0 1.0 -1.0] [0.0 0.0 0.0] [1.0 -1.0 1.0]
}

// The eigenvalues of functions on a square with free ends are (π/side)²(a² + b²).
func ExampleComplex_WithMetric() {
	grid, _ := must2(simplicial.Grid(16, 16))
	waves := must(must(grid.WithMetric()).Eigen(0, 4))
	for _, value := range waves.Values {
		fmt.Printf("%.2f ", value*math.Pow(16/math.Pi, 2))
	}
	// Output: 0.00 1.00 1.00 2.02
}

// must returns the result of a call that cannot fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// must2 is must for two results.
func must2[S, T any](x S, y T, err error) (S, T) { return x, must(y, err) }

// must3 is must for three results.
func must3[R, S, T any](x R, y S, z T, err error) (R, S, T) { return x, y, must(z, err) }
