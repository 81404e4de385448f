package series

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets/internal/text"
)

// positions are the names of the numbers of a position.
var positions = []string{"lon", "lat", "ele", "m"}

// geometries are the types of geometries, by how deep the numbers of their coordinates stand in lists.
var geometries = map[string]int{
	"Point": 1, "MultiPoint": 2, "LineString": 2, "MultiLineString": 3, "Polygon": 3, "MultiPolygon": 4,
	"GeometryCollection": 0,
}

const (
	maxValue  = 1 << 26 // bytes of a position, a property or what else is read at once
	maxNested = 16      // objects within each other
)

// geoJSON reads GeoJSON (RFC 7946), position by position: no library does, so that a long line takes many
// times its size, and none keeps elevations of which some are missing.
type geoJSON struct {
	*file
	columns Columns
	at      []int // of each coordinate, its place in positions
	text    *text.Reader
	json    *json.Decoder
	lines   *lineCounter
}

// readGeoJSON reads the lines of a GeoJSON file: of a collection of features, of one, or of a geometry, or
// of several of these, one after another. Features without a line are counted.
func (f *file) readGeoJSON(r io.Reader, columns Columns) error {
	if columns.Coordinates == nil {
		columns.Coordinates = []string{"lon", "lat"}
	}
	g := &geoJSON{file: f, columns: columns, text: text.NewReader(r, f.name)}
	for _, name := range columns.Coordinates {
		at := slices.Index(positions, name)
		if at < 0 {
			return fmt.Errorf("%s: no coordinate %q: GeoJSON has %s", f.name, name,
				strings.Join(positions, ", "))
		}
		g.at = append(g.at, at)
	}
	g.lines = &lineCounter{r: g.text, line: 1}
	g.json = json.NewDecoder(g.lines)
	g.json.UseNumber()
	for {
		token, err := g.token()
		if err == io.EOF {
			break
		}
		if err == nil && token != json.Delim('{') {
			err = errors.New("no GeoJSON: it begins with {")
		}
		if err == nil {
			var whole *geoObject
			if whole, err = g.object(0); err == nil && whole.kind != "FeatureCollection" {
				err = g.feature(whole)
			}
		}
		if err != nil {
			return g.fail(err)
		}
	}
	f.finish(columns.Coordinates, units(columns.Coordinates), g.clock)
	return nil
}

// placed is an error that has its place.
type placed struct{ error }

// fail returns an error at the place that the decoder has come to.
func (g *geoJSON) fail(err error) error {
	var has placed
	var wrong *json.UnmarshalTypeError
	line := g.lines.at(g.json.InputOffset())
	switch {
	case g.text.Err() != nil:
		return g.text.Err()
	case errors.As(err, &has):
		return has.error
	case err == io.ErrUnexpectedEOF || err == io.EOF:
		return fmt.Errorf("%s, line %d: the file ends within what begins here: it was cut off, get it again",
			g.name, line)
	case errors.As(err, &wrong):
		err = fmt.Errorf("a %s where something else has to be", wrong.Value)
	}
	return fmt.Errorf("%s, line %d or after: %w", g.name, line, err)
}

// token returns the next token.
func (g *geoJSON) token() (json.Token, error) {
	g.text.Allow(maxValue, "a value")
	return g.json.Token()
}

// value reads a value.
func (g *geoJSON) value(to any) error {
	g.text.Allow(maxValue, "a value")
	return g.json.Decode(to)
}

// geoObject is a feature or a geometry.
type geoObject struct {
	line       int
	kind       string
	id         json.RawMessage
	properties map[string]json.RawMessage
	geometry   *geoObject   // of a feature
	parts      []*geoObject // of a collection of geometries
	channels   [][]float64  // of its positions
	depth      int          // of lists that the numbers stand in; 0 for no number
	listed     bool         // whether there are features
}

// object reads an object after its brace; depth is that of objects around it.
func (g *geoJSON) object(depth int) (*geoObject, error) {
	if depth > maxNested {
		return nil, fmt.Errorf("more than %d objects within each other", maxNested)
	}
	o := &geoObject{line: g.lines.at(g.json.InputOffset())}
	for g.json.More() {
		key, err := g.token()
		if err == nil {
			err = g.member(o, key, depth)
		}
		if err != nil {
			return nil, err
		}
	}
	if _, err := g.token(); err != nil {
		return nil, err
	}
	return o, o.check(g)
}

// member reads the value of a member of an object.
func (g *geoJSON) member(o *geoObject, key json.Token, depth int) error {
	switch key {
	case "type":
		return g.value(&o.kind)
	case "id":
		return g.value(&o.id)
	case "properties":
		return g.value(&o.properties)
	case "crs":
		var crs json.RawMessage
		if err := g.value(&crs); err != nil {
			return err
		}
		return degrees(crs)
	case "coordinates":
		return g.coordinates(o)
	case "geometry":
		token, err := g.token()
		if err == nil && token == json.Delim('{') {
			o.geometry, err = g.object(depth + 1)
		} else if err == nil && token != nil {
			err = errors.New("the geometry is no object")
		}
		return err
	case "geometries":
		return g.list(key, func() error {
			part, err := g.object(depth + 1)
			o.parts = append(o.parts, part)
			return err
		})
	case "features":
		o.listed = true
		return g.list(key, func() error {
			feature, err := g.object(depth + 1)
			if err != nil {
				return err
			}
			return g.feature(feature)
		})
	}
	var other json.RawMessage
	return g.value(&other)
}

// list reads a list of objects, each of which read reads after its brace.
func (g *geoJSON) list(name json.Token, read func() error) error {
	token, err := g.token()
	if err == nil && token != json.Delim('[') {
		err = fmt.Errorf("the %v are no list", name)
	}
	if err != nil {
		return err
	}
	for g.json.More() {
		token, err := g.token()
		if err == nil && token != json.Delim('{') {
			err = fmt.Errorf("among the %v is no object", name)
		}
		if err == nil {
			err = read()
		}
		if err != nil {
			return err
		}
	}
	_, err = g.token()
	return err
}

// check returns an error unless an object is what its type says.
func (o *geoObject) check(g *geoJSON) error {
	depth, geometry := geometries[o.kind]
	fault := ""
	switch {
	case o.kind == "":
		fault = "an object without a type"
	case !geometry && o.kind != "Feature" && o.kind != "FeatureCollection":
		fault = fmt.Sprintf("%.40q is no type of GeoJSON", o.kind)
	case o.kind == "FeatureCollection" && !o.listed:
		fault = "a FeatureCollection without features"
	case o.depth > 0 && o.depth != depth:
		fault = fmt.Sprintf("the coordinates of the %s are no list of positions as it has", o.kind)
	}
	if fault == "" {
		return nil
	}
	return placed{fmt.Errorf("%s, line %d: %s", g.name, o.line, fault)}
}

// degrees returns an error for a coordinate reference system of other coordinates than those of RFC 7946.
func degrees(crs json.RawMessage) error {
	name := strings.ToUpper(string(crs))
	for _, known := range []string{"NULL", "CRS84\"", "EPSG:4326\"", "EPSG::4326\""} {
		if name == known || strings.Contains(name, known) {
			return nil
		}
	}
	return fmt.Errorf("the crs is %.80s, but GeoJSON has longitudes and latitudes of WGS 84: transform the "+
		"file", crs)
}

// feature adds the path of a feature or a geometry, unless it has no line.
func (g *geoJSON) feature(o *geoObject) error {
	shape := o
	if o.kind == "Feature" {
		shape = o.geometry
	}
	p := path{line: o.line, id: plain(o.id)}
	if g.columns.ID != "" {
		p.id = plain(o.properties[g.columns.ID])
	}
	if g.columns.Label != "" {
		p.label = plain(o.properties[g.columns.Label])
	}
	p.channels = shape.polyline(nil)
	if len(p.channels) == 0 || len(p.channels[0]) == 0 {
		g.skipped++
		return nil
	}
	times, err := g.times(o.properties, len(p.channels[0]))
	if err != nil {
		return placed{fmt.Errorf("%s, line %d: %w", g.name, o.line, err)}
	}
	p.times, p.timeless = times, times == nil
	g.paths = append(g.paths, p)
	return nil
}

// polyline appends the positions of lines, one after another.
func (o *geoObject) polyline(channels [][]float64) [][]float64 {
	if o == nil {
		return channels
	}
	for _, part := range o.parts {
		channels = part.polyline(channels)
	}
	if o.kind != "LineString" && o.kind != "MultiLineString" {
		return channels
	}
	if channels == nil {
		return o.channels
	}
	for c := range o.channels {
		channels[c] = append(channels[c], o.channels[c]...)
	}
	return channels
}

// times returns those of the positions; nil where there are none.
func (g *geoJSON) times(properties map[string]json.RawMessage, count int) ([]float64, error) {
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
		if json.Unmarshal(list, &all) != nil {
			return nil, fmt.Errorf("the property %q is no list of times", name)
		}
		if len(all) > 0 && all[0][0] == '[' { // one list for each part of a line
			var parts [][]json.RawMessage
			if json.Unmarshal(list, &parts) != nil {
				return nil, fmt.Errorf("the property %q is no list of lists of times", name)
			}
			all = slices.Concat(parts...)
		}
		if len(all) != count {
			return nil, fmt.Errorf("%d times in %q for %d positions", len(all), name, count)
		}
		g.clock = name
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

// plain returns a value as a text: "" for null.
func plain(value json.RawMessage) string {
	var s string
	if len(value) > 0 && value[0] == '"' && json.Unmarshal(value, &s) == nil {
		return s
	}
	if string(value) == "null" {
		return ""
	}
	return string(value)
}
