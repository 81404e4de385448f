package series

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets/internal/text"
)

// positions are the names of the numbers of a position.
var positions = []string{"lon", "lat", "ele", "m"}

// geometries are the types of geometries, and how deep the numbers of those that are lines stand in lists.
var geometries = map[string]int{"Point": 0, "MultiPoint": 0, "LineString": 2, "MultiLineString": 3,
	"Polygon": 0, "MultiPolygon": 0, "GeometryCollection": 0}

const maxFeature = 1 << 28 // bytes

// geoObject is a feature or a geometry (RFC 7946).
type geoObject struct {
	Type        string
	ID          json.RawMessage
	Properties  map[string]json.RawMessage
	Geometry    *geoObject
	Geometries  []geoObject
	Coordinates json.RawMessage
	CRS         json.RawMessage
}

// geoJSON reads GeoJSON, feature by feature.
type geoJSON struct {
	*reader
	at    []int // of each coordinate, its place in positions
	text  *text.Reader
	json  *json.Decoder
	lines *lineCounter
	line  int    // in which the object begins that was decoded last; 0 within one that is not decoded
	times string // what times are called
}

// readGeoJSON reads the lines of a GeoJSON file: of a collection of features, of one, or of a geometry, or
// of several of these, one after another. Features without a line are counted.
func (r *reader) readGeoJSON(in io.Reader) error {
	r.takeDegrees()
	g := &geoJSON{reader: r, text: text.NewReader(in, r.name)}
	for _, name := range r.columns.Coordinates {
		at := slices.Index(positions, name)
		if at < 0 {
			return fmt.Errorf("%s: no coordinate %q: GeoJSON has %s", r.name, name,
				strings.Join(positions, ", "))
		}
		g.at = append(g.at, at)
	}
	g.lines = &lineCounter{r: g.text, line: 1}
	g.json = json.NewDecoder(g.lines)
	from := len(r.paths)
	for {
		token, err := g.token()
		if err == io.EOF {
			break
		}
		if err == nil && token != json.Delim('{') {
			err = errors.New("not GeoJSON, which begins with {")
		}
		if err == nil {
			err = g.object()
		}
		if err != nil {
			return g.fail(err)
		}
	}
	r.finish(from, units(r.columns.Coordinates), g.times)
	return nil
}

// fail returns an error with its place.
func (g *geoJSON) fail(err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		err = fmt.Errorf("a %s where something else has to be", wrong.Value)
	}
	line := g.lines.at(g.json.InputOffset())
	switch {
	case g.text.Err() != nil:
		return g.text.Err()
	case g.line > 0:
		return fmt.Errorf("%s, line %d: %w", g.name, g.line, err)
	case err == io.ErrUnexpectedEOF || err == io.EOF:
		return fmt.Errorf("%s, line %d: the file ends within what begins here: it was cut off, get it again",
			g.name, line)
	}
	return fmt.Errorf("%s, line %d or after: %w", g.name, line, err)
}

// token returns the next token.
func (g *geoJSON) token() (json.Token, error) {
	g.text.Allow(maxFeature, "a value")
	return g.json.Token()
}

// decode reads the next value.
func (g *geoJSON) decode(to any) error {
	g.text.Allow(maxFeature, "a value")
	return g.json.Decode(to)
}

// object reads an object of the file after its brace.
func (g *geoJSON) object() error {
	var o geoObject
	g.line = 0
	line, listed := g.lines.at(g.json.InputOffset()), false
	members := map[json.Token]any{
		"type": &o.Type, "id": &o.ID, "properties": &o.Properties, "geometry": &o.Geometry,
		"geometries": &o.Geometries, "coordinates": &o.Coordinates, "crs": &o.CRS,
	}
	for g.json.More() {
		key, err := g.token()
		switch member := members[key]; {
		case err != nil:
		case key == "features":
			listed, err = true, g.features()
		case member != nil:
			err = g.decode(member)
		default:
			err = g.decode(&json.RawMessage{})
		}
		if err != nil {
			return err
		}
	}
	if _, err := g.token(); err != nil {
		return err
	}
	switch g.line = line; {
	case o.Type != "FeatureCollection":
		return g.feature(&o)
	case !listed:
		return errors.New("a FeatureCollection without features")
	}
	return degrees(o.CRS)
}

// features reads a list of features.
func (g *geoJSON) features() error {
	token, err := g.token()
	if err == nil && token != json.Delim('[') {
		err = errors.New("the features are no list")
	}
	var raw json.RawMessage
	for err == nil && g.json.More() {
		if err = g.decode(&raw); err != nil {
			return err
		}
		g.line = g.lines.at(g.json.InputOffset()) - bytes.Count(raw, []byte("\n"))
		var feature geoObject
		if err = json.Unmarshal(raw, &feature); err == nil {
			err = g.feature(&feature)
		}
		if err != nil {
			return err
		}
		g.line = 0
	}
	if err == nil {
		_, err = g.token()
	}
	return err
}

// degrees returns an error for a coordinate reference system of other coordinates than those of RFC 7946.
func degrees(crs json.RawMessage) error {
	name := strings.ToUpper(string(crs))
	for _, known := range []string{"CRS84\"", "EPSG:4326\"", "EPSG::4326\""} {
		if name == "" || name == "NULL" || strings.Contains(name, known) {
			return nil
		}
	}
	return fmt.Errorf("the crs is %.80s, but GeoJSON has longitudes and latitudes of WGS 84: transform the "+
		"file", crs)
}

// feature adds the path of a feature or a geometry, unless it has no line.
func (g *geoJSON) feature(o *geoObject) error {
	if err := degrees(o.CRS); err != nil {
		return err
	}
	shape := o
	if o.Type == "Feature" {
		shape = o.Geometry
	}
	var points []float64
	if shape != nil {
		var err error
		if points, err = g.polyline(shape, nil); err != nil {
			return err
		}
	}
	if len(points) == 0 {
		g.set.skipped++
		return nil
	}
	times, err := g.listed(o.Properties, len(points)/g.n)
	if err != nil {
		return err
	}
	p := g.add(g.line)
	p.points, p.times, p.id = points, times, plain(o.ID)
	if g.columns.ID != "" {
		p.id = plain(o.Properties[g.columns.ID])
	}
	if g.columns.Label != "" {
		p.label = plain(o.Properties[g.columns.Label])
	}
	return g.count(len(points))
}

// polyline appends the positions of the lines of a geometry.
func (g *geoJSON) polyline(o *geoObject, points []float64) ([]float64, error) {
	depth, known := geometries[o.Type]
	switch {
	case o.Type == "":
		return nil, errors.New("an object without a type")
	case !known:
		return nil, fmt.Errorf("%.40q is not a type of GeoJSON", o.Type)
	case depth > 0:
		return g.positions(o.Coordinates, depth, points)
	}
	var err error
	for i := range o.Geometries {
		if points, err = g.polyline(&o.Geometries[i], points); err != nil {
			return nil, err
		}
	}
	return points, nil
}

// positions appends the positions of a line, whose numbers stand in lists of some depth.
func (g *geoJSON) positions(coordinates json.RawMessage, depth int, points []float64) ([]float64, error) {
	fault := errors.New("the coordinates are not a list of positions")
	var position []float64
	open := 0
	for i := 0; i < len(coordinates); {
		switch c := coordinates[i]; c {
		case ',', ' ', '\t', '\n', '\r':
			i++
		case '[':
			if len(position) > 0 {
				return nil, fault
			}
			open, i = open+1, i+1
		case ']':
			if open == depth {
				var err error
				if points, err = g.position(position, points); err != nil {
					return nil, fmt.Errorf("position %d: %w", len(points)/g.n, err)
				}
			}
			position, open, i = position[:0], open-1, i+1
		default:
			if open != depth {
				return nil, fault
			}
			length := max(1, bytes.IndexAny(coordinates[i:], ", \t\n\r[]"))
			x, err := number(string(coordinates[i : i+length]))
			if err != nil {
				return nil, fmt.Errorf("position %d: %w", len(points)/g.n, err)
			}
			position, i = append(position, x), i+length
		}
	}
	return points, nil
}

// position appends the coordinates of a position.
func (g *geoJSON) position(position, points []float64) ([]float64, error) {
	if len(position) < 2 {
		return points, fmt.Errorf("%d of two numbers or more", len(position))
	}
	if err := onEarth(position[0], position[1]); err != nil {
		return points, err
	}
	for _, at := range g.at {
		x := math.NaN()
		if at < len(position) {
			x = position[at]
		}
		points = append(points, x)
	}
	return points, nil
}

// listed returns the times of the positions; nil where there are none.
func (g *geoJSON) listed(properties map[string]json.RawMessage, count int) ([]float64, error) {
	names := []string{g.columns.Time}
	if g.columns.Time == "" {
		names = []string{"coordTimes", "times"}
	}
	for _, name := range names {
		list := properties[name]
		if len(list) == 0 || string(list) == "null" {
			continue
		}
		var all []json.RawMessage
		var parts [][]json.RawMessage // one list for each part of a line
		if json.Unmarshal(list, &parts) == nil {
			all = slices.Concat(parts...)
		} else if json.Unmarshal(list, &all) != nil {
			return nil, fmt.Errorf("the property %q is not a list of times", name)
		}
		if len(all) != count {
			return nil, fmt.Errorf("%d times in %q for %d positions", len(all), name, count)
		}
		g.times = name
		times := make([]float64, count)
		for i, spelled := range all {
			at, err := g.when(plain(spelled))
			if err != nil {
				return nil, fmt.Errorf("time %d in %q: %w", i, name, err)
			}
			times[i] = at
		}
		return times, g.count(count)
	}
	return nil, nil
}

// plain returns a value as a text, without white space around it: "" for null.
func plain(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) == nil || string(value) == "null" {
		return strings.TrimSpace(s)
	}
	return string(value)
}
