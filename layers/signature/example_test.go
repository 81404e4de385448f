package signature_test

import (
	"fmt"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"

	_ "github.com/gomlx/compute/gobackend"

	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/signature"
)

// value returns the value of a node on the Go backend.
func value(build func(g *Graph) *Node) any {
	backend, err := compute.NewWithConfig("go")
	if err != nil {
		panic(err)
	}
	x, err := CallOnce(backend, build)
	if err != nil {
		panic(err)
	}
	return x.Value()
}

// The form x dy/2 - y dx/2 measures the area that a path sweeps about the
// origin: here two sides of a square, vertex by vertex.
func ExampleIntegrals() {
	area := exterior.Formula(2, 1, func(x []*Node) []*Node {
		return []*Node{MulScalar(x[1], -0.5), MulScalar(x[0], 0.5)}
	})
	running := value(func(g *Graph) *Node {
		path := Const(g, [][]float64{{1, 0}, {1, 1}, {0, 1}})
		return signature.Integrals(area, path, []signature.Word{{0}, {0, 0}})
	})
	fmt.Printf("%.3f\n", running)
	// Output: [[0.000 0.000] [0.500 0.125] [1.000 0.500]]
}

// Two paths of two and three points, flat as in a batch of complexes whose last vertex is padding.
func ExampleFromVertices() {
	fmt.Println(value(func(g *Graph) *Node {
		vertices := Const(g, [][]float32{{1}, {2}, {1}, {3}, {5}, {0}})
		return signature.FromVertices(vertices, Const(g, []int32{0, 0, 1, 1, 1, 2}), 2, 3)
	}))
	// Output: [[[1] [2] [2]] [[1] [3] [5]]]
}

func ExampleLyndon() {
	fmt.Println(signature.Lyndon(2, 4))
	// Output: [[0] [1] [0 1] [0 0 1] [0 1 1] [0 0 0 1] [0 0 1 1] [0 1 1 1]]
}

// The area between a path and its chord is half the difference of two entries
// of its signature: two sides of the unit square.
func ExampleSignature() {
	s := value(func(g *Graph) *Node {
		return signature.Signature(Const(g, [][]float64{{0, 0}, {1, 0}, {1, 1}}), 2)
	}).([]float64)
	fmt.Println(signature.Words(2, 2))
	fmt.Printf("%.1f area %.1f\n", s, (s[3]-s[4])/2)
	// Output:
	// [[0] [1] [0 0] [0 1] [1 0] [1 1]]
	// [1.0 1.0 0.5 1.0 0.0 0.5] area 0.5
}

// At Lyndon words [0], [1] and [0 1]: the step from end to end, and the area.
func ExampleLogSignature() {
	fmt.Printf("%.1f\n", value(func(g *Graph) *Node {
		return signature.LogSignature(Const(g, [][]float64{{0, 0}, {1, 0}, {1, 1}}), 2)
	}))
	// Output: [1.0 1.0 0.5]
}

func ExampleLeadLag() {
	fmt.Println(value(func(g *Graph) *Node {
		return signature.LeadLag(Const(g, [][]float32{{1}, {2}, {4}}))
	}))
	// Output: [[1 1] [2 1] [2 2] [4 2] [4 4]]
}
