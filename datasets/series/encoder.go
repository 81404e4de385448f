package series

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/fileio"
)

// Kind returns "paths".
func (s *Set) Kind() string { return "paths" }

// Describe names the classes or the value to learn, and the column of tracks that has the classes.
func (s *Set) Describe() datasets.Info {
	info := s.Info
	if info.Label = ""; s.IDs != nil && !s.columns.Folders && s.Tasks == nil {
		info.Label = s.Label
	}
	if s.Label == "" {
		info.Classes, info.Tasks = nil, nil
	}
	return info
}

// Row returns the number of a path, and the name of a track. Numbers count from 0 in the order of the files,
// with paths, features and tracks that were left out.
func (s *Set) Row(g int) []datasets.Field {
	row := []datasets.Field{{Name: "path", Column: "path", Value: s.number(g)}}
	if s.IDs != nil {
		row = append(row, datasets.Field{Name: "id", Column: cmp.Or(s.columns.ID, "id"), Value: s.IDs[g]})
	}
	return row
}

// number returns the number of path g in the files.
func (s *Set) number(g int) int {
	if s.numbers == nil {
		return g
	}
	return int(s.numbers[g])
}

// Settings returns the columns of tracks and the checksums of the test files.
func (s *Set) Settings() any {
	columns := s.columns
	columns.Task = datasets.Automatic // what came of it counts
	return struct {
		Columns  Columns
		Tests    []string
		Forecast *forecast `json:",omitempty"`
	}{columns, s.tests, s.forecast}
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

// Encoder returns an encoder fitted to the training part of the default split, which is all paths where there
// is one file. It is a [datasets.Refitter]. Its features are "integrals", or resampled paths with points
// evenly spaced by observation "number" or by "time", which is the default for tracks with times.
func (s *Set) Encoder(features string) (datasets.Encoder, error) {
	if features == "" && s.Time != "" {
		features = "time"
	}
	if features != "" && !slices.Contains([]string{"number", "time", "integrals"}, features) {
		return nil, fmt.Errorf("%s has no features %q: paths are resampled by number or time, or have "+
			"integrals", s.Name, features)
	}
	if s.forecast != nil && features == "number" {
		return nil, fmt.Errorf("%s: forecasts are made by time: paths cannot be resampled by number", s.Name)
	}
	e := encoder{Forecast: s.forecast, Header: s.Header,
		Chart: newChart(s.Collection, s.Header, s.Split.Train)}
	if features == "integrals" {
		e.Integrals = new(integrals)
	}
	e.ByTime = features == "time"
	if err := e.fit(s.Collection, s.Split.Train, nil); err != nil {
		return nil, err
	}
	return e, nil
}

// Refit returns the paths of each fold with chart, centers, scales, lengths and gaps of its own. The number
// of points stays, and so does whether there are channels for lengths and velocities.
func (e encoder) Refit(s datasets.Source, folds []datasets.Fold) (*datasets.Collection, error) {
	set, err := e.set(s)
	if err != nil {
		return nil, err
	}
	b := e.builder(set.Describe())
	for _, f := range folds {
		ids := slices.Concat(f.Train, f.Validation)
		own := e
		if e.Chart != nil {
			own.Chart = cmp.Or(newChart(set.Collection, e.Header, ids), e.Chart)
		}
		if err := own.fit(set.Collection, ids, &e.preparation); err != nil {
			return nil, err
		}
		ids = slices.Concat(append([][]int32{ids, f.Test}, f.Others...)...)
		part, err := set.Part(ids, 0, nil)
		if err != nil {
			return nil, err
		}
		if err := own.encode(b, part, ids); err != nil {
			return nil, err
		}
	}
	return b.Collection()
}

// fit finds numbers on paths in the chart, with points and channels like another preparation, unless it is
// nil.
func (e *encoder) fit(c *datasets.Collection, ids []int32, like *preparation) error {
	placed, err := e.place(c)
	switch {
	case err != nil:
		return err
	case len(ids) == 0:
		return fmt.Errorf("%q: no paths to prepare by", c.Name)
	case e.Integrals != nil:
		onSphere := e.Chart != nil && e.Forecast == nil
		e.Integrals = newIntegrals(placed, ids, onSphere, e.Header.hands())
	}
	e.preparation = *prepare(placed, ids, e.ByTime, e.Header.hands(), like)
	return nil
}

// NewEncoder returns an empty encoder, to read a saved one into.
func NewEncoder() datasets.Encoder { return new(encoder) }

// encoder makes collections of paths with equal numbers of points, or of features of each path.
type encoder struct {
	Forecast *forecast `json:"forecast,omitempty"` // whose history alone is read; nil: whole paths are
	Chart    *chart    `json:"chart,omitempty"`    // of paths on the Earth; nil in a plane
	preparation
	Integrals *integrals `json:"integrals,omitempty"` // what is made of paths in place of equally many points
	Header    Header     `json:"columns"`
}

// names returns what the coordinates are called that paths are given: those of the chart, if there is one.
func (e encoder) names() []string {
	switch {
	case e.Forecast != nil:
		return e.Header.changes(e.Chart)
	case e.Chart == nil:
		return e.Header.Coordinates
	}
	return slices.Concat([]string{"east", "north", "up"}, others(e.Chart, e.Header.Coordinates))
}

// place returns paths in the coordinates of the chart, or those of a forecast. It is an error if a path has
// no points, or no times where they are read.
func (e encoder) place(c *datasets.Collection) (*datasets.Collection, error) {
	for g := range c.Len() {
		if c.Count(0, g) == 0 {
			return nil, fmt.Errorf("%q: path %d has no points", c.Name, g)
		}
	}
	timed := e.ByTime || e.Forecast != nil || e.Integrals != nil && e.Integrals.Timed
	switch {
	case timed && c.Simplices[0].Width != 1:
		return nil, fmt.Errorf("%q: the paths have no times: name the column of times", c.Name)
	case c.Dim != len(e.Header.Coordinates):
		return c, nil
	case e.Forecast != nil:
		return e.Forecast.local(c, e.Chart)
	case e.Chart == nil:
		return c, nil
	}
	return e.Chart.apply(c)
}

// Check returns an error for an encoder that does not fit its columns.
func (e encoder) Check() error {
	given := len(e.Header.Coordinates)
	if len(e.Header.Units) != given {
		return fmt.Errorf("%d units of %d coordinates", len(e.Header.Units), given)
	}
	if c := e.Chart; c != nil && (min(c.Lon, c.Lat) < 0 || max(c.Lon, c.Lat) >= given || c.Lon == c.Lat) {
		return fmt.Errorf("longitude %d and latitude %d of %d coordinates", c.Lon, c.Lat, given)
	}
	hands := e.Header.hands()
	if hands > 0 && hands >= given || e.preparation.Hands != hands ||
		e.Integrals != nil && e.Integrals.Hands != hands {
		return fmt.Errorf("the hands of a clock of %d periods among %d coordinates", len(e.Header.Clock),
			given)
	}
	if e.Forecast != nil {
		if err := e.Forecast.check(); err != nil {
			return err
		}
	}
	n := len(e.names())
	if err := e.preparation.check(n); err != nil || e.Integrals == nil {
		return err
	}
	return e.Integrals.check(n)
}

// Encode returns the prepared paths. It is an error if they have other columns, units or no times.
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
	b := e.builder(c.Info)
	if err := e.encode(b, c, c.IDs()); err != nil {
		return nil, err
	}
	return b.Collection()
}

// builder returns one of collections of prepared paths.
func (e encoder) builder(info datasets.Info) *datasets.Builder {
	dim := e.preparation.channels()
	switch {
	case e.Integrals != nil:
		dim = len(e.Integrals.Center)
		info.Features += ", integrals"
	case e.ByTime:
		info.Features += ", evenly in time"
	}
	b := datasets.NewBuilder(dim)
	b.Info = info
	return b
}

// encode adds prepared paths, whose numbers among all are ids.
func (e encoder) encode(b *datasets.Builder, c *datasets.Collection, ids []int32) error {
	placed, err := e.place(c)
	switch {
	case err != nil:
		return err
	case placed.Dim != len(e.Mean):
		return fmt.Errorf("%q has %d coordinates: the model is for %d", c.Name, placed.Dim, len(e.Mean))
	case e.Integrals != nil:
		e.Integrals.apply(b, placed, ids)
	default:
		e.preparation.apply(b, placed)
	}
	return nil
}

// Compare reports paths with observations far outside the paths that the encoder was fitted to.
func (e encoder) Compare(s datasets.Source) (n datasets.Novelty, err error) {
	set, err := e.set(s)
	if err != nil {
		return n, err
	}
	placed, err := e.place(set.Collection)
	if err != nil {
		return n, err
	}
	names := e.names()
	n.Far = make([]*datasets.Far, set.Len())
	var far []string
	for g := range n.Far {
		channel, deviations := e.far(placed, g)
		if deviations == 0 {
			continue
		}
		n.Far[g] = &datasets.Far{Column: names[channel], Deviations: deviations}
		name := fmt.Sprintf("path %d", set.number(g))
		if set.IDs != nil && set.IDs[g] != "" {
			name += " (" + fileio.Printable(set.IDs[g]) + ")"
		}
		far = append(far, fmt.Sprintf("%s: %s by %.3g", name, fileio.Printable(n.Far[g].Column),
			deviations))
	}
	if len(far) > 0 {
		n.Notes = append(n.Notes, fmt.Sprintf("%d of %d paths lie far outside of the paths in training, "+
			"in standard deviations from their mean: %s", len(far), set.Len(), fileio.List(far)))
	}
	if e.Forecast == nil {
		return n, nil
	}
	if short := e.Forecast.short(set.Collection); short > 0 {
		n.Notes = append(n.Notes, fmt.Sprintf("%d of %d paths are shorter than the time of %g that a "+
			"forecast is made by: they are taken to have stayed where they begin before", short, set.Len(),
			e.Forecast.History))
	}
	return n, nil
}

// set returns the paths that a source is. It is an error if they have other columns.
func (e encoder) set(s datasets.Source) (*Set, error) {
	set, ok := s.(*Set)
	if !ok {
		return nil, errors.New("another kind of data: want time series or tracks")
	}
	if err := e.Header.takes(set.Header); err != nil {
		return nil, fmt.Errorf("%s has other columns than the model was trained on: %w", set.Name, err)
	}
	switch f := e.Forecast; {
	case f == nil:
	case set.forecast == nil && set.Label != "":
		return nil, fmt.Errorf("%s: the model forecasts places: leave the label out", set.Name)
	case set.forecast != nil && *set.forecast != *f:
		return nil, fmt.Errorf("%s: pieces for a forecast by %g after %g: the model makes one by %g after %g",
			set.Name, set.forecast.Ahead, set.forecast.History, f.Ahead, f.History)
	}
	return set, nil
}
