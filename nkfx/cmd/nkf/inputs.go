package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// request is what the flags of train or predict say of data.
type request struct {
	cmd       *cobra.Command
	run       *experiments.Run // of train; nil of predict
	id        string           // columns of files
	labels    []string
	separator rune
	task      datasets.Task
	inputs    []input
	files     []func() []string // the columns of files of each kind
}

// columns returns the names of the columns of the file that was given, for shells to complete.
func (q *request) columns() (names []string) {
	for _, file := range q.files {
		names = append(names, file()...)
	}
	return names
}

// complete completes the name of a column.
func (q *request) complete(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return q.columns(), cobra.ShellCompDirectiveNoFileComp
}

// input is a kind of data that flags give.
type input struct {
	kind  string // one of models.Kinds
	ways  []way
	path  func() string // "" where the flags give other data
	check func() error  // of flags together; nil for none
	// open reads the data: those to be trained on, or for a model.
	open func(*models.Saved) (datasets.Source, error)
}

// add gives the command the flags of all kinds of data.
func (q *request) add(a *app, checks ...func() error) {
	for _, k := range models.Kinds {
		if k.Open != nil {
			q.inputs = append(q.inputs, a.plainInput(q, k))
		}
	}
	q.inputs = append(q.inputs, a.moleculesInput(q), a.meshesInput(q), a.pathsInput(q))
	var ways []way
	for _, in := range q.inputs {
		ways = append(ways, in.ways...)
	}
	oneOfWays(q.cmd, ways...)
	check(q.cmd, append(checks, func() error {
		in := q.given()
		if q.run != nil {
			if err := q.prepare(in.kind); err != nil {
				return err
			}
		}
		if in.check != nil {
			return in.check()
		}
		return nil
	})...)
}

// given returns the input that flags were given of.
func (q *request) given() input {
	return q.inputs[slices.IndexFunc(q.inputs, func(in input) bool { return in.path() != "" })]
}

// prepare sets up a training on a kind of data.
func (q *request) prepare(kind string) error {
	k, err := models.KindOf(kind)
	if err != nil {
		return err
	}
	if !q.cmd.Flags().Changed("model") {
		q.run.Model = k.Model
	}
	if !strings.HasPrefix(q.run.Split, "fold") && q.cmd.Flags().Changed("folds") {
		return fmt.Errorf("--folds %d: the split %q has no folds", q.run.Folds, q.run.Split)
	}
	q.run.Benchmark = experiments.Own(kind)
	return nil
}

// takes returns flags of train or of predict.
func (q *request) takes(train, predict []string) []string {
	if q.run != nil {
		return train
	}
	return predict
}

// plainInput gives the command the flag of a kind of data that a path says all of.
func (a *app) plainInput(q *request, k models.Kind) input {
	var path string
	flag := strings.TrimPrefix(k.Flags, "--")
	addText(q.cmd, &path, flag, "PATH", k.Help)
	in := input{
		kind: k.Name, path: func() string { return path },
		ways: []way{{flag: flag, takes: q.takes([]string{"features"}, []string{"no-score"})}},
		open: func(*models.Saved) (datasets.Source, error) {
			defer a.during("reading " + path)()
			return k.Open(path)
		},
	}
	if k.Name == "graphs" && q.run != nil {
		in.check = func() error {
			f, err := tu.ParseFeatures(q.run.Features)
			if err != nil {
				return fmt.Errorf("--features: %w", err)
			}
			q.run.Features = f.String()
			return nil
		}
	}
	return in
}

// meshesInput gives the command the flags of triangle meshes.
func (a *app) meshesInput(q *request) input {
	var path string
	var labels mesh.Elements
	w := way{flag: "mesh"}
	if q.run == nil {
		addText(q.cmd, &path, "mesh", "PATH", "a triangle mesh, folder or zip archive of meshes, or CSV "+
			"file whose first column names them")
	} else {
		addText(q.cmd, &path, "mesh", "PATH", "folder or zip archive with a folder of triangle meshes for "+
			"every class, or CSV file of the paths of meshes and their classes or numbers")
		addFlag(q.cmd, &labels, "labels", "NAME", "of meshes: what has classes, vertices or faces, by "+
			"integers in files .seg or .txt beside the meshes", mesh.ParseElements, "vertices", "faces")
		w.takes = []string{"labels"}
	}
	return input{
		kind: "meshes", ways: []way{w}, path: func() string { return path },
		open: func(trained *models.Saved) (datasets.Source, error) {
			defer a.during("reading " + path)()
			if trained != nil {
				labels = mesh.Nothing
			}
			return datasets.AsSource(mesh.Open(path, labels))
		},
	}
}
