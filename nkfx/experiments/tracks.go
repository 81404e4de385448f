package experiments

import (
	"context"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/published"
	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/datasets/synthetic"
)

// tracks returns the benchmarks on tracks: animals on the earth; buoys in the ocean, without times, by the
// side on which they pass Madagascar; two synthetic sets of 100 tracks; and 150 of the paper's paths in the
// plane.
func tracks() (all []Benchmark) {
	add := func(name string, load func(context.Context) (*series.Set, error)) {
		b := usual("paths").in("tracks", "folds", 1)
		b.Name, b.Load = name, func(ctx context.Context) (datasets.Source, error) { return load(ctx) }
		all = append(all, b)
	}
	add("Animals", func(ctx context.Context) (*series.Set, error) {
		return publishedTracks(ctx, "Animals", series.Columns{ID: "tid", Coordinates: []string{"lon", "lat"},
			Time: "time", Label: "label"})
	})
	add("Drifters", func(ctx context.Context) (*series.Set, error) {
		s, err := publishedTracks(ctx, "Drifters", series.Columns{ID: "track",
			Coordinates: []string{"x", "y"}})
		if err != nil {
			return nil, err
		}
		b := datasets.NewBuilder(s.Dim)
		b.Info, b.Classes = s.Info, []string{"clockwise", "counterclockwise"}
		for g := range s.Len() {
			class := 0.0
			if turn(s.Points(g)) > 0 {
				class = 1
			}
			b.AddPath(s.Points(g), class)
		}
		if s.Collection, err = b.Collection(); err != nil {
			return nil, err
		}
		return labeled(s), nil
	})
	for _, name := range slices.Sorted(maps.Keys(synthetic.TrackSets)) {
		add(name, func(context.Context) (*series.Set, error) {
			c, err := synthetic.Tracks(name, 50, 1, synthetic.Train)
			if err != nil {
				return nil, err
			}
			return labeled(&series.Set{Collection: c, Header: series.Header{Coordinates: []string{"x", "y"},
				Units: []string{"", ""}, Time: "t"}}), nil
		})
	}
	add("Curves", func(context.Context) (*series.Set, error) {
		c, err := synthetic.NewPaths().Sample(50, 1, synthetic.Train)
		if err != nil {
			return nil, err
		}
		c.Name = "Curves"
		return labeled(&series.Set{Collection: c, Header: series.Header{Coordinates: []string{"x", "y"},
			Units: []string{"", ""}}}), nil
	})
	return all
}

// publishedTracks reads a published set of tracks.
func publishedTracks(ctx context.Context, name string, columns series.Columns) (*series.Set, error) {
	files, err := published.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	s, err := series.ReadTracks(columns, files[0])
	if err == nil {
		s.Name = name
	}
	return s, err
}

// labeled completes a set with classes, whose tracks are called by their numbers.
func labeled(s *series.Set) *series.Set {
	s.Label, s.IDs, s.Split = "class", nil, datasets.Fold{Train: s.Collection.IDs()}
	for g := range s.Len() {
		s.IDs = append(s.IDs, strconv.Itoa(g))
	}
	return s
}

// turn returns the angle by which a path in the projected coordinates of Drifters goes around Madagascar: the
// integral of dθ, positive counterclockwise.
func turn(points []float64) (sum float64) {
	const x, y = 0.806, -0.336 // on the island
	for i := 2; i < len(points); i += 2 {
		ax, ay, bx, by := points[i-2]-x, points[i-1]-y, points[i]-x, points[i+1]-y
		sum += math.Atan2(ax*by-ay*bx, ax*bx+ay*by)
	}
	return sum
}
