package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// source is the data that a command for one kind of them, train or predict, is given by its argument.
type source struct {
	app *app
	cmd *cobra.Command
	run *experiments.Run // of train; nil of predict
	// read reads all data.
	read func(place string) (datasets.Source, error)
	// parts reads the data part by part, to predict them with a model, each with the share of the data that
	// have been read then. It returns notes on all. It is nil if data can only be read at once.
	parts func(place string, model *models.Saved, do predicting) (notes []string, err error)
}

// predicting predicts a part of the data, with the share of the data that have been read then.
type predicting = func(part datasets.Source, share float64) error

// kindCommands returns a command for each kind of data that can be given to one.
func kindCommands(command func(models.Kind) *cobra.Command) (all []*cobra.Command) {
	for _, k := range models.Kinds {
		if k.Place != "" {
			all = append(all, command(k))
		}
	}
	return all
}

// newSource gives a command the argument and the flags for data of a kind; run is that of train.
func newSource(a *app, cmd *cobra.Command, kind models.Kind, run *experiments.Run) *source {
	s := &source{app: a, cmd: cmd, run: run}
	s.read = kind.Open
	cmd.Args = cobra.ExactArgs(1)
	switch kind.Name {
	case "graphs":
		if s.parts = eachGraphs; run != nil {
			graphsFlag(cmd, &run.Features)
		}
	case "molecules":
		s.molecules()
	case "paths":
		s.paths()
	case "meshes":
		s.parts = eachMeshes
	}
	return s
}

// open reads the data.
func (s *source) open(place string) (datasets.Source, error) {
	defer s.app.during("reading "+place, readOf(place))()
	data, err := s.read(place)
	if err == nil {
		s.app.notes(data)
	}
	return data, err
}

// each calls do with the data to predict, in parts if they can be read so, and with the share of the whole
// that is done with a number of complexes of a part.
func (s *source) each(place string, model *models.Saved, line *progress,
	do func(data datasets.Source, share func(done int) float64) error) error {
	line.begin("reading "+place, readOf(place))
	if s.parts == nil {
		data, err := s.read(place)
		if err != nil {
			return err
		}
		line.begin("predicting", nil)
		s.app.notes(data)
		return do(data, func(done int) float64 { return float64(done) / float64(data.Len()) })
	}
	before, name := 0.0, ""
	notes, err := s.parts(place, model, func(data datasets.Source, share float64) error {
		if name == "" {
			line.begin("predicting", nil)
		}
		name = data.Describe().Name
		part := (share - before) / float64(data.Len())
		from := before
		before = share
		return do(data, func(done int) float64 { return from + part*float64(done) })
	})
	for _, note := range notes {
		s.app.note(name, "%s", note)
	}
	return err
}

// molecules makes the data a table of molecules.
func (s *source) molecules() {
	columns := &moleculenet.Columns{}
	s.read = func(path string) (datasets.Source, error) {
		m, err := s.readMolecules(path, *columns)
		if err != nil {
			return nil, err
		}
		s.app.noteTask(m, columns.Task)
		return m, nil
	}
	s.column(&columns.SMILES, "smiles", "`COLUMN` with the SMILES")
	must(s.cmd.MarkFlagRequired("smiles"))
	if s.run == nil {
		s.parts = func(path string, _ *models.Saved, do predicting) ([]string, error) {
			return s.eachMolecules(path, *columns, do)
		}
		s.column(&columns.ID, "id", "`COLUMN` with names of molecules, repeated in the output")
		return
	}
	s.columns(&columns.Labels, "label",
		"`COLUMN`s to learn: one of classes, several of 0 and 1, or numbers; gaps are allowed")
	must(s.cmd.MarkFlagRequired("label"))
	atomsFlag(s.cmd, &s.run.Features)
	s.learning(&columns.Task)
}

// readMolecules reads molecules from a file, or from standard input.
func (s *source) readMolecules(path string, columns moleculenet.Columns) (*moleculenet.Molecules, error) {
	if path != "-" {
		return moleculenet.Open(path, columns)
	}
	m, err := moleculenet.Read(s.app.stdin, "standard input", columns)
	if err == nil {
		m.Name = "stdin"
	}
	return m, err
}

// eachMolecules reads molecules in parts from a file, or from standard input.
func (s *source) eachMolecules(path string, columns moleculenet.Columns, do predicting) ([]string, error) {
	in, label, name := s.app.stdin, "standard input", "stdin"
	if path != "-" {
		file, err := fileio.Open(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in, label, name = file, path, strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	}
	read := readOf(path)
	return moleculenet.Each(in, label, columns, func(m *moleculenet.Molecules) error {
		m.Name = fileio.Printable(name)
		return do(m, read())
	})
}

// eachGraphs reads the graphs of a data set in parts.
func eachGraphs(place string, _ *models.Saved, do predicting) ([]string, error) {
	return tu.Each(place, func(a *tu.Archive, share float64) error { return do(a, share) })
}

// eachMeshes reads the meshes of a folder in parts.
func eachMeshes(place string, _ *models.Saved, do predicting) ([]string, error) {
	read := readOf(place)
	return mesh.Each(place, func(s *mesh.Set) error { return do(s, read()) })
}

// paths makes the data time series or a table of paths.
func (s *source) paths() {
	columns, test := &series.Columns{}, new(string)
	s.read = func(path string) (datasets.Source, error) { return s.readPaths(path, *test, *columns) }
	s.cmd.Args = cobra.MatchAll(s.cmd.Args, s.pathColumns)
	s.columns(&columns.Coordinates, "coordinates", "of a table: `COLUMN`s of the coordinates")
	s.column(&columns.ID, "id", "of a table: `COLUMN` with the name of the path")
	s.column(&columns.Order, "order", "of a table: `COLUMN` of numbers, such as times, that order the points")
	if s.run == nil {
		s.parts = func(path string, model *models.Saved, do predicting) ([]string, error) {
			return eachPaths(path, *columns, model, do)
		}
		s.column(&columns.Label, "label", "of a table: `COLUMN` of classes or numbers to compare with")
		s.cmd.MarkFlagsMutuallyExclusive("label", "no-score")
		return
	}
	s.column(&columns.Label, "label", "of a table: `COLUMN` of classes or numbers to learn")
	s.learning(&columns.Task)
	addText(s.cmd, test, "test", "FILE", "`FILE` with test data, in place of a cross-validation")
	s.cmd.MarkFlagsMutuallyExclusive("test", "split")
	s.cmd.MarkFlagsMutuallyExclusive("test", "folds")
}

// isTable reports whether a file of paths is a table: time series are files that end in .ts.
func isTable(path string) bool {
	return !strings.EqualFold(filepath.Ext(strings.TrimSuffix(path, ".gz")), ".ts")
}

// pathColumns returns an error unless a table has the flags that it needs, and time series none of these.
func (s *source) pathColumns(_ *cobra.Command, args []string) error {
	table := isTable(args[0])
	for _, name := range []string{"id", "coordinates", "label", "order", "task"} {
		given := s.cmd.Flags().Changed(name)
		switch needed := name == "id" || name == "coordinates" || name == "label" && s.run != nil; {
		case table && needed && !given:
			return fmt.Errorf("%s does not end in .ts and is a table: --%s is missing", args[0], name)
		case !table && given:
			return fmt.Errorf("%s ends in .ts and has time series: --%s is for tables", args[0], name)
		}
	}
	return nil
}

// readPaths reads time series or a table of paths, with test data if they are given.
func (s *source) readPaths(path, test string, columns series.Columns) (_ datasets.Source, err error) {
	var others []string
	if test != "" {
		s.run.Split, others = "default", []string{test}
	}
	var set *series.Set
	if isTable(path) {
		set, err = series.OpenTable(columns, path, others...)
	} else {
		set, err = series.OpenTS(path, others...)
	}
	if err == nil && set.Label == "" {
		err = fmt.Errorf("%s has no classes and no values to learn: @classLabel or @targetLabel declares "+
			"them", path)
	}
	if err != nil {
		return nil, err
	}
	return set, nil
}

// eachPaths reads time series or a table of paths in parts.
func eachPaths(path string, columns series.Columns, model *models.Saved, do predicting) ([]string, error) {
	part := func(s *series.Set, share float64) error { return do(s, share) }
	if !isTable(path) {
		return series.EachTS(path, part)
	}
	if columns.Task = datasets.Classification; model.Tasks != nil {
		columns.Task = datasets.Regression
	}
	return series.EachTable(columns, path, part)
}

// learning gives a training on a table the flags that say what is learned, and how the data are split.
func (s *source) learning(task *datasets.Task) {
	tasks := []string{
		datasets.Automatic.String(), datasets.Classification.String(), datasets.Regression.String(),
	}
	addFlag(s.cmd, task, "task", "NAME", strings.Join(tasks, ", "), datasets.ParseTask, tasks...)
	addChoice(s.cmd, &s.run.Split, "split", strings.Join(experiments.Splits, ", "), experiments.Splits)
}

// column gives the command a flag that names a column of a table.
func (s *source) column(to *string, flag, usage string) {
	addText(s.cmd, to, flag, "COLUMN", usage)
	must(s.cmd.RegisterFlagCompletionFunc(flag, columnNames))
}

// columns gives the command a flag that names columns of a table, each once.
func (s *source) columns(to *[]string, flag, usage string) {
	set := func(text string) error {
		names, err := csv.NewReader(strings.NewReader(text)).Read()
		if err != nil {
			return err
		}
		for _, name := range names {
			if slices.Contains(*to, name) {
				return fmt.Errorf("names the column %q twice", name)
			}
			*to = append(*to, name)
		}
		return nil
	}
	s.cmd.Flags().Var(&flagValue{"COLUMNS", "", set}, flag, usage)
	must(s.cmd.RegisterFlagCompletionFunc(flag, columnNames))
}

// columnNames completes the names of columns of the table that a command is given, if it can be read at once;
// they are those that are printable.
func columnNames(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []string
	for _, path := range args {
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if file, err := os.Open(path); err == nil {
			names, _ = moleculenet.ColumnNames(file, path, 0)
			_ = file.Close() // it was only read
		}
	}
	unprintable := func(name string) bool { return fileio.Printable(name) != name }
	return slices.DeleteFunc(names, unprintable), cobra.ShellCompDirectiveNoFileComp
}

// graphsFlag gives a command the flag --features of graphs.
func graphsFlag(cmd *cobra.Command, features *string) {
	*features = tu.Automatic.String()
	addFlag(cmd, features, "features", "NAMES", featuresHelp, parseGraphs, graphFeatures...)
}

// featuresHelp describes --features of graphs, and graphFeatures are some.
const featuresHelp = "automatic, or attributes, labels and degree joined by +"

var graphFeatures = []string{
	tu.Automatic.String(), tu.Attributes.String(), tu.Labels.String(), tu.Degree.String(),
	(tu.Attributes | tu.Labels).String(),
}

// parseGraphs reads features of graphs.
func parseGraphs(text string) (string, error) {
	var f tu.Features
	err := f.UnmarshalText([]byte(text))
	return f.String(), err
}

// atomsFlag gives a command the flag --features of molecules.
func atomsFlag(cmd *cobra.Command, features *string) {
	atoms := []string{string(moleculenet.Numbers), string(moleculenet.OneHot)}
	addFlag(cmd, features, "features", "NAME", "atoms: numbers (the nine features unchanged) or one-hot "+
		"(default numbers; for cochain networks one-hot)", oneOf(atoms), atoms...)
}
