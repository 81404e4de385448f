package main

import (
	"errors"
	"fmt"
	"slices"
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

// addMolecules adds molecules.
func (s *source) addMolecules(needs, takes string) {
	s.add(way{flag: "csv", kind: "molecules", open: s.openMolecules}, "FILE",
		"`FILE` of molecules whose first line names the columns; - is standard input", needs, takes)
	s.column(&s.smiles, "smiles", "`COLUMN` with the SMILES")
	s.addSeparator()
}

// openMolecules reads molecules from a file, or from standard input.
func (s *source) openMolecules(path string, model *models.Saved) (_ datasets.Source, err error) {
	columns := moleculenet.Columns{SMILES: s.smiles, ID: s.id, Labels: s.labels, Task: s.task,
		Separator: s.separator}
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

// trackFlags are those that describe tracks.
const trackFlags = "id x y lon lat coordinates t label separator "

// addPaths adds time series and tracks; the usual kinds of flags take these.
func (s *source) addPaths(ts, tracks string) {
	s.add(way{flag: "ts", kind: "paths", open: s.openSeries}, "FILE",
		"time series in the .ts `FILE` format of the UCR and UEA archives", "", ts)
	s.add(way{flag: "tracks", kind: "paths", open: s.openTracks, check: s.checkTracks}, "PATH",
		"tracks: .gpx, .geojson, CSV with a row per observation, or a folder of .gpx and .geojson files "+
			"or a quoted pattern of them", "", trackFlags+tracks)
	s.column(&s.x, "x", "tracks: the first coordinate (.gpx, .geojson: default lon)")
	s.column(&s.y, "y", "tracks: the second coordinate (.gpx, .geojson: default lat)")
	s.column(&s.lon, "lon", "table of tracks: the longitude in degrees, in place of --x")
	s.column(&s.lat, "lat", "table of tracks: the latitude in degrees, in place of --y")
	s.column(&s.time, "t", "tracks: the time, as numbers or dates; velocities and durations use it")
	s.columns(&s.coordinates, "coordinates", "tracks: all `COLUMN`s of coordinates, in place of --x "+
		"and --y")
}

// addClock adds the flag for the absolute time of tracks.
func (s *source) addClock() {
	addList(s.cmd, &s.clock, "clock", "PERIODS", "tracks: models know the absolute time --t by its place in "+
		"these periods: day and year of dates, in UTC, or numbers in the unit of the times", nil,
		period, "day", "year")
}

// period reads a period of a clock.
func period(text string) (string, error) {
	if name, err := oneOf([]string{"day", "year"})(text); err == nil {
		return name, nil
	}
	_, err := positive("take day, year, or a positive number in the unit of the times")(text)
	return text, err
}

// addForecasts adds the flags for forecasts of tracks.
func (s *source) addForecasts() {
	time := positive("take a positive number, in the unit of the times: seconds of dates")
	addFlag(s.cmd, &s.ahead, "forecast", "TIME", "tracks, in place of --label: learn the displacement in "+
		"this `TIME` after the last observation, in the unit of --t, seconds of dates", time)
	addFlag(s.cmd, &s.history, "history", "TIME", "with --forecast: the `TIME` before the last observation "+
		"that the model sees (default three times that of --forecast)", time)
}

// checkTracks returns an error if a table is not described, or if there is nothing to learn.
func (s *source) checkTracks() error {
	path := s.given().path
	if s.run != nil {
		if err := s.checkLearning(path); err != nil {
			return err
		}
	}
	if err := s.join(); err != nil {
		return err
	}
	table := series.Tabular(path)
	if table && (s.id == "" || s.coordinates == nil) {
		return fmt.Errorf("%s: a table needs --id, and --x and --y or --coordinates", path)
	}
	if table && s.spacing == "time" && s.time == "" {
		return fmt.Errorf("%s: --resample time needs --t", path)
	}
	if table && s.clock != nil && s.time == "" {
		return fmt.Errorf("%s: --clock needs --t", path)
	}
	return nil
}

// join puts the coordinates together, those in degrees first.
func (s *source) join() error {
	if len(s.coordinates) > 0 {
		if s.x+s.y != "" {
			return errors.New("--coordinates and --x or --y: give one of them")
		}
		if err := distinct("coordinates", s.coordinates); err != nil {
			return err
		}
	}
	if (s.lon == "") != (s.lat == "") {
		return errors.New("--lon and --lat: give both")
	}
	names := slices.Concat([]string{s.lon, s.lat}, s.coordinates, []string{s.x, s.y})
	s.coordinates = nil
	for _, name := range names {
		if name != "" && !slices.Contains(s.coordinates, name) {
			s.coordinates = append(s.coordinates, name)
		}
	}
	return nil
}

// checkLearning checks what is to be learned of tracks.
func (s *source) checkLearning(path string) error {
	s.folders = !s.changed("label") && s.ahead == 0 && series.Several(path)
	if !s.changed("model") {
		s.run.Model = map[bool]string{true: "points-ridge", false: "auto"}[s.ahead > 0]
	}
	switch {
	case s.history > 0 && s.ahead == 0:
		return errors.New("--history goes with --forecast")
	case s.ahead > 0 && series.Tabular(path) && s.time == "":
		return errors.New("--forecast needs --t")
	case s.ahead > 0:
	case s.folders && s.task == datasets.Regression:
		return errors.New("--task regression needs --label: folders are classes")
	case !s.folders && !s.changed("label"):
		return errors.New("--tracks needs --label or --forecast, unless it is a folder with one for every " +
			"class")
	case len(s.labels) > 1:
		return errors.New("--label: of tracks one column is learned")
	}
	return nil
}

// openSeries reads time series.
func (s *source) openSeries(path string, _ *models.Saved) (datasets.Source, error) {
	first, others := s.parts(path)
	return s.paths(series.OpenTS(first, others...))
}

// openTracks reads tracks.
func (s *source) openTracks(path string, model *models.Saved) (datasets.Source, error) {
	columns := series.Columns{ID: s.id, Coordinates: s.coordinates, Longitude: s.lon, Latitude: s.lat,
		Time: s.time, Clock: s.clock, Folders: s.folders, Task: s.task, Separator: s.separator}
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
	return s.paths(series.OpenTracks(columns, first, others...))
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

// paths returns paths that were read, or pieces of them to forecast. It is an error if they are to be learned
// from and have nothing to learn.
func (s *source) paths(set *series.Set, err error) (datasets.Source, error) {
	if err != nil {
		return nil, err
	}
	if s.run == nil {
		return set, nil
	}
	if s.ahead > 0 {
		return s.app.forecasts(set, s.ahead, s.history)
	}
	if set.Label == "" {
		return nil, fmt.Errorf("%s has no classes and no values to learn: @classLabel or @targetLabel "+
			"declares them", s.given().path)
	}
	s.app.noteClock(set)
	return set, nil
}

// parseGraphs reads features of graphs.
func parseGraphs(text string) (string, error) {
	var f tu.Features
	err := f.UnmarshalText([]byte(text))
	return f.String(), err
}
