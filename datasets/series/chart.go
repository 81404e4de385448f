package series

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/neuralkforms/nkf/datasets"
)

// earthRadius is the mean radius of the Earth in meters (IUGG).
const earthRadius = 6_371_008.8

// chart maps longitudes and latitudes in degrees to points of the sphere in R³, in meters from the center of
// the Earth, along the directions east, north and up at the center of the paths that it was fitted to. The
// map is smooth at the date line and the poles, and forms on R³ restrict to the sphere.
type chart struct {
	Lon int `json:"lon"` // number of the coordinate
	Lat int `json:"lat"`
	// East, North and Up are orthonormal.
	East  r3.Vec `json:"east"`
	North r3.Vec `json:"north"`
	Up    r3.Vec `json:"up"`
}

// sphere returns the point of the unit sphere at a place in degrees.
func sphere(lon, lat float64) r3.Vec {
	sinLon, cosLon := math.Sincos(lon * math.Pi / 180)
	sinLat, cosLat := math.Sincos(lat * math.Pi / 180)
	return r3.Vec{X: cosLat * cosLon, Y: cosLat * sinLon, Z: sinLat}
}

// newChart returns the chart about the middle of the given paths; nil where their coordinates are not
// longitudes and latitudes in degrees.
func newChart(c *datasets.Collection, h Header, ids []int32) *chart {
	lon, lat := h.earth()
	if lon < 0 || lat < 0 {
		return nil
	}
	var middle r3.Vec
	for _, g := range ids {
		var of r3.Vec
		count := 0
		for p := range slices.Chunk(c.Points(int(g)), c.Dim) {
			// Longitudes run on over the date line, also round and round a pole.
			if math.Abs(p[lat]) > 90 || h.Units[lon] == "" && math.Abs(p[lon]) > 3600 {
				return nil
			}
			of = r3.Add(of, sphere(p[lon], p[lat]))
			count++
		}
		middle = r3.Add(middle, r3.Scale(1/float64(max(1, count)), of))
	}
	return chartAt(lon, lat, middle)
}

// chartAt returns the chart about a point.
func chartAt(lon, lat int, middle r3.Vec) *chart {
	const apart = 1e-9 // of directions, that one is told from the other
	if r3.Norm(middle) < apart {
		middle = r3.Vec{Z: 1}
	}
	up := r3.Unit(middle)
	east := r3.Cross(r3.Vec{Z: 1}, up)
	if r3.Norm(east) < apart {
		east = r3.Cross(r3.Vec{Y: 1}, up)
	}
	east = r3.Unit(east)
	return &chart{Lon: lon, Lat: lat, East: east, North: r3.Cross(up, east), Up: up}
}

// apply returns the paths in the coordinates of the chart: east, north, up, and after them those that are no
// longitudes or latitudes. Times are kept. It is an error if a latitude is beyond 90 degrees: a file may call
// meters so.
func (c *chart) apply(paths *datasets.Collection) (*datasets.Collection, error) {
	b := datasets.NewBuilder(paths.Dim + 1)
	b.Info = paths.Info
	for g := range paths.Len() {
		t, err := c.spatial(trackOf(paths, g))
		if err != nil {
			return nil, fmt.Errorf("%q, path %d: %w, which the training had", paths.Name, g, err)
		}
		for p := range slices.Chunk(t.points, t.n) {
			at := r3.Scale(earthRadius, vector(p))
			p[0], p[1], p[2] = r3.Dot(c.East, at), r3.Dot(c.North, at), r3.Dot(c.Up, at)
		}
		b.AddPath(t.points, target(paths, g)...)
		if t.times != nil {
			b.SetCochain(0, t.times)
		}
	}
	return b.Collection()
}

// others returns what is no longitude or latitude.
func others[T any](c *chart, all []T) (rest []T) {
	for i, x := range all {
		if i != c.Lon && i != c.Lat {
			rest = append(rest, x)
		}
	}
	return rest
}
