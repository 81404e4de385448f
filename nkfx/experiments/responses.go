package experiments

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// MoleculeResponse is the response of a model to each bond of a molecule, over
// which it integrates its forms.
type MoleculeResponse struct {
	SMILES string
	Label  string  // its class in the file; "" where there are tasks instead
	Output string  // the class or task that the rest is about
	Value  float64 // probability of the output, or the number of a regression
	// Bonds is, for each bond in the order of smiles.Parse, by how much the
	// log-odds of the output fall, or its number, when the bond is left out.
	Bonds []float64
}

// Responses leaves out the bonds of some molecules, one at a time, and returns
// the change of an output of the model, that of the class or task with the
// given number. Integrals add up over bonds, so this is the contribution of
// each bond. It can be computed for any model.
func Responses(ctx context.Context, m *models.Predictor, molecules *moleculenet.Molecules, ids []int32,
	output int) ([]MoleculeResponse, error) {
	names := m.Classes
	if m.Tasks != nil {
		names = m.Tasks
	}
	if output < 0 || output >= len(names) {
		return nil, fmt.Errorf("output %d of the model: there are 0 to %d", output, len(names)-1)
	}
	data, err := m.Encoder.Encode(molecules)
	if err != nil {
		return nil, err
	}
	var out []MoleculeResponse
	for _, g := range ids {
		if g < 0 || int(g) >= molecules.Len() {
			return nil, fmt.Errorf("molecule %d of %s: they are numbered 0 to %d", g, molecules.Name,
				molecules.Len()-1)
		}
		each, err := withoutEach(data, int(g))
		if err != nil {
			return nil, err
		}
		p, err := m.Predict(ctx, each)
		if err != nil {
			return nil, err
		}
		r := MoleculeResponse{
			SMILES: molecules.SMILES[g], Output: names[output], Value: p[0].Values[names[output]],
		}
		if m.Tasks == nil {
			r.Value = p[0].Probabilities[output]
		}
		if molecules.Classes != nil {
			r.Label = molecules.Classes[int(molecules.Targets[g][0])]
		}
		whole := score(m.Saved, p[0].Outputs, output)
		for _, without := range p[1:] {
			r.Bonds = append(r.Bonds, whole-score(m.Saved, without.Outputs, output))
		}
		out = append(out, r)
	}
	return out, nil
}

// withoutEach returns complex g, and after it the same without each of its
// simplices in turn.
func withoutEach(c *datasets.Collection, g int) (*datasets.Collection, error) {
	k := c.Degree()
	simplices, vertices := c.Corners(k, g), c.Points(g)
	b := datasets.NewBuilder(c.Dim)
	b.Info = c.Info
	all := make([][]int32, k+1)
	all[k] = simplices
	b.Add(vertices, all)
	for from := 0; from < len(simplices); from += k + 1 {
		all[k] = slices.Concat(simplices[:from], simplices[from+k+1:])
		b.Add(vertices, all)
	}
	return b.Collection()
}

// score returns the log-odds of an output, or the number itself.
func score(m *models.Saved, outputs []float32, output int) float64 {
	v := float64(outputs[output])
	if m.Tasks != nil {
		return v
	}
	// log p/(1-p) is that logit less the logarithm of the sum of the others'
	// exponentials.
	var others []float64
	for c, logit := range outputs {
		if c != output {
			others = append(others, float64(logit))
		}
	}
	return v - floats.LogSumExp(others)
}

// Surest returns the numbers of molecules of a class that the model is most
// certain of, the most certain first, at most count of them, no two with the
// same scaffold. Predictions are those of the same molecules. A class without
// predictions has no molecules.
func Surest(m *models.Saved, molecules *moleculenet.Molecules, predictions []models.Prediction, class string,
	count int) []int32 {
	c := slices.Index(m.Classes, class)
	label := slices.Index(molecules.Classes, class)
	var of []int32
	for g, p := range predictions {
		if c >= 0 && label >= 0 && int(molecules.Targets[g][0]) == label && p.Class == class {
			of = append(of, int32(g))
		}
	}
	slices.SortStableFunc(of, func(a, b int32) int {
		return cmp.Compare(predictions[b].Probabilities[c], predictions[a].Probabilities[c])
	})
	scaffolds := molecules.Scaffolds()
	seen := map[int32]bool{}
	var out []int32
	for _, g := range of {
		if len(out) < count && !seen[scaffolds[g]] {
			seen[scaffolds[g]] = true
			out = append(out, g)
		}
	}
	return out
}
