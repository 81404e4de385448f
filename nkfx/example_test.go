package nkfx_test

import (
	"fmt"
	"os"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/figures"
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

// A cell of a notebook with this shows text, a figure and a table. Elsewhere nothing is shown.
func ExampleShow() {
	figure := figures.IntegrationMatrix("X", 2, []float64{1, 0.1, 0.4, 0.9})
	table := &figures.Table{Head: []string{"form", "sum"}}
	table.Rows = append(table.Rows, []figures.Cell{{Text: "ω₁"}, {Text: "1.4"}})
	nkfx.Show("Two *edges*, two forms", figure, table)
	fmt.Println("goes on")
	// Output: goes on
}

// A cell of a notebook with this shows a slider, and the figure for the value at which it is. It
// ends when Done is pressed. Elsewhere nothing is shown.
func ExampleSlider() {
	nkfx.Slider("first integral", -10, 10, 4, func(value int) any {
		fmt.Println("drawn for", value)
		return figures.IntegrationMatrix("X", 2, []float64{float64(value) / 10, 0.1, 0.4, 0.9})
	})
	// Output: drawn for 4
}

// A cell of a notebook with this shows a bar, the time that is left and a curve of the losses.
func ExampleProgress() {
	progress := nkfx.NewProgress()
	const epochs = 3
	for epoch := range epochs {
		progress.Step("training", epoch+1, epochs, 1/float64(1+epoch))
	}
	fmt.Println("trained")
	// Output: trained
}
