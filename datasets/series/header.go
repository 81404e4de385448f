package series

import (
	"fmt"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets/fileio"
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
	lon, lat := h.earth()
	return lon >= 0 && lat >= 0
}

// earth returns the numbers of the coordinates that are a longitude and a latitude, -1 for none: those with
// such names, or else the first two in degrees.
func (h Header) earth() (lon, lat int) {
	find := func(names ...string) int {
		return slices.IndexFunc(h.Coordinates, func(s string) bool {
			return slices.Contains(names, strings.ToLower(s))
		})
	}
	lon, lat = find("lon", "lng", "long", "longitude"), find("lat", "latitude")
	if first := slices.Index(h.Units, "degrees"); (lon < 0 || lat < 0) && first >= 0 {
		if next := slices.Index(h.Units[first+1:], "degrees"); next >= 0 {
			return first, first + 1 + next
		}
	}
	return lon, lat
}

// takes returns an error unless paths with the header given can stand for paths with this header: the same
// coordinates in the same order, in units that do not contradict, and times if these have times.
func (h Header) takes(given Header) error {
	list := func(names []string) string { return fileio.Printable(strings.Join(names, ", ")) }
	if len(given.Coordinates) != len(h.Coordinates) {
		return fmt.Errorf("there are the coordinates %s in place of %s", list(given.Coordinates),
			list(h.Coordinates))
	}
	for i, name := range given.Coordinates {
		if name != h.Coordinates[i] {
			return fmt.Errorf("coordinate %d is %q in place of %q: name the coordinates %s, in this order",
				i+1, name, h.Coordinates[i], list(h.Coordinates))
		}
		if a, b := given.Units[i], h.Units[i]; a != b && a != "" && b != "" {
			return fmt.Errorf("coordinate %q is in %s in place of %s", name, a, b)
		}
	}
	switch {
	case h.Time == "" || given.Time == h.Time:
		return nil
	case given.Time == "":
		return fmt.Errorf("there are no times in place of %q, which orders the observations: "+
			"name the column of times", h.Time)
	}
	return fmt.Errorf("the times are %q in place of %q", given.Time, h.Time)
}
