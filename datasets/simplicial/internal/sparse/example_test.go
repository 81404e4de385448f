package sparse_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/neuralkforms/nkf/datasets/simplicial/internal/sparse"
)

// A string of three beads between fixed ends.
func ExampleNew() {
	a, err := sparse.New(3, []sparse.Entry{{0, 0, 2}, {1, 1, 2}, {2, 2, 2}, {0, 1, -1}, {1, 2, -1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(mat.Formatted(a))
	// Output:
	// ⎡ 2  -1   0⎤
	// ⎢-1   2  -1⎥
	// ⎣ 0  -1   2⎦
}

// The string hangs in a parabola.
func ExampleFactorize() {
	a, err := sparse.New(3, []sparse.Entry{{0, 0, 2}, {1, 1, 2}, {2, 2, 2}, {0, 1, -1}, {1, 2, -1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := sparse.Factorize(a)
	if err != nil {
		fmt.Println(err)
		return
	}
	x := make([]float64, 3)
	f.SolveTo(x, []float64{1, 1, 1})
	fmt.Printf("%.1f\n", x)
	// Output: [1.5 2.0 1.5]
}

// Squared frequencies of the string, with a heavy bead in the middle.
func ExampleSolver_Smallest() {
	k, err := sparse.New(3, []sparse.Entry{{0, 0, 2}, {1, 1, 2}, {2, 2, 2}, {0, 1, -1}, {1, 2, -1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := sparse.Diagonal([]float64{1, 4, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	values, _, err := sparse.Solver{Mass: m}.Smallest(k, 2)
	fmt.Printf("%.4f %v\n", values, err)
	// Output: [0.2192 2.0000] <nil>
}
