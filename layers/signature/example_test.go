package signature_test

import (
	"fmt"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"

	_ "github.com/gomlx/compute/gobackend"

	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
	"github.com/neuralkforms/nkf/layers/signature"
)

// goBackend is the pure Go backend.
func goBackend() compute.Backend {
	backend, err := compute.NewWithConfig("go")
	if err != nil {
		panic(err)
	}
	return backend
}

// value returns the value of a node on the Go backend.
func value(build func(g *Graph) *Node) any {
	x, err := CallOnce(goBackend(), build)
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

// A layer that knows its forms at the points of a rule iterates their integrals
// itself: here dt along an edge of length one, whose words of r letters are 1/r!.
func ExampleIterate() {
	rule := quadrature.Gauss(2)
	integrals := value(func(g *Graph) *Node {
		dt := Const(g, [][]float64{{1}})
		return signature.Iterate([]*Node{dt, dt}, rule, signature.Words(1, 3))
	})
	fmt.Printf("%.4f\n", integrals)
	// Output: [[0.0000 0.0000 0.0000] [1.0000 0.5000 0.1667]]
}

// Two paths of two and three points.
func ExampleHold() {
	held := value(func(g *Graph) *Node {
		paths := Const(g, [][][]float32{{{1}, {2}, {0}}, {{1}, {3}, {5}}})
		return signature.Hold(paths, Const(g, []int32{2, 3}))
	})
	fmt.Println(held)
	// Output: [[[1] [2] [2]] [[1] [3] [5]]]
}

// The same paths, flat as in a batch of complexes whose last vertex is padding.
func ExampleFromVertices() {
	out, err := CallOnceN(goBackend(), func(g *Graph) []*Node {
		vertices := Const(g, [][]float32{{1}, {2}, {1}, {3}, {5}, {0}})
		of := Const(g, []int32{0, 0, 1, 1, 1, 2})
		paths := signature.FromVertices(vertices, of, 2, 3)
		return []*Node{paths}
	})
	fmt.Println(out[0].Value(), err)
	// Output: [[[1] [2] [2]] [[1] [3] [5]]] <nil>
}

func ExampleLyndon() {
	fmt.Println(signature.Lyndon(2, 4))
	// Output: [[0] [1] [0 1] [0 0 1] [0 1 1] [0 0 0 1] [0 0 1 1] [0 1 1 1]]
}

func ExampleShuffle() {
	fmt.Println(signature.Shuffle(signature.Word{0}, signature.Word{1, 2}))
	// Output: [[1 2 0] [1 0 2] [0 1 2]]
}

// The area between a path and its chord is half the difference of two entries
// of its signature: two sides of the unit square.
func ExampleSignature() {
	s := value(func(g *Graph) *Node {
		return signature.Signature(Const(g, [][]float64{{0, 0}, {1, 0}, {1, 1}}), 2)
	}).([]float64)
	xy, yx := signature.Entry(signature.Word{0, 1}, 2), signature.Entry(signature.Word{1, 0}, 2)
	fmt.Printf("%.1f area %.1f\n", s, (s[xy]-s[yx])/2)
	// Output: [1.0 1.0 0.5 1.0 0.0 0.5] area 0.5
}

// At Lyndon words [0], [1] and [0 1]: the step from end to end, and the area.
func ExampleLogSignature() {
	fmt.Printf("%.1f\n", value(func(g *Graph) *Node {
		return signature.LogSignature(Const(g, [][]float64{{0, 0}, {1, 0}, {1, 1}}), 2)
	}))
	// Output: [1.0 1.0 0.5]
}

func ExampleStream() {
	fmt.Printf("%.1f\n", value(func(g *Graph) *Node {
		return signature.Stream(Const(g, [][]float64{{0}, {1}, {3}}), 2)
	}))
	// Output: [[0.0 0.0] [1.0 0.5] [3.0 4.5]]
}

// Signatures of a path, its halves and its quarters.
func ExampleWindows() {
	fmt.Printf("%.1f\n", value(func(g *Graph) *Node {
		path := Const(g, [][]float64{{0}, {1}, {3}, {2}, {2}})
		return signature.Signature(signature.Windows(path, signature.Dyadic(5, 2)), 1)
	}))
	// Output: [[2.0] [3.0] [-1.0] [1.0] [2.0] [-1.0] [0.0]]
}

// A path and then another one, by Chen's identity.
func ExampleProduct() {
	fmt.Printf("%.2f\n", value(func(g *Graph) *Node {
		first, then := Const(g, [][]float64{{0, 0}, {1, 0}}), Const(g, [][]float64{{1, 0}, {1, 1}})
		return signature.Product(signature.Signature(first, 2), signature.Signature(then, 2), 2, 2)
	}))
	// Output: [1.00 1.00 0.50 1.00 0.00 0.50]
}

func ExampleLeadLag() {
	fmt.Println(value(func(g *Graph) *Node {
		return signature.LeadLag(Const(g, [][]float32{{1}, {2}, {4}}))
	}))
	// Output: [[1 1] [2 1] [2 2] [4 2] [4 4]]
}
