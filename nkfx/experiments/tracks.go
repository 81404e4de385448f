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
		b := TimeSeries(load)
		b.Name, b.Experiment, b.Split = name, "tracks", "folds"
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
		return labeled(s, []string{"clockwise", "counterclockwise"}, func(g int) int {
			if turn(s.Points(g)) > 0 {
				return 1
			}
			return 0
		})
	})
	for _, name := range slices.Sorted(maps.Keys(synthetic.TrackSets)) {
		add(name, func(context.Context) (*series.Set, error) {
			c, err := synthetic.Tracks(name, 50, 1, synthetic.Train)
			if err != nil {
				return nil, err
			}
			s := &series.Set{Collection: c, Label: "class", Header: series.Header{
				Coordinates: []string{"x", "y"}, Units: []string{"", ""}, Time: "t"}}
			return labeled(s, c.Classes, func(g int) int { return int(c.Labels[g]) })
		})
	}
	add("Curves", func(context.Context) (*series.Set, error) {
		c, err := synthetic.NewPaths().Sample(50, 1, synthetic.Train)
		if err != nil {
			return nil, err
		}
		c.Name = "Curves"
		s := &series.Set{Collection: c, Label: "class", Header: series.Header{
			Coordinates: []string{"x", "y"}, Units: []string{"", ""}}}
		return labeled(s, c.Classes, func(g int) int { return int(c.Labels[g]) })
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

// labeled returns a set with classes that a function finds.
func labeled(s *series.Set, classes []string, of func(g int) int) (*series.Set, error) {
	out := *s
	out.Label, out.IDs, out.Split = "class", nil, datasets.Fold{}
	b := datasets.NewBuilder(s.Dim)
	b.Info = s.Info
	b.Classes = classes
	for g := range s.Len() {
		b.AddPath(s.Points(g), float64(of(g)))
		if s.Time != "" {
			b.SetCochain(0, s.Simplices[0].Cochain[s.VertexStart[g]:s.VertexStart[g+1]])
		}
		out.IDs = append(out.IDs, strconv.Itoa(g))
		out.Split.Train = append(out.Split.Train, int32(g))
	}
	var err error
	out.Collection, err = b.Collection()
	return &out, err
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
