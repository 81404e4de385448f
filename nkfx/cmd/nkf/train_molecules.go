package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/datasets/moleculenet"
)

// trainMolecules trains on a user's own molecules.
func (a *app) trainMolecules(ctx context.Context, of *training) error {
	x := of.molecules
	molecules, err := a.readMolecules(x.Path, x.Columns)
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
		fmt.Fprintf(a.stderr, "nkf: %s: in some test part there is none of class %s, whose area "+
			"is then undefined and left out: ask for fewer folds, or another --split\n", molecules.Name,
			quotedSome(untested))
	}
	what := molecules.Name + " " + x.Model
	if x.Shard != nil {
		return a.trainPart(x.Shard, x.Out, what, func(b compute.Backend, report epochs) error {
			_, err := x.Run(ctx, b, molecules, report)
			return err
		})
	}
	prepared, err := x.Prepare(molecules)
	if err != nil {
		return err
	}
	return a.trainModel(ctx, of, prepared, what, a.printScores)
}

// tellTask says what is to be learnt.
func (a *app) tellTask(m *moleculenet.Molecules, asked moleculenet.Task) {
	what := fmt.Sprintf("the %s %s", english.Plural(len(m.Classes), "class", ""), quotedSome(m.Classes))
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
