package series

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/neuralkforms/nkf/datasets"
)

// Kind returns "paths".
func (s *Set) Kind() string { return "paths" }

// Describe names the classes or the value to be learned, and the column of tracks that has the classes.
func (s *Set) Describe() datasets.Info {
	info := s.Info
	if info.Label = ""; s.IDs != nil && !s.Columns.Folders && s.Tasks == nil {
		info.Label = s.Label
	}
	if s.Label == "" {
		info.Classes, info.Tasks = nil, nil
	}
	return info
}

// Row returns the number of a path, from 0, in the order of the file, and what a track is called.
func (s *Set) Row(g int) []datasets.Field {
	row := []datasets.Field{{Name: "path", Column: "path", Value: g}}
	if s.IDs != nil {
		row = append(row, datasets.Field{Name: "id", Column: cmp.Or(s.Columns.ID, "id"), Value: s.IDs[g]})
	}
	return row
}

// Settings returns the columns of tracks and the checksums of the test files.
func (s *Set) Settings() any {
	columns := s.Columns
	columns.Task = datasets.Automatic // what came of it counts
	return struct {
		Columns Columns
		Tests   []string
	}{columns, s.Tests}
}

// Fold returns the default split for the name "default": the training file and the test file.
func (s *Set) Fold(name string) (datasets.Fold, bool, error) {
	if name != "default" {
		return datasets.Fold{}, false, nil
	}
	if len(s.Split.Test) == 0 {
		return datasets.Fold{}, true, errors.New("the default split is one of data sets with a training " +
			"and a test file")
	}
	return s.Split, true, nil
}

// Encoder returns an [Encoder] found on the training part of the default split. Its features are what the
// points of a resampled path are evenly spaced in: "number", of the observation, which is the usual one, or
// "time".
func (s *Set) Encoder(features string) (datasets.Encoder, error) {
	prepare := Prepare
	switch features {
	case "", "number":
	case "time":
		prepare = PrepareByTime
	default:
		return nil, fmt.Errorf("%s has no features %q: paths are resampled by number or time", s.Name,
			features)
	}
	p, err := prepare(s.Collection, s.Split.Train)
	if err != nil {
		return nil, err
	}
	return Encoder{Preparation: *p, Header: s.Header}, nil
}

// Encoder makes collections of paths of equally many points.
type Encoder struct {
	Preparation
	Header Header `json:"columns"`
}

// Check returns an error for a preparation that cannot have been found on paths with such columns.
func (e Encoder) Check() error {
	if err := e.Preparation.Check(); err != nil {
		return err
	}
	if n := len(e.Mean); len(e.Header.Coordinates) != n || len(e.Header.Units) != n {
		return fmt.Errorf("%d names and %d units of %d coordinates", len(e.Header.Coordinates),
			len(e.Header.Units), n)
	}
	return nil
}

// Encode returns the prepared paths. It is an error if they have other columns, units or no times.
func (e Encoder) Encode(s datasets.Source) (*datasets.Collection, error) {
	set, err := e.set(s)
	if err != nil {
		return nil, err
	}
	c := *set.Collection
	c.Info = set.Describe()
	return e.Apply(&c)
}

// Compare reports paths with observations far outside of what the preparation was found on, see
// [Preparation.Far].
func (e Encoder) Compare(s datasets.Source) (n datasets.Novelty, err error) {
	set, err := e.set(s)
	if err != nil {
		return n, err
	}
	n.Far = make([]*datasets.Far, set.Len())
	var far []string
	for g := range n.Far {
		channel, deviations := e.Far(set.Collection, g)
		if deviations == 0 {
			continue
		}
		n.Far[g] = &datasets.Far{Column: e.Header.Coordinates[channel], Deviations: deviations}
		name := fmt.Sprintf("path %d", g)
		if set.IDs != nil && set.IDs[g] != "" {
			name += " (" + datasets.Printable(set.IDs[g]) + ")"
		}
		far = append(far, fmt.Sprintf("%s: %s by %.3g", name, datasets.Printable(n.Far[g].Column),
			deviations))
	}
	if len(far) > 0 {
		n.Notes = append(n.Notes, fmt.Sprintf("%d of %d paths lie far outside of the paths in training, "+
			"in standard deviations from their mean: %s", len(far), set.Len(), datasets.List(far)))
	}
	return n, nil
}

// set returns the paths that a source is. It is an error if they have other columns.
func (e Encoder) set(s datasets.Source) (*Set, error) {
	set, ok := s.(*Set)
	if !ok {
		return nil, errors.New("another kind of data: want time series or tracks")
	}
	if err := e.Header.Takes(set.Header); err != nil {
		return nil, fmt.Errorf("%s has other columns than the model was trained on: %w", set.Name, err)
	}
	return set, nil
}
