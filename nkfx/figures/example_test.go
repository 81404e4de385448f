package figures_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/neuralkforms/nkf/nkfx/figures"
)

// The form -y dx + x dy under a path that runs along it.
func Example() {
	field := &figures.Arrows{Scale: figures.Strength(1.5), Longest: 0.45}
	for x := -1.0; x <= 1; x += 0.5 {
		for y := -1.0; y <= 1; y += 0.5 {
			field.Points = append(field.Points, x, y)
			field.Vectors = append(field.Vectors, -y, x)
		}
	}
	path := &figures.Routes{Paths: [][]float64{{1, 0, 0.7, 0.7, 0, 1}}, Color: figures.Class(0)}
	f := figures.Arrange("A form and a path", 1, figures.NewPanel("", field, path).Within(-1.3, 1.3))
	f.Key = []figures.Key{{Name: "path", Color: figures.Class(0)}}
	f.Bars = []figures.Bar{{Label: "strength", Scale: field.Scale}}
	svg, err := f.SVG() // or f.Save("field.png")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(bytes.Contains(svg, []byte("A form and a path")))
	// Output:
	// true
}
