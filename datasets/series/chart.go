package series

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/neuralkforms/nkf/datasets"
)

// EarthRadius is the mean radius of the Earth in meters (IUGG).
const EarthRadius = 6_371_008.8

// Chart takes longitudes and latitudes in degrees to points of the sphere in R³, in meters from the center of
// the Earth: east, north and up as they are at the middle of the paths that it was found on. Nothing happens
// at the date line or the poles, and forms on R³ restrict to the sphere.
type Chart struct {
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
func newChart(c *datasets.Collection, h Header, ids []int32) *Chart {
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
func chartAt(lon, lat int, middle r3.Vec) *Chart {
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
	return &Chart{Lon: lon, Lat: lat, East: east, North: r3.Cross(up, east), Up: up}
}

// check returns an error for a chart that no paths of n coordinates can have.
func (c *Chart) check(n int) error {
	if c.Lon < 0 || c.Lat < 0 || c.Lon >= n || c.Lat >= n || c.Lon == c.Lat {
		return fmt.Errorf("longitude %d and latitude %d of %d coordinates", c.Lon, c.Lat, n)
	}
	const tolerance = 1e-6
	axes := []r3.Vec{c.East, c.North, c.Up}
	for i, a := range axes {
		for j, b := range axes {
			want := 0.0
			if i == j {
				want = 1
			}
			if !(math.Abs(r3.Dot(a, b)-want) < tolerance) {
				return fmt.Errorf("the axes %v of the chart are not orthonormal", axes)
			}
		}
	}
	return nil
}

// Apply returns the paths in the coordinates of the chart: east, north, up, and after them those that are no
// longitudes or latitudes. Times are kept.
func (c *Chart) Apply(paths *datasets.Collection) (*datasets.Collection, error) {
	b := datasets.NewBuilder(paths.Dim + 1)
	b.Info = paths.Info
	for g := range paths.Len() {
		var points []float64
		for p := range slices.Chunk(paths.Points(g), paths.Dim) {
			at := r3.Scale(EarthRadius, sphere(p[c.Lon], p[c.Lat]))
			points = append(points, r3.Dot(c.East, at), r3.Dot(c.North, at), r3.Dot(c.Up, at))
			for i, x := range p {
				if i != c.Lon && i != c.Lat {
					points = append(points, x)
				}
			}
		}
		b.AddPath(points, paths.Target(g)...)
		if paths.Simplices[0].Width == 1 {
			b.SetCochain(0, paths.Simplices[0].Cochain[paths.VertexStart[g]:paths.VertexStart[g+1]])
		}
	}
	return b.Collection()
}

// names returns what the coordinates of the chart are called, of paths that have the given ones.
func (c *Chart) names(given []string) []string {
	names := []string{"east", "north", "up"}
	for i, name := range given {
		if i != c.Lon && i != c.Lat {
			names = append(names, name)
		}
	}
	return names
}

// arc returns the length of the great circle between points of a sphere that are apart by a chord.
func arc(chord, radius float64) float64 {
	return 2 * radius * math.Asin(min(1, chord/(2*radius)))
}

// solidAngle returns the signed area of the spherical triangle of three directions on the unit sphere: the
// integral of the area form over it, positive if they go counterclockwise as seen from outside. Source: van
// Oosterom and Strackee, The solid angle of a plane triangle, 1983.
func solidAngle(a, b, c r3.Vec) float64 {
	a, b, c = r3.Unit(a), r3.Unit(b), r3.Unit(c)
	return 2 * math.Atan2(r3.Dot(a, r3.Cross(b, c)), 1+r3.Dot(a, b)+r3.Dot(b, c)+r3.Dot(c, a))
}
