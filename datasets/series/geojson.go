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
)

// positions are the names of the numbers of a position.
var positions = []string{"lon", "lat", "ele", "m"}

// geoJSON reads GeoJSON (RFC 7946), feature by feature.
type geoJSON struct {
	*file
	columns Columns
	json    *json.Decoder
	lines   *lineCounter
}

// readGeoJSON reads the lines of a GeoJSON file: of a collection of features, of one, or of a geometry, or
// of several of these, one after another.
func (f *file) readGeoJSON(r io.Reader, columns Columns) error {
	if columns.Coordinates == nil {
		columns.Coordinates = []string{"lon", "lat"}
	}
	for _, name := range columns.Coordinates {
		if !slices.Contains(positions, name) {
			return fmt.Errorf("%s: no coordinate %q: GeoJSON has %s", f.name, name,
				strings.Join(positions, ", "))
		}
	}
	lines := &lineCounter{r: r, line: 1}
	g := &geoJSON{file: f, columns: columns, json: json.NewDecoder(lines), lines: lines}
	for {
		token, err := g.json.Token()
		if err == io.EOF {
			break
		}
		if err == nil && token != json.Delim('{') {
			err = errors.New("no GeoJSON: it begins with {")
		}
		if err == nil {
			err = g.object()
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
	if errors.As(err, &has) {
		return has.error
	}
	line := g.lines.at(g.json.InputOffset())
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		return fmt.Errorf("%s, line %d: the file ends within what begins here: it was cut off, get it again",
			g.name, line)
	}
	return fmt.Errorf("%s, line %d or after: %w", g.name, line, err)
}

// member is what a feature or a geometry can have.
type member struct {
	Type        string                     `json:"type"`
	ID          json.RawMessage            `json:"id"`
	Properties  map[string]json.RawMessage `json:"properties"`
	Geometry    *member                    `json:"geometry"`
	Geometries  []member                   `json:"geometries"`
	Coordinates json.RawMessage            `json:"coordinates"`
}

// unmarshal is json.Unmarshal, without types of Go in its errors.
func unmarshal(text []byte, v any) error {
	err := json.Unmarshal(text, v)
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return misfit{kind}
	}
	return err
}

// misfit is a value of another kind than its member has.
type misfit struct{ *json.UnmarshalTypeError }

func (m misfit) Error() string {
	if m.Field == "" {
		return "it cannot be a " + m.Value
	}
	return fmt.Sprintf("%q cannot be a %s", m.Field, m.Value)
}

// object reads the members of an object after its brace.
func (g *geoJSON) object() error {
	one := map[string]json.RawMessage{} // the object, unless it is a collection
	start := g.lines.at(g.json.InputOffset())
	for g.json.More() {
		key, err := g.json.Token()
		if err != nil {
			return err
		}
		if key == "features" {
			if err := g.features(); err != nil {
				return err
			}
			continue
		}
		var value json.RawMessage
		if err := g.json.Decode(&value); err != nil {
			return err
		}
		switch key {
		case "type", "id", "properties", "geometry", "geometries", "coordinates":
			one[key.(string)] = value
		}
	}
	if _, err := g.json.Token(); err != nil {
		return err
	}
	if one["geometry"] == nil && one["coordinates"] == nil && one["geometries"] == nil {
		return nil
	}
	text, err := json.Marshal(one)
	if err != nil {
		return err
	}
	if err := g.feature(text, start); err != nil {
		return placed{fmt.Errorf("%s, line %d: %w", g.name, start, err)}
	}
	return nil
}

// features reads a list of features.
func (g *geoJSON) features() error {
	token, err := g.json.Token()
	if err != nil {
		return err
	}
	if token != json.Delim('[') {
		return errors.New("the features are no list")
	}
	for g.json.More() {
		var text json.RawMessage
		if err := g.json.Decode(&text); err != nil {
			return err
		}
		start := g.lines.at(g.json.InputOffset() - int64(len(text)))
		if err := g.feature(text, start); err != nil {
			line := start
			if kind, ok := err.(misfit); ok { // of the text itself, not of a part
				line += bytes.Count(text[:min(max(0, int(kind.Offset)), len(text))], []byte("\n"))
			}
			return placed{fmt.Errorf("%s, line %d: %w", g.name, line, err)}
		}
	}
	_, err = g.json.Token()
	return err
}

// feature reads a feature or a geometry, which is skipped if it is no line.
func (g *geoJSON) feature(text []byte, line int) error {
	var x member
	if err := unmarshal(text, &x); err != nil {
		return err
	}
	shape := &x
	if x.Type == "Feature" || x.Geometry != nil {
		shape = x.Geometry
	}
	p := path{line: line, id: plain(x.ID)}
	if g.columns.ID != "" {
		p.id = plain(x.Properties[g.columns.ID])
	}
	if g.columns.Label != "" {
		p.label = plain(x.Properties[g.columns.Label])
	}
	points, err := shape.points()
	if err != nil || len(points) == 0 {
		return err
	}
	times, err := g.times(x.Properties, len(points))
	if err != nil {
		return err
	}
	values := make([]float64, len(g.columns.Coordinates))
	for i, point := range points {
		if len(point) < 2 {
			return fmt.Errorf("position %d has %d of two numbers or more", i, len(point))
		}
		for c, name := range g.columns.Coordinates {
			values[c] = math.NaN()
			if at := slices.Index(positions, name); at < len(point) {
				values[c] = float64(point[at])
			}
		}
		var at *float64
		if times != nil {
			at = &times[i]
		}
		if err := g.observe(&p, values, at); err != nil {
			return err
		}
	}
	g.paths = append(g.paths, p)
	return nil
}

// points returns the positions of lines, one after another.
func (m *member) points() (points [][]position, err error) {
	if m == nil {
		return nil, nil
	}
	switch m.Type {
	case "LineString":
		err = unmarshal(m.Coordinates, &points)
	case "MultiLineString":
		var parts [][][]position
		err = unmarshal(m.Coordinates, &parts)
		points = slices.Concat(parts...)
	case "GeometryCollection":
		for i := range m.Geometries {
			more, err := m.Geometries[i].points()
			if err != nil {
				return nil, err
			}
			points = append(points, more...)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the coordinates of the %s are no list of positions: %w", m.Type, err)
	}
	return points, nil
}

// position is a number of a position: NaN where it is null.
type position float64

// UnmarshalJSON implements json.Unmarshaler.
func (x *position) UnmarshalJSON(text []byte) error {
	value, err := math.NaN(), error(nil)
	if string(text) != "null" {
		value, err = number(string(text))
	}
	*x = position(value)
	return err
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
		if err := unmarshal(list, &all); err != nil {
			return nil, fmt.Errorf("the property %q is no list of times: %w", name, err)
		}
		if len(all) > 0 && all[0][0] == '[' { // one list for each part of a line
			var parts [][]json.RawMessage
			if err := unmarshal(list, &parts); err != nil {
				return nil, fmt.Errorf("the property %q is no list of lists of times: %w", name, err)
			}
			all = slices.Concat(parts...)
		}
		if len(all) != count {
			return nil, fmt.Errorf("%d times in %q for %d positions", len(all), name, count)
		}
		g.clock = name
		times := make([]float64, count)
		for i, text := range all {
			at, err := clock(plain(text))
			if err != nil {
				return nil, fmt.Errorf("time %d in %q: %w", i, name, err)
			}
			times[i] = at
		}
		return times, nil
	}
	return nil, nil
}

// plain returns a value as a text: "" for null.
func plain(text json.RawMessage) string {
	var s string
	if len(text) > 0 && text[0] == '"' && json.Unmarshal(text, &s) == nil {
		return s
	}
	if string(text) == "null" {
		return ""
	}
	return string(text)
}

// lineCounter tells in which line a byte of what was read is. It keeps the ends of lines after the last byte
// that was asked for only.
type lineCounter struct {
	r    io.Reader
	read int64
	line int     // after the ends that were passed
	ends []int64 // that were not
}

// Read implements io.Reader.
func (l *lineCounter) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			l.ends = append(l.ends, l.read+int64(i))
		}
	}
	l.read += int64(n)
	return n, err
}

// at returns the line of a byte, which is not before the one that was asked for last.
func (l *lineCounter) at(offset int64) int {
	passed, _ := slices.BinarySearch(l.ends, offset)
	l.line += passed
	l.ends = append(l.ends[:0], l.ends[passed:]...)
	return l.line
}
