package figures_test

import (
	"fmt"
	"log"

	"github.com/neuralkforms/nkf/datasets/smiles"
	"github.com/neuralkforms/nkf/nkfx/figures"
)

// A formula of caffeine.
func ExampleNewMolecule() {
	caffeine, err := smiles.Parse("CN1C=NC2=C1C(=O)N(C(=O)N2C)C")
	if err != nil {
		log.Fatal(err)
	}
	formula, err := figures.NewMolecule(caffeine)
	if err != nil {
		log.Fatal(err)
	}
	panel := figures.NewPanel("caffeine", formula)
	panel.Bare = true
	svg, err := figures.Arrange("", 1, panel).SVG() // or .Save("caffeine.png")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(formula.At)/2, "atoms,", len(svg) > 0)
	// Output:
	// 14 atoms, true
}
