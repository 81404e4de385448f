package main

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// pathFile is a file of time series or of tracks described by flags.
type pathFile struct {
	ts, tracks, test string // paths, or ""
	columns          series.Columns
	x, y             string // columns, or ""
	lon, lat         string // columns in degrees, in place of x and y, or ""
	spacing          string // one of spacings, of paths that are resampled; "" for time where there are times
}

// spacings are what points of resampled paths can be evenly spaced in.
var spacings = []string{"number", "time"}

// add gives cmd the flags for paths but those that it shares with molecules.
func (f *pathFile) add(cmd *cobra.Command) {
	addText(cmd, &f.ts, "ts", "FILE", "time series in the .ts `FILE` format of the UCR and UEA archives")
	addText(cmd, &f.tracks, "tracks", "PATH",
		"tracks: .gpx, .geojson, CSV with a row for every observation, "+
			"or a folder of .gpx and .geojson files or a quoted pattern of them")
	addText(cmd, &f.x, "x", "COLUMN", "of tracks: the first coordinate (.gpx, .geojson: default lon)")
	addText(cmd, &f.y, "y", "COLUMN", "of tracks: the second coordinate (.gpx, .geojson: default lat)")
	addText(cmd, &f.lon, "lon", "COLUMN", "of a table of tracks: the longitude in degrees, in place of --x",
		f.complete)
	addText(cmd, &f.lat, "lat", "COLUMN", "of a table of tracks: the latitude in degrees, in place of --y",
		f.complete)
	cmd.Flags().StringSliceVar(&f.columns.Coordinates, "coordinates", nil,
		"of tracks: all `COLUMN`s of coordinates, in place of --x and --y")
	completeList(cmd, "coordinates", f.names)
	addText(cmd, &f.columns.Time, "t", "COLUMN",
		"of tracks: the time, a number or a date: the clock of velocities, gaps and durations")
}

// complete completes the name of a column of a table of tracks.
func (f *pathFile) complete(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return f.names(), cobra.ShellCompDirectiveNoFileComp
}

// names returns the names of the columns of a table of tracks.
func (f *pathFile) names() []string {
	if !f.table() {
		return nil
	}
	return columnNames(f.tracks, f.columns.Separator)
}

// table reports whether tracks are in a table.
func (f *pathFile) table() bool { return f.tracks != "" && series.Tabular(f.tracks) }

// trackFlags are those that describe tracks.
var trackFlags = []string{"id", "x", "y", "lon", "lat", "coordinates", "t", "label", "separator"}

// check puts the coordinates together. It is an error if a table is not described.
func (f *pathFile) check() error {
	if f.tracks == "" {
		return nil
	}
	if len(f.columns.Coordinates) > 0 && f.x+f.y != "" {
		return errors.New("--coordinates and --x or --y: give one of them")
	}
	if err := f.checkNames(); err != nil {
		return err
	}
	for _, name := range []string{f.x, f.y} {
		if name != "" && !slices.Contains(f.columns.Coordinates, name) {
			f.columns.Coordinates = append(f.columns.Coordinates, name)
		}
	}
	if f.table() && (f.columns.ID == "" || len(f.columns.Coordinates) == 0) {
		return fmt.Errorf("%s: a table needs --id, and --x and --y or --coordinates", f.tracks)
	}
	if f.table() && f.spacing == "time" && f.columns.Time == "" {
		return fmt.Errorf("%s: --resample time needs --t", f.tracks)
	}
	return nil
}

// checkNames puts longitude and latitude before the other coordinates, which have names of their own.
func (f *pathFile) checkNames() error {
	for i, name := range f.columns.Coordinates {
		if name == "" || slices.Contains(f.columns.Coordinates[:i], name) {
			return fmt.Errorf("--coordinates: column %d is %q: give the name of each once", i+1, name)
		}
	}
	if (f.lon == "") != (f.lat == "") {
		return errors.New("--lon and --lat: give both")
	}
	if f.lon == "" {
		return nil
	}
	f.columns.Longitude, f.columns.Latitude = f.lon, f.lat
	others := slices.DeleteFunc(f.columns.Coordinates,
		func(name string) bool { return name == f.lon || name == f.lat })
	f.columns.Coordinates = append([]string{f.lon, f.lat}, others...)
	return nil
}

// file returns the file that there is, or "".
func (f *pathFile) file() string { return f.ts + f.tracks }

// openPaths reads paths, and tells what they are.
func (a *app) openPaths(f *pathFile) (*series.Set, error) {
	var test []string
	if f.test != "" {
		test = []string{f.test}
	}
	var set *series.Set
	var err error
	end := a.during("reading " + f.file())
	if f.ts != "" {
		set, err = series.OpenTS(f.ts, test...)
	} else {
		set, err = series.OpenTracks(f.columns, f.tracks, test...)
	}
	end()
	if err != nil {
		return nil, err
	}
	a.tellPaths(set)
	return set, nil
}

// tellPaths says what was read, what was made of it, and what was left out.
func (a *app) tellPaths(set *series.Set) {
	shortest, longest := math.MaxInt, 0
	for g := range set.Len() {
		shortest, longest = min(shortest, set.Count(0, g)), max(longest, set.Count(0, g))
	}
	fmt.Fprintf(a.stderr, "nkf: %s: %s of %d to %d points, coordinates %s\n", datasets.Printable(set.Name),
		english.Plural(set.Len(), "path", ""), shortest, longest, datasets.Printable(set.Features))
	for _, note := range []struct {
		count     int
		one, many string
		then      string
	}{
		{set.Filled, "value is", "values are", "missing and interpolated"},
		{set.Unlabeled, "path", "", "without a label left out"},
		{set.Skipped, "feature or track", "features or tracks", "without a line left out"},
		{set.Crossing, "track crosses", "tracks cross", "the date line, over which longitudes run on"},
	} {
		if note.count > 0 {
			fmt.Fprintf(a.stderr, "nkf: %s: %s %s\n", datasets.Printable(set.Name),
				english.Plural(note.count, note.one, note.many), note.then)
		}
	}
}

// pathsInput gives the command the flags of time series and tracks.
func (a *app) pathsInput(q *request) input {
	f := &pathFile{}
	f.add(q.cmd)
	q.files = append(q.files, f.names)
	addText(q.cmd, &q.id, "id", "COLUMN", q.idHelp(), q.complete)
	in := input{kind: "paths", path: f.file}
	if q.run == nil {
		in.ways = []way{{flag: "ts", takes: []string{"no-score"}}, {flag: "tracks", takes: trackFlags}}
	} else {
		takes := []string{"test", "split", "resample"}
		in.ways = []way{{flag: "ts", takes: takes},
			{flag: "tracks", takes: slices.Concat(trackFlags, takes, []string{"task"})}}
		addChoice(q.cmd, &f.spacing, "resample", "of paths that networks take: what their points are "+
			"evenly spaced in, time (the usual one of tracks with --t) or the number of the observation",
			spacings)
		addText(q.cmd, &f.test, "test", "FILE", "of paths: `FILE` of the same format to test with; of "+
			"tracks a folder or pattern, too")
	}
	in.check = func() error {
		f.columns.ID, f.columns.Separator, f.columns.Task = q.id, q.separator, q.task
		if q.run != nil {
			if err := f.checkTraining(q); err != nil {
				return err
			}
		} else if len(q.labels) > 0 {
			f.columns.Label = q.labels[0]
		}
		return f.check()
	}
	in.open = func(trained *models.Saved) (datasets.Source, error) {
		if trained == nil {
			return datasets.AsSource(a.trainingPaths(f))
		}
		f.columns.Task = datasets.Classification
		if trained.Tasks != nil {
			f.columns.Task = datasets.Regression
		}
		return datasets.AsSource(a.openPaths(f))
	}
	return in
}

// idHelp describes --id.
func (q *request) idHelp() string {
	if q.run == nil {
		return "`COLUMN` that says what molecules and tracks are called, to be repeated"
	}
	return "of tracks: `COLUMN` that says which one a row belongs to"
}

// checkTraining reads what is to be learned of tracks.
func (f *pathFile) checkTraining(q *request) error {
	f.columns.Folders = !q.cmd.Flags().Changed("label") && series.Several(f.tracks)
	if f.columns.Folders && q.task == datasets.Regression {
		return errors.New("--task regression needs --label: folders are classes")
	}
	if f.tracks != "" && !f.columns.Folders {
		if !q.cmd.Flags().Changed("label") {
			return errors.New("--tracks needs --label, unless it is a folder with one for every class")
		}
		if err := q.checkLabels(); err != nil {
			return err
		}
		if len(q.labels) > 1 {
			return errors.New("--label: of tracks one column is learned")
		}
		f.columns.Label = q.labels[0]
	}
	if f.test != "" {
		q.run.Split = "default"
	}
	q.run.Features = f.spacing
	if f.tracks != "" && !q.cmd.Flags().Changed("model") {
		q.run.Model = "auto"
	}
	return nil
}

// trainingPaths reads the paths to be trained on.
func (a *app) trainingPaths(f *pathFile) (*series.Set, error) {
	set, err := a.openPaths(f)
	if err != nil {
		return nil, err
	}
	if set.Label == "" {
		return nil, fmt.Errorf("%s has no classes and no values to be learned: @classLabel or @targetLabel "+
			"says which", f.file())
	}
	for _, note := range []struct {
		is   bool
		text string
	}{
		{set.Degrees(), "places are on the sphere, in meters from the center of the Earth"},
		{set.IDs != nil && set.Time == "", "there are no times, so that speeds are not known (--t has " +
			"them): the clock of a track is its length"},
	} {
		if note.is {
			fmt.Fprintf(a.stderr, "nkf: %s: %s\n", datasets.Printable(set.Name), note.text)
		}
	}
	return set, nil
}
