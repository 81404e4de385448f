package series

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets/internal/text"
)

const (
	maxElement = 1 << 26 // bytes of a tag, or of a text without one
	maxDepth   = 64      // of elements
)

// gpx reads the GPS Exchange Format.
type gpx struct {
	*reader
	id, time string   // names of what tracks are called, and of times
	wanted   []string // names of elements and attributes
	line     int      // of the last element
	depth    int      // of the element that is open
	text     []byte   // of it
	// What the open track and the open point have by the names of elements; nil where none is open.
	track, point map[string]content
}

// content is what a track or a point has under a name, in an attribute or in the first of the elements that
// are least deep: links and extensions have elements with the names of its own, such as type.
type content struct {
	text  string
	depth int
}

// readGPX reads the tracks and routes of a GPX file. Those without a point are counted.
func (r *reader) readGPX(in io.Reader) error {
	r.takeDegrees()
	c := r.columns // other formats have other names
	g := &gpx{reader: r, id: cmp.Or(c.ID, "name"), time: cmp.Or(c.Time, "time")}
	g.wanted = append([]string{"lon", "lat", g.id, g.time, c.Label}, c.Coordinates...)
	source := text.NewXML(in, r.name)
	tokens := xml.NewDecoder(source)
	tokens.CharsetReader = charset
	from := len(r.paths)
	for {
		source.Allow(maxElement, "an element")
		token, err := tokens.Token()
		if err == io.EOF {
			break
		}
		line, _ := tokens.InputPos()
		if _, ok := token.(xml.StartElement); ok {
			g.line = line
		}
		if err == nil {
			line, err = g.line, g.token(token)
		}
		var syntax *xml.SyntaxError
		switch {
		case err == nil:
		case source.Err() != nil:
			return source.Err()
		case errors.As(err, &syntax) && syntax.Msg == "unexpected EOF":
			return fmt.Errorf("%s, line %d: the file ends here: it was cut off, get it again", r.name,
				syntax.Line)
		case errors.As(err, &syntax):
			return fmt.Errorf("%s, line %d: no XML: %s", r.name, syntax.Line, syntax.Msg)
		default:
			return fmt.Errorf("%s, line %d: %w", r.name, line, err)
		}
	}
	r.finish(from, units(c.Coordinates), g.time)
	return nil
}

// takeDegrees lets the coordinates of GPX and GeoJSON be lon and lat unless they are set.
func (r *reader) takeDegrees() {
	if r.columns.Coordinates == nil {
		r.columns.Coordinates = []string{"lon", "lat"}
	}
	r.n = len(r.columns.Coordinates)
}

// charset returns the text of a file, which is decoded before if it is in UTF-16.
func charset(name string, r io.Reader) (io.Reader, error) {
	if name = strings.ToLower(name); strings.HasPrefix(name, "utf") || strings.HasSuffix(name, "ascii") {
		return r, nil
	}
	return nil, fmt.Errorf("the encoding %.40q is not read: save the file as UTF-8", name)
}

// token reads the next part of the file.
func (g *gpx) token(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		g.depth++
		g.text = g.text[:0]
		return g.start(t)
	case xml.CharData:
		if g.track != nil {
			g.text = append(g.text, t...)
		}
	case xml.EndElement:
		g.depth--
		return g.end(t.Name.Local)
	}
	return nil
}

func (g *gpx) start(t xml.StartElement) error {
	name := t.Name.Local
	switch {
	case g.depth == 1 && name != "gpx":
		return fmt.Errorf("<%.40s> instead of <gpx>: this is not a GPX file", name)
	case g.depth > maxDepth:
		return fmt.Errorf("more than %d elements within each other", maxDepth)
	}
	switch name {
	case "trk", "rte":
		if g.track != nil {
			return fmt.Errorf("<%s> within another track", name)
		}
		g.track = map[string]content{}
		g.add(g.line)
	case "trkpt", "rtept":
		if g.track == nil {
			return fmt.Errorf("<%s> outside of a track", name)
		}
		g.point = map[string]content{}
		for _, a := range t.Attr {
			g.point[a.Name.Local] = content{text: a.Value}
		}
	}
	return nil
}

func (g *gpx) end(name string) error {
	if g.track == nil {
		return nil
	}
	p := &g.paths[len(g.paths)-1]
	switch name {
	case "trk", "rte":
		p.id, p.label = g.track[g.id].text, g.track[g.columns.Label].text
		if g.track = nil; len(p.points) == 0 {
			g.paths = g.paths[:len(g.paths)-1]
			g.set.skipped++
		}
	case "trkpt", "rtept":
		point := g.point
		g.point = nil
		return g.observe(p, point)
	default:
		has := g.track
		if g.point != nil {
			has = g.point
		}
		if known, ok := has[name]; slices.Contains(g.wanted, name) && (!ok || g.depth < known.depth) {
			has[name] = content{strings.TrimSpace(string(g.text)), g.depth}
		}
		g.text = g.text[:0]
	}
	return nil
}

// observe adds a point to a track.
func (g *gpx) observe(p *path, point map[string]content) error {
	var place [2]float64
	for i, name := range append([]string{"lon", "lat"}, g.columns.Coordinates...) {
		spelled, ok := point[name]
		if i < 2 && !ok {
			return fmt.Errorf("a point without %s", name)
		}
		x, err := number(spelled.text)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if i < 2 {
			place[i] = x
		} else {
			p.points = append(p.points, x)
		}
	}
	if err := onEarth(place[0], place[1]); err != nil {
		return err
	}
	if spelled, ok := point[g.time]; ok {
		when, err := g.when(spelled.text)
		if err != nil {
			return fmt.Errorf("%s: %w", g.time, err)
		}
		p.times = append(p.times, when)
	}
	return g.count(g.n + 1)
}
