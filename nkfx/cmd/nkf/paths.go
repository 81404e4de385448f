package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// pathFile is a file of time series or of tracks described by flags.
type pathFile struct {
	ts, tracks, test string // paths, or ""
	columns          series.Columns
	x, y             string // columns, or ""
	spacing          string // one of spacings, of paths that are resampled
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
	cmd.Flags().StringSliceVar(&f.columns.Coordinates, "coordinates", nil,
		"of tracks: all `COLUMN`s of coordinates, in place of --x and --y")
	completeList(cmd, "coordinates", f.names)
	addText(cmd, &f.columns.Time, "t", "COLUMN",
		"of tracks: the time, a number or a date, by which observations are ordered and gaps are filled")
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
var trackFlags = []string{"id", "x", "y", "coordinates", "t", "label", "separator"}

// check puts the coordinates together. It is an error if a table is not described.
func (f *pathFile) check() error {
	if f.tracks == "" {
		return nil
	}
	if len(f.columns.Coordinates) > 0 && f.x+f.y != "" {
		return errors.New("--coordinates and --x or --y: give one of them")
	}
	for i, name := range f.columns.Coordinates {
		if name == "" || slices.Contains(f.columns.Coordinates[:i], name) {
			return fmt.Errorf("--coordinates: column %d is %q: give the name of each once", i+1, name)
		}
	}
	for _, name := range []string{f.x, f.y} {
		if name != "" {
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
	if set.Degrees() {
		fmt.Fprintf(a.stderr, "nkf: %s: longitudes and latitudes are taken for coordinates of a plane, "+
			"so that a degree is as long everywhere\n", datasets.Printable(set.Name))
	}
}

// readPaths reads the paths to be trained on.
func (a *app) readPaths(f *pathFile) (*experiments.Data, error) {
	set, err := a.openPaths(f)
	if err != nil {
		return nil, err
	}
	if set.Label == "" {
		return nil, fmt.Errorf("%s has no classes and no values to be learned: @classLabel or @targetLabel "+
			"says which", f.file())
	}
	evenly := "the number of the observation"
	if f.spacing == "time" {
		evenly = "time"
	}
	fmt.Fprintf(a.stderr, "nkf: %s: paths are resampled to %d points, evenly in %s\n",
		datasets.Printable(set.Name), series.Grid(set.MaxLength(set.Split.Train)), evenly)
	data := &experiments.Data{Name: set.Name, SHA256: set.SHA256, Paths: set, ByTime: f.spacing == "time",
		Tracks: f.columns, Tests: set.Tests}
	data.Tracks.Task = datasets.Automatic // what came of it counts
	return data, nil
}

// pathsOf returns the time series or tracks of a file. It reports the accuracy, or the error, if they are
// labeled.
func (a *app) pathsOf(model *models.Saved, x *prediction) (*subject, error) {
	if at := model.Columns.Time; at != "" && x.paths.columns.Time == "" && x.paths.table() {
		return nil, fmt.Errorf("%s was trained with --t %s: give --t the column of times", x.model,
			datasets.Printable(at))
	}
	x.paths.columns.Task = datasets.Classification
	if model.Tasks != nil {
		x.paths.columns.Task = datasets.Regression
	}
	set, err := a.openPaths(&x.paths)
	if err != nil {
		return nil, err
	}
	known := set.Label != "" && !x.noScore
	if known && (set.Tasks != nil) != (model.Tasks != nil) {
		return nil, fmt.Errorf("%s and the model of %s: one has classes, the other numbers (--no-score does "+
			"not compare)", x.paths.file(), datasets.Printable(model.Dataset))
	}
	columns := []string{"path"}
	if set.IDs != nil {
		columns = append(columns, cmp.Or(x.paths.columns.ID, "id"))
	}
	if columns = append(columns, model.Tasks...); model.Tasks == nil {
		columns = append(append(columns, cmp.Or(model.Label, "class")), probabilities(model.Classes)...)
	}
	right, count, squares := 0, 0, 0.0
	var far []string
	return &subject{
		path: x.paths.file(), columns: columns,
		predict: func(ctx context.Context, p *models.Predictor) ([]models.Prediction, error) {
			return p.PredictPaths(ctx, set)
		},
		row: func(g int, p models.Prediction) (any, []string) {
			row, fields := pathRow{Path: g, Prediction: p}, []string{strconv.Itoa(g)}
			if set.IDs != nil {
				row.ID = set.IDs[g]
				fields = append(fields, row.ID)
			}
			if p.Far != nil {
				far = append(far, fmt.Sprintf("path %d%s: %s by %.3g", g, named(row.ID),
					datasets.Printable(p.Far.Column), p.Far.Deviations))
			}
			if known && model.Tasks == nil {
				if row.Label = set.Classes[set.Labels[g]]; row.Label == p.Class {
					right++
				}
			}
			if model.Tasks == nil {
				row.Classes = model.Classes
				fields = append(append(fields, p.Class), texts(p.Probabilities)...)
			}
			for _, task := range model.Tasks {
				fields = append(fields, texts([]float64{p.Values[task]})...)
				if known && !math.IsNaN(float64(set.Targets[g])) {
					squares += math.Pow(p.Values[task]-float64(set.Targets[g]), 2)
					count++
				}
			}
			return row, fields
		},
		told: func() {
			if len(far) > 0 {
				fmt.Fprintf(a.stderr, "nkf: %d of %d paths lie far outside of the data of %s, in standard "+
					"deviations from their mean: %s; the model has seen nothing like them\n", len(far),
					set.Len(), datasets.Printable(model.Dataset), some(far))
			}
			switch {
			case known && model.Tasks == nil:
				fmt.Fprintf(a.stderr, "nkf: %d of %d paths with a label are right, %.2f %%\n", right,
					set.Len(),
					100*float64(right)/float64(set.Len()))
			case count > 0:
				fmt.Fprintf(a.stderr, "nkf: root mean square error %.6g\n",
					math.Sqrt(squares/float64(count)))
			}
		},
	}, nil
}

// named returns what a track is called in brackets, nothing for a path without a name.
func named(id string) string {
	if id == "" {
		return ""
	}
	return " (" + datasets.Printable(id) + ")"
}

// pathRow is a prediction as JSON.
type pathRow struct {
	Path int    `json:"path"` // from 0, in the order of the file
	ID   string `json:"id,omitempty"`
	models.Prediction
	Classes []string `json:"classes,omitempty"` // of the probabilities
	Label   string   `json:"label,omitempty"`   // the true one where it is known
}
