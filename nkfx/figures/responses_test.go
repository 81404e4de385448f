package figures_test

import (
	"fmt"
	"log"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/smiles"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/figures"
)

// The formulas of caffeine, and of a salt.
func ExampleNewMolecule() {
	f := figures.Arrange("", 2)
	for _, m := range []struct{ name, smiles string }{
		{"caffeine", "CN1C=NC2=C1C(=O)N(C(=O)N2C)C"}, {"a salt", "CC#CC1=CC[NH+]1C.[Cl-]"},
	} {
		parsed, err := smiles.Parse(m.smiles)
		if err != nil {
			log.Fatal(err)
		}
		formula, err := figures.NewMolecule(parsed)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(m.name, "has", len(formula.At)/2, "atoms")
		f.Panels = append(f.Panels, figures.NewPanel(m.name, formula).Bare())
	}
	golden("formulas.png", f)
	// Output:
	// caffeine has 14 atoms
	// a salt has 9 atoms
	// formulas.png
}

// aspirin are responses to the bonds of aspirin and caffeine, made up.
func aspirin() []experiments.MoleculeResponse {
	out := []experiments.MoleculeResponse{
		{SMILES: "CC(=O)Oc1ccccc1C(=O)O", Label: "1", Output: "1", Value: 0.93},
		{SMILES: "CN1C=NC2=C1C(=O)N(C(=O)N2C)C", Label: "0", Output: "1", Value: 0.08},
	}
	for i := range 13 {
		out[0].Bonds = append(out[0].Bonds, math.Sin(float64(i)))
	}
	for i := range 15 {
		out[1].Bonds = append(out[1].Bonds, -math.Abs(math.Cos(float64(i))))
	}
	return out
}

// Molecules with the bonds that speak for a class in orange, and those that speak against it in blue.
func ExampleResponses() {
	f, err := figures.Responses("What a model responds to", 2, aspirin())
	if err != nil {
		log.Fatal(err)
	}
	golden("responses.png", madeUp(f))
	// Output: responses.png
}

func TestResponses(t *testing.T) {
	f := must(figures.Responses("What a model responds to", 2, aspirin()))
	require.Equal(t, "class 1, probability of 1: 0.93", f.Panels[0].Title.Text)
	require.Equal(t, "log-odds of class 1, by bond", f.Bars[0].Label)

	number := aspirin()[:1]
	number[0].Label, number[0].Output, number[0].Value = "", "pIC50", 6.54321
	f = must(figures.Responses("", 1, number))
	require.Equal(t, "pIC50: 6.54", f.Panels[0].Title.Text)
	require.Equal(t, "pIC50, by bond", f.Bars[0].Label)

	for want, change := range map[string]func(*experiments.MoleculeResponse){
		"molecule 0: smiles": func(r *experiments.MoleculeResponse) { r.SMILES = "C(" },
		"molecule 0: 1 responses to 13 bonds": func(r *experiments.MoleculeResponse) {
			r.Bonds = r.Bonds[:1]
		},
		"molecule 0: a molecule of 501 atoms": func(r *experiments.MoleculeResponse) {
			r.SMILES = strings.Repeat("C", 501)
		},
	} {
		wrong := aspirin()
		change(&wrong[0])
		_, err := figures.Responses("", 1, wrong)
		require.ErrorContains(t, err, want)
	}
	f = must(figures.Responses("nothing", 1, nil))
	must(f.SVG())
}
