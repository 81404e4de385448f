package moleculenet_test

import (
	"fmt"
	"strings"

	"github.com/neuralkforms/nkf/datasets/moleculenet"
)

const file = `name,structure,active
ethanol,CCO,no
phenol,c1ccccc1O,yes
methane with five bonds,C(C)(C)(C)(C)C,no
"benzene, 6 carbons",c1ccccc1,no
toluene,Cc1ccccc1,
`

func ExampleRead() {
	m, err := moleculenet.Read(strings.NewReader(file), "mine.csv",
		moleculenet.Columns{SMILES: "structure", Labels: []string{"active"}})
	if err != nil {
		panic(err)
	}
	c, err := m.Collection(moleculenet.Numbers)
	if err != nil {
		panic(err)
	}
	fmt.Println(c.Len(), c.Classes, c.Labels, c.Dim)
	vertices, edges := c.Points(0), c.Corners(1, 0)
	fmt.Println(vertices[:9], edges)
	for _, s := range append(m.Refused, m.Unlabeled...) {
		fmt.Printf("line %d: %s\n", s.Line, s.Reason)
	}
	// Output:
	// 3 [no yes] [0 1 0] 9
	// [6 0 4 5 3 0 4 0 0] [0 1 1 2]
	// line 4: smiles: valence: atom 0 (C) has valence 5, more than is permitted
	// line 6: no label
}

// Several columns of labels may have gaps; a molecule without any label is left out.
func ExampleRead_targets() {
	m, err := moleculenet.Read(strings.NewReader("smiles,logS,logP\nCCO,1.1,-0.18\nCC,,\nc1ccccc1,,2.13\n"),
		"mine.csv", moleculenet.Columns{SMILES: "smiles", Labels: []string{"logS", "logP"}})
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Tasks, m.SMILES)
	fmt.Println(m.Targets)
	// Output:
	// [logS logP] [CCO c1ccccc1]
	// [[1.1 -0.18] [NaN 2.13]]
}
