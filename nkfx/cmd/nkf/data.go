package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// way is one of the ways to give a command its data: a flag with a path, the flags that it needs, and those
// that go with it. Ways that share a flag, as tables do, are told apart by the first flag that each needs.
type way struct {
	flag         string
	kind         string // of the data, one of models.Kinds
	needs, takes []string
	// check checks the flags together; it may be nil.
	check func() error
	// open reads the data, for a model if there is one.
	open func(path string, model *models.Saved) (datasets.Source, error)
	path *string
}

// source is the data that flags of train or predict describe.
type source struct {
	app  *app
	cmd  *cobra.Command
	run  *experiments.Run // of train; nil of others
	ways []*way
	// Columns of tables.
	smiles, id, order   string
	labels, coordinates []string
	task                datasets.Task
	test                string // test data of paths
}

// newSource returns the data of a command, which has no flags for them yet.
func newSource(a *app, cmd *cobra.Command, run *experiments.Run) *source {
	s := &source{app: a, cmd: cmd, run: run}
	a.check(cmd, s.check)
	return s
}

// add adds a way; needs and takes are names of flags.
func (s *source) add(w way, kind, usage, needs, takes string) {
	w.needs, w.takes = strings.Fields(needs), strings.Fields(takes)
	if i := slices.IndexFunc(s.ways, func(other *way) bool { return other.flag == w.flag }); i >= 0 {
		w.path = s.ways[i].path
	} else {
		w.path = new(string)
		addText(s.cmd, w.path, w.flag, kind, usage)
	}
	s.ways = append(s.ways, &w)
}

// oneOf makes the ways exclude each other.
func (s *source) oneOf() {
	var names []string
	for _, w := range s.ways {
		if !slices.Contains(names, w.flag) {
			names = append(names, w.flag)
		}
	}
	s.cmd.MarkFlagsOneRequired(names...)
	s.cmd.MarkFlagsMutuallyExclusive(names...)
}

// given returns the way that was chosen: of several with its flag the one of which a flag was given, or the
// first.
func (s *source) given() (chosen *way) {
	for _, w := range s.ways {
		if *w.path != "" && (chosen == nil || s.changed(w.needs[0])) {
			chosen = w
		}
	}
	return chosen
}

// changed reports whether a flag was given.
func (s *source) changed(flag string) bool { return s.cmd.Flags().Changed(flag) }

// check returns an error unless the flags of the chosen way are there, and none of another.
func (s *source) check() error {
	chosen := s.given()
	if err := s.missing(chosen); err != nil {
		return err
	}
	for _, w := range s.ways {
		for _, name := range slices.Concat(w.needs, w.takes) {
			if s.changed(name) && !slices.Contains(slices.Concat(chosen.needs, chosen.takes), name) {
				if w.flag == chosen.flag {
					return fmt.Errorf("--%s with --%s takes no --%s", w.flag, chosen.needs[0], name)
				}
				return fmt.Errorf("--%s goes with --%s, not with --%s", name, w.flag, chosen.flag)
			}
		}
	}
	if s.changed("label") {
		if err := distinct("label", s.labels); err != nil {
			return err
		}
	}
	if s.run != nil {
		if err := s.prepare(chosen.kind); err != nil {
			return err
		}
	}
	if chosen.check != nil {
		return chosen.check()
	}
	return nil
}

// missing returns an error for a flag that the chosen way needs, with those of all ways that share its flag.
func (s *source) missing(chosen *way) error {
	var needs []string
	for _, w := range s.ways {
		if w.flag == chosen.flag && (w == chosen || !s.changed(chosen.needs[0])) {
			needs = append(needs, "--"+strings.Join(w.needs, " and --"))
		}
	}
	for _, name := range chosen.needs {
		if !s.changed(name) {
			return fmt.Errorf("--%s needs %s", chosen.flag, strings.Join(needs, ", or "))
		}
	}
	return nil
}

// distinct returns an error unless a flag names columns, each once.
func distinct(flag string, columns []string) error {
	for i, name := range columns {
		if slices.Contains(columns[:i], name) {
			return fmt.Errorf("--%s names the column %q twice", flag, name)
		}
	}
	if len(columns) == 0 || slices.Contains(columns, "") {
		return fmt.Errorf("--%s names no column", flag)
	}
	return nil
}

// prepare sets up a training on a kind of data.
func (s *source) prepare(kind string) error {
	k, err := models.KindOf(kind)
	if err != nil {
		return err
	}
	if !s.changed("model") {
		s.run.Model = k.Model
	}
	if !strings.HasPrefix(s.run.Split, "fold") && s.changed("folds") {
		return fmt.Errorf("--folds %d: the split %q has no folds", s.run.Folds, s.run.Split)
	}
	if s.test != "" {
		s.run.Split = "default"
	}
	f := s.run.Features
	if kind == "graphs" {
		if f, err = parseGraphs(f); err != nil {
			return fmt.Errorf("--features: %w", err)
		}
	} else if kind == "molecules" && f != "" && !slices.Contains(atomFeatures, f) {
		return fmt.Errorf("--features: no features %q: take %s", f, strings.Join(atomFeatures, " or "))
	}
	s.run.Features = f
	return nil
}

// open reads the data, for a model if there is one.
func (s *source) open(model *models.Saved) (datasets.Source, error) {
	w := s.given()
	defer s.app.during("reading " + *w.path)()
	data, err := w.open(*w.path, model)
	if err == nil {
		s.app.notes(data)
	}
	return data, err
}

// column gives the command a flag that names a column of a table.
func (s *source) column(to *string, flag, usage string) {
	addText(s.cmd, to, flag, "COLUMN", usage)
	must(s.cmd.RegisterFlagCompletionFunc(flag, s.names))
}

// columns gives the command a flag that names columns of a table.
func (s *source) columns(to *[]string, flag, usage string) {
	s.cmd.Flags().StringSliceVar(to, flag, nil, usage)
	must(s.cmd.RegisterFlagCompletionFunc(flag, s.names))
}

// names completes the names of columns of a table that can be read at once and are printable.
func (s *source) names(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []string
	for _, w := range s.ways {
		if info, err := os.Stat(*w.path); err != nil || !info.Mode().IsRegular() {
			continue
		}
		file, err := os.Open(*w.path)
		if err != nil {
			continue
		}
		defer file.Close()
		names, _ = moleculenet.ColumnNames(file, *w.path, 0)
	}
	unprintable := func(name string) bool { return fileio.Printable(name) != name }
	return slices.DeleteFunc(names, unprintable), cobra.ShellCompDirectiveNoFileComp
}
