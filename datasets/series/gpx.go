package series

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"github.com/neuralkforms/nkf/datasets/internal/text"
)

const maxDepth = 64 // of elements

// gpx reads the GPS Exchange Format, point by point.
type gpx struct {
	*file
	columns Columns
	xml     *xml.Decoder
	depth   int // of the element that is open
	track   *path
}

// gpxElement is a point, or what else is read at once.
type gpxElement struct {
	XMLName  xml.Name
	Attrs    []xml.Attr   `xml:",any,attr"`
	Text     string       `xml:",chardata"`
	Elements []gpxElement `xml:",any"`
}

// find returns the text of the first element of that name, the element itself or one within.
func (e *gpxElement) find(name string) (found string, ok bool) {
	if e.XMLName.Local == name {
		return strings.TrimSpace(e.Text), true
	}
	for i := range e.Elements {
		if found, ok = e.Elements[i].find(name); ok {
			return found, true
		}
	}
	return "", false
}

// value returns an attribute, or the text of an element within.
func (e *gpxElement) value(name string) (value string, ok bool) {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value, true
		}
	}
	return e.find(name)
}

// readGPX reads the tracks and routes of a GPX file. Those without a point are counted.
func (f *file) readGPX(r io.Reader, columns Columns) error {
	if columns.Coordinates == nil {
		columns.Coordinates = []string{"lon", "lat"}
	}
	if columns.ID == "" {
		columns.ID = "name"
	}
	if columns.Time == "" {
		columns.Time = "time"
	}
	content := text.NewXML(r, f.name)
	g := &gpx{file: f, columns: columns, xml: xml.NewDecoder(content)}
	g.xml.CharsetReader = charset
	for {
		content.Allow(maxValue, "an element")
		token, err := g.xml.Token()
		if err == io.EOF {
			break
		}
		line, _ := g.xml.InputPos()
		if err == nil {
			err = g.token(token, line)
		}
		var syntax *xml.SyntaxError
		switch {
		case err == nil:
		case content.Err() != nil:
			return content.Err()
		case errors.As(err, &syntax) && syntax.Msg == "unexpected EOF":
			return fmt.Errorf("%s, line %d: the file ends here: it was cut off, get it again", f.name,
				syntax.Line)
		case errors.As(err, &syntax):
			return fmt.Errorf("%s, line %d: no XML: %s", f.name, syntax.Line, syntax.Msg)
		default:
			return fmt.Errorf("%s, line %d: %w", f.name, line, err)
		}
	}
	f.finish(columns.Coordinates, units(columns.Coordinates), columns.Time)
	return nil
}

// charset returns the text of a file in one of the encodings that old programs write.
func charset(name string, r io.Reader) (io.Reader, error) {
	switch strings.ToLower(name) {
	case "utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf16", "utf-16le", "utf-16be": // decoded before
		return r, nil
	case "iso-8859-1", "latin1":
		return charmap.ISO8859_1.NewDecoder().Reader(r), nil
	case "windows-1252", "cp1252":
		return charmap.Windows1252.NewDecoder().Reader(r), nil
	}
	return nil, fmt.Errorf("the encoding %.40q is not read: save the file as UTF-8", name)
}

// token reads the next part of the file.
func (g *gpx) token(token xml.Token, line int) error {
	switch t := token.(type) {
	case xml.StartElement:
		g.depth++
		return g.start(t, line)
	case xml.EndElement:
		g.depth--
		if name := t.Name.Local; name != "trk" && name != "rte" || g.track == nil {
			return nil
		}
		if len(g.track.channels) > 0 {
			g.paths = append(g.paths, *g.track)
		} else {
			g.skipped++
		}
		g.track = nil
	}
	return nil
}

func (g *gpx) start(t xml.StartElement, line int) error {
	name := t.Name.Local
	switch {
	case g.depth == 1 && name != "gpx":
		return fmt.Errorf("<%.40s> where <gpx> has to be: this is no GPX file", name)
	case g.depth > maxDepth:
		return fmt.Errorf("more than %d elements within each other", maxDepth)
	}
	switch name {
	case "gpx", "trkseg":
		return nil
	case "trk", "rte":
		if g.track != nil {
			return fmt.Errorf("<%s> within another track", name)
		}
		g.track = &path{line: line}
		return nil
	case "trkpt", "rtept":
		if g.track == nil {
			return fmt.Errorf("<%s> outside of a track", name)
		}
	}
	g.depth-- // its end is read here
	if g.track == nil {
		return g.xml.Skip()
	}
	return g.element(&t)
}

// element reads an element of a track: a point, or what may say its name or its label.
func (g *gpx) element(t *xml.StartElement) error {
	var e gpxElement
	if err := g.xml.DecodeElement(&e, t); err != nil {
		return err
	}
	if name := t.Name.Local; name == "trkpt" || name == "rtept" {
		return g.observation(&e)
	}
	if id, ok := e.find(g.columns.ID); ok && g.track.id == "" {
		g.track.id = id
	}
	if label, ok := e.find(g.columns.Label); ok && g.track.label == "" {
		g.track.label = label
	}
	return nil
}

// observation adds a point to the track.
func (g *gpx) observation(e *gpxElement) error {
	var at [2]float64
	for i, name := range []string{"lon", "lat"} {
		spelled, ok := e.value(name)
		if !ok {
			return fmt.Errorf("a point without %s", name)
		}
		var err error
		if at[i], err = number(spelled); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := onEarth(at[0], at[1]); err != nil {
		return err
	}
	values := make([]float64, len(g.columns.Coordinates))
	for i, name := range g.columns.Coordinates {
		spelled, _ := e.value(name)
		var err error
		if values[i], err = number(spelled); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	spelled, ok := e.value(g.columns.Time)
	if !ok {
		return g.observe(g.track, values, nil)
	}
	when, err := g.when(spelled)
	if err != nil {
		return fmt.Errorf("%s: %w", g.columns.Time, err)
	}
	return g.observe(g.track, values, &when)
}
