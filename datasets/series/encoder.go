package series

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/fileio"
)

// Kind returns "paths".
func (s *Set) Kind() string { return "paths" }

// Describe names the classes or the value to learn, and the column of a table that has the classes.
func (s *Set) Describe() datasets.Info {
	info := s.Info
	if info.Label = ""; s.IDs != nil && s.Tasks == nil {
		info.Label = s.Label
	}
	if s.Label == "" {
		info.Classes, info.Tasks = nil, nil
	}
	return info
}

// Row returns the number of a path, and its name in a table. Numbers count from 0 in the order of the files,
// with paths that were left out.
func (s *Set) Row(g int) []datasets.Field {
	number := g
	if s.numbers != nil {
		number = int(s.numbers[g])
	}
	row := []datasets.Field{{Name: "path", Column: "path", Value: number}}
	if s.IDs != nil {
		row = append(row, datasets.Field{Name: "id", Column: cmp.Or(s.columns.ID, "id"), Value: s.IDs[g]})
	}
	return row
}

// Encoder returns an encoder that resamples all paths to the same number of points, the least of 9, 17, 33,
// 65 and 129 that the longest path does not exceed, else 129, evenly spaced in the number of the observation;
// and subtracts means and divides by standard deviations of the channels of the paths train, nil for all.
// Where paths have unequal lengths, one more channel has the length, from -1 to 1. It has no choice of
// features.
func (s *Set) Encoder(features string, train []int32) (datasets.Encoder, error) {
	if features != "" {
		return nil, fmt.Errorf("%s: paths have no choice of features: leave out %q", s.Name, features)
	}
	if train == nil {
		train = s.Collection.IDs()
	}
	if len(train) == 0 {
		return nil, fmt.Errorf("%q: no paths to prepare by", s.Name)
	}
	if err := points(s.Collection); err != nil {
		return nil, err
	}
	return encoder{prepare(s.Collection, train), s.Coordinates}, nil
}

// points returns an error if a path has no points.
func points(c *datasets.Collection) error {
	for g := range c.Len() {
		if c.Count(0, g) == 0 {
			return fmt.Errorf("%q: path %d has no points", c.Name, g)
		}
	}
	return nil
}

// NewEncoder returns an empty encoder, to read a saved one into.
func NewEncoder() datasets.Encoder { return new(encoder) }

// encoder makes collections of paths with equal numbers of points.
type encoder struct {
	preparation
	Coordinates []string `json:"coordinates"` // their names, in their order
}

// Check returns an error for an encoder that does not fit its columns.
func (e encoder) Check() error { return e.preparation.check(len(e.Coordinates)) }

// Encode returns the prepared paths. It is an error if they have other coordinates.
func (e encoder) Encode(s datasets.Source) (*datasets.Collection, error) {
	set, err := e.set(s)
	if err != nil {
		return nil, err
	}
	c := *set.Collection
	c.Info = set.Describe()
	return e.all(&c)
}

// all returns all paths of a collection, prepared.
func (e encoder) all(c *datasets.Collection) (*datasets.Collection, error) {
	if err := points(c); err != nil {
		return nil, err
	}
	if c.Dim != len(e.Mean) {
		return nil, fmt.Errorf("%q has %d coordinates: the model is for %d", c.Name, c.Dim, len(e.Mean))
	}
	b := datasets.NewBuilder(e.channels())
	b.Info = c.Info
	e.apply(b, c)
	return b.Collection()
}

// set returns the paths that a source is. It is an error if they have other columns.
func (e encoder) set(s datasets.Source) (*Set, error) {
	set, ok := s.(*Set)
	if !ok {
		return nil, errors.New("another kind of data: want paths")
	}
	if !slices.Equal(set.Coordinates, e.Coordinates) {
		list := func(names []string) string { return fileio.Printable(strings.Join(names, ", ")) }
		return nil, fmt.Errorf("%s has the coordinates %s in place of %s, in this order", set.Name,
			list(set.Coordinates), list(e.Coordinates))
	}
	return set, nil
}
