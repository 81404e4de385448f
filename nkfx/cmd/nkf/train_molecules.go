package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// trainMolecules trains on a user's own molecules; features may be "".
func (a *app) trainMolecules(ctx context.Context, x experiments.MoleculeNet, features, name string,
	asJSON bool) error {
	var err error
	if features != "" {
		if x.Features, err = moleculenet.ParseFeatures(features); err != nil {
			return usage(err)
		}
		if taken := experiments.AtomFeatures(x.Model, x.Features); taken != x.Features {
			return usage(fmt.Errorf("--features %v: %s takes atoms as %v", x.Features, x.Model, taken))
		}
	}
	molecules, err := x.Load(ctx)
	if err != nil {
		return err
	}
	a.tellSkipped(molecules)
	a.tellTask(molecules, x.Columns.Task)
	untested, err := x.Untested(molecules)
	if err != nil {
		return err
	}
	if len(untested) > 0 {
		fmt.Fprintf(a.stderr, "nkf: %s: in some test part there is none of class %s, so that its area "+
			"counts as 0: ask for fewer folds, or another --split\n", molecules.Name, quotedSome(untested))
	}
	training, err := x.Prepare(molecules)
	if err != nil {
		return err
	}
	return a.trainModel(ctx, training, x.Out, name, molecules.Name+" "+x.Model, a.printScores, asJSON)
}

// tellTask says what is to be learnt.
func (a *app) tellTask(m *moleculenet.Molecules, asked moleculenet.Task) {
	what := fmt.Sprintf("the %d classes %s", len(m.Classes), quotedSome(m.Classes))
	switch {
	case m.Tasks != nil && m.Task == moleculenet.Regression:
		what = "numbers: " + quotedSome(m.Tasks)
	case m.Tasks != nil:
		what = "0 or 1 of each of " + quotedSome(m.Tasks)
	}
	hint := ""
	if asked == moleculenet.Automatic {
		hint = " (--task takes other choices)"
	}
	fmt.Fprintf(a.stderr, "nkf: %s: %v, to learn %s%s\n", m.Name, m.Task, what, hint)
	if gaps := gaps(m.Targets); gaps > 0 {
		fmt.Fprintf(a.stderr, "nkf: %s: %d of %d labels are missing and count for nothing\n", m.Name, gaps,
			len(m.Targets))
	}
}

// quotedSome lists the first names.
func quotedSome(names []string) string {
	var out []string
	for _, name := range names[:min(listed+1, len(names))] {
		out = append(out, strconv.Quote(name))
	}
	return some(out)
}

// listed is how many values of a kind are listed.
const listed = 6

// some lists the first values.
func some(values []string) string {
	if len(values) > listed {
		values = append(slices.Clone(values[:listed]), "…")
	}
	return strings.Join(values, ", ")
}

// gaps returns how many of the targets are missing.
func gaps(targets []float32) int {
	count := 0
	for _, y := range targets {
		if math.IsNaN(float64(y)) {
			count++
		}
	}
	return count
}

// predictMolecules prints what the model says of every molecule of a file, after its row: its class, or the
// value of every task.
func (a *app) predictMolecules(model *experiments.SavedModel, path, column string, asJSON bool) error {
	molecules, err := moleculenet.Open(path, moleculenet.Columns{SMILES: column})
	if err != nil {
		return err
	}
	a.tellSkipped(molecules)
	if elements, count := model.UnseenElements(molecules); count > 0 {
		fmt.Fprintf(a.stderr, "nkf: %s: %d of %d molecules hold elements that no molecule of %s had (%s), "+
			"of which the model can know nothing\n", molecules.Name, count, molecules.Len(),
			datasets.Printable(model.Dataset), some(elements))
	}
	backend, err := nkfx.Backend(nkfx.WithNotice(a.stderr))
	if err != nil {
		return err
	}
	defer backend.Finalize()
	predictions, err := model.PredictMolecules(backend, molecules)
	if err != nil {
		return err
	}
	columns := model.Tasks
	if columns == nil {
		columns = []string{cmp.Or(model.Label, "class")}
	}
	if !asJSON {
		columns = slices.Clone(columns)
		for i := range columns {
			columns[i] = datasets.Printable(columns[i])
		}
		fmt.Fprintf(a.stdout, "row\t%s\n", strings.Join(columns, "\t"))
	}
	for _, p := range predictions {
		if asJSON {
			classes := model.Classes
			if model.Tasks != nil {
				classes = nil
			}
			if err := a.emit(struct {
				experiments.MoleculePrediction
				Classes []string `json:"classes,omitempty"` // of the probabilities
			}{p, classes}); err != nil {
				return err
			}
			continue
		}
		fields := []string{strconv.Itoa(int(p.Row))}
		if model.Tasks == nil {
			fields = append(fields, datasets.Printable(p.Class))
		}
		for _, task := range model.Tasks {
			fields = append(fields, strconv.FormatFloat(p.Values[task], 'g', 6, 64))
		}
		if _, err := fmt.Fprintln(a.stdout, strings.Join(fields, "\t")); err != nil {
			return err
		}
	}
	return nil
}
