package layers_test

import (
	"fmt"
	"os"

	_ "github.com/gomlx/compute/gobackend"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/exterior"
)

// The edge {0, 7} of three vertices is integrated as {0, 2}, unless the
// environment asks for checks.
func ExampleReportIndices() {
	backend := goBackend()
	integrate := func(edges *Node) *Node {
		dx := exterior.Formula(2, 0, func(x []*Node) []*Node { return x[:1] }).D()
		vertices := Const(edges.Graph(), [][]float64{{0, 0}, {1, 0}, {3, 4}})
		return exterior.Integrate(dx, vertices, edges)
	}
	edges := [][]int32{{0, 1}, {0, 7}}
	x, err := CallOnce(backend, integrate, edges)
	if err != nil {
		panic(err)
	}
	fmt.Println(x.Value())

	if err := os.Setenv("NKF_CHECK_INDICES", "1"); err != nil {
		panic(err)
	}
	defer func() { _ = os.Unsetenv("NKF_CHECK_INDICES") }()
	exec := MustNewExec(backend, integrate)
	defer exec.Finalize()
	layers.ReportIndices(exec)
	err = exceptions.TryCatch[error](func() { exec.MustCall(edges) })
	fmt.Println(err)
	// Output:
	// [[1] [3]]
	// exterior.Integrate: entry [1 1] of simplices is 7: want one of 3 vertices, 0 to 2
}
