package series

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
)

// Header names the columns of paths.
type Header struct {
	// Coordinates are the names of the coordinates, in their order; c0, c1, … of time series.
	Coordinates []string `json:"coordinates"`
	// Units are those of the coordinates: "degrees" of longitudes and latitudes and "meters" of elevations in
	// GPX and GeoJSON, "" where the file does not say.
	Units []string `json:"units"`
	// Time is the name of the times that order the observations; "" where they have none.
	Time string `json:"time,omitempty"`
}

// units returns those that GPX and GeoJSON have by definition.
func units(coordinates []string) []string {
	out := make([]string, len(coordinates))
	for i, name := range coordinates {
		out[i] = map[string]string{"lon": "degrees", "lat": "degrees", "ele": "meters"}[name]
	}
	return out
}

// Degrees reports whether the coordinates have a longitude and a latitude in degrees, by their units or by
// their names.
func (h Header) Degrees() bool {
	has := func(name string) bool {
		return slices.ContainsFunc(h.Coordinates, func(s string) bool {
			s = strings.ToLower(s)
			return s == name[:3] || s == name
		})
	}
	return has("longitude") && has("latitude")
}

// Takes returns an error unless paths with the header given can stand for paths with this header: the same
// coordinates in the same order, in units that do not contradict, and times if these have times.
func (h Header) Takes(given Header) error {
	if len(given.Coordinates) != len(h.Coordinates) {
		return fmt.Errorf("there are the coordinates %s in place of %s", named(given.Coordinates),
			named(h.Coordinates))
	}
	for i, name := range given.Coordinates {
		if name != h.Coordinates[i] {
			return fmt.Errorf("coordinate %d is %q in place of %q: name the coordinates %s, in this order",
				i+1, name, h.Coordinates[i], named(h.Coordinates))
		}
	}
	for i := range min(len(h.Units), len(given.Units)) {
		if a, b := given.Units[i], h.Units[i]; a != b && a != "" && b != "" {
			return fmt.Errorf("coordinate %q is in %s in place of %s", h.Coordinates[i], a, b)
		}
	}
	switch {
	case h.Time != "" && given.Time == "":
		return fmt.Errorf("there are no times in place of %q, which orders the observations", h.Time)
	case h.Time != "" && given.Time != h.Time:
		return fmt.Errorf("the times are %q in place of %q", given.Time, h.Time)
	}
	return nil
}

// named lists names for a message.
func named(names []string) string {
	return datasets.Printable(strings.Join(names, ", "))
}

// Bounds past which an observation is far from those that a preparation was found on: twice as many standard
// deviations from the mean as the farthest of these, and 3, for channels that hardly changed.
const (
	farther  = 2
	leastFar = 3
)

// Far returns the largest distance of an observation of path g from the mean that the preparation was found
// with, in standard deviations of its channel, and the channel. It is 0 where no observation is far: more
// than twice as far as any that the preparation was found on, and more than 3 deviations.
func (p *Preparation) Far(c *datasets.Collection, g int) (channel int, deviations float64) {
	for i, x := range c.Points(g) {
		j := i % c.Dim
		d := math.Abs(x-p.Mean[j]) / p.Deviation[j]
		if d > max(leastFar, farther*p.Farthest[j]) && d > deviations {
			channel, deviations = j, d
		}
	}
	return channel, deviations
}

// Check returns an error for a preparation that cannot have been found on paths.
func (p *Preparation) Check() error {
	n := len(p.Mean)
	if p.Points != Grid(p.Points) {
		return fmt.Errorf("paths of %d points: they have %d at least and %d at most", p.Points, Grid(0),
			Grid(math.MaxInt))
	}
	if n == 0 || len(p.Deviation) != n || len(p.Farthest) != n {
		return fmt.Errorf("%d means, %d deviations and %d distances of channels", n, len(p.Deviation),
			len(p.Farthest))
	}
	finite := func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
	for j := range n {
		if !finite(p.Mean[j]) || !finite(p.Deviation[j]) || p.Deviation[j] <= 0 || !(p.Farthest[j] >= 0) {
			return fmt.Errorf("channel %d has the mean %v, the deviation %v and the distance %v", j,
				p.Mean[j], p.Deviation[j], p.Farthest[j])
		}
	}
	if !finite(p.Longest) || p.Longest < 0 {
		return fmt.Errorf("the longest path has the length %v", p.Longest)
	}
	return nil
}

// farthest returns the largest distance of values from their mean, in standard deviations.
func farthest(values []float64, mean, deviation float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return max(slices.Max(values)-mean, mean-slices.Min(values)) / deviation
}
