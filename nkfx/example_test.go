package nkfx_test

import (
	"fmt"
	"os"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/neuralkforms/nkf/nkfx"
)

// The first lines of every program: a backend, whatever the machine has, and graphs that run on it.
func ExampleBackend() {
	backend, err := nkfx.Backend()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	defer backend.Finalize()
	square := func(x *graph.Node) *graph.Node { return graph.Square(x) }
	y, err := graph.CallOnce(backend, square, []float32{1, 2, 3})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	fmt.Println(y.Value())
	// Output: [1 4 9]
}
