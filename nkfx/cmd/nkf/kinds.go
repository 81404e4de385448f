package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// addPlain adds the kinds of data that a path describes.
func (s *source) addPlain(takes string) {
	for _, k := range models.Kinds {
		if k.Open == nil {
			continue
		}
		open := func(path string, _ *models.Saved) (datasets.Source, error) { return k.Open(path) }
		flag := strings.TrimPrefix(k.Flags, "--")
		s.add(way{flag: flag, kind: k.Name, open: open}, "PATH", k.Help, "", takes)
	}
}

// addMolecules adds tables of molecules.
func (s *source) addMolecules(needs, takes string) {
	s.add(way{flag: "csv", kind: "molecules", open: s.openMolecules}, "FILE",
		"table of molecules (- is standard input), or of paths with a row for each point", needs, takes)
	s.column(&s.smiles, "smiles", "molecules: `COLUMN` with the SMILES")
}

// openMolecules reads molecules from a file, or from standard input.
func (s *source) openMolecules(path string, model *models.Saved) (_ datasets.Source, err error) {
	columns := moleculenet.Columns{SMILES: s.smiles, ID: s.id, Labels: s.labels, Task: s.task}
	var m *moleculenet.Molecules
	if path != "-" {
		m, err = moleculenet.Open(path, columns)
	} else if m, err = moleculenet.Read(s.app.stdin, "standard input", columns); err == nil {
		m.Name = "stdin"
	}
	if err != nil {
		return nil, err
	}
	if model == nil {
		s.app.noteTask(m, s.task)
	}
	return m, nil
}

// addPaths adds time series and tables of paths, with the flags that these need and take.
func (s *source) addPaths(ts, needs, takes string) {
	s.add(way{flag: "ts", kind: "paths", open: s.openSeries}, "FILE",
		"time series in the .ts `FILE` format of the UCR and UEA archives", "", ts)
	s.add(way{flag: "csv", kind: "paths", open: s.openTable, check: s.checkTable}, "", "", needs, takes)
	s.columns(&s.coordinates, "coordinates", "paths: `COLUMN`s of the coordinates")
	s.column(&s.order, "order", "paths: `COLUMN` of numbers, such as times, that order the points of a path")
}

// checkTable returns an error for columns that a table of paths cannot have.
func (s *source) checkTable() error {
	if err := distinct("coordinates", s.coordinates); err != nil {
		return err
	}
	if len(s.labels) > 1 {
		return errors.New("--label: of paths one column is learned")
	}
	return nil
}

// openSeries reads time series.
func (s *source) openSeries(path string, _ *models.Saved) (datasets.Source, error) {
	first, others := s.parts(path)
	return s.learned(series.OpenTS(first, others...))
}

// openTable reads a table of paths.
func (s *source) openTable(path string, model *models.Saved) (datasets.Source, error) {
	columns := series.Columns{ID: s.id, Coordinates: s.coordinates, Order: s.order, Task: s.task}
	if len(s.labels) > 0 {
		columns.Label = s.labels[0]
	}
	if model != nil {
		columns.Task = datasets.Classification
		if model.Tasks != nil {
			columns.Task = datasets.Regression
		}
	}
	first, others := s.parts(path)
	return s.learned(series.OpenTable(columns, first, others...))
}

// parts returns the data to train on, "" for none, and other data.
func (s *source) parts(path string) (train string, others []string) {
	switch {
	case s.run == nil:
		return "", []string{path}
	case s.test != "":
		return path, []string{s.test}
	}
	return path, nil
}

// learned returns paths that were read. It is an error if they are to be learned from and have nothing to
// learn.
func (s *source) learned(set *series.Set, err error) (datasets.Source, error) {
	if err == nil && s.run != nil && set.Label == "" {
		err = fmt.Errorf("%s has no classes and no values to learn: @classLabel or @targetLabel "+
			"declares them", *s.given().path)
	}
	if err != nil {
		return nil, err
	}
	return set, nil
}

// parseGraphs reads features of graphs.
func parseGraphs(text string) (string, error) {
	var f tu.Features
	err := f.UnmarshalText([]byte(text))
	return f.String(), err
}
