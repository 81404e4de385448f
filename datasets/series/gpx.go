package series

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

const (
	maxDepth = 64      // of elements
	maxText  = 1 << 12 // bytes of a text that is kept
)

// gpx reads the GPS Exchange Format, element by element.
type gpx struct {
	*file
	columns Columns
	xml     *xml.Decoder
	open    []string // names of the elements around
	text    strings.Builder
	track   *path
	point   map[string]string // what the observation has; nil outside of one
}

// readGPX reads the tracks and routes of a GPX file.
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
	g := &gpx{file: f, columns: columns, xml: xml.NewDecoder(r)}
	g.xml.CharsetReader = latin
	for {
		token, err := g.xml.RawToken()
		if err == io.EOF && len(g.open) == 0 {
			break
		}
		line, _ := g.xml.InputPos()
		if err == nil {
			err = g.token(token)
		}
		var syntax *xml.SyntaxError
		switch {
		case err == io.EOF:
			return fmt.Errorf("%s, line %d: the file ends within <%s>: it was cut off, get it again", f.name,
				line, g.open[len(g.open)-1])
		case errors.As(err, &syntax):
			return fmt.Errorf("%s, line %d: no XML: %s", f.name, syntax.Line, syntax.Msg)
		case err != nil:
			return fmt.Errorf("%s, line %d: %w", f.name, line, err)
		}
	}
	f.finish(columns.Coordinates, units(columns.Coordinates), columns.Time)
	return nil
}

// latin returns the text of a file in one of the encodings that old programs write.
func latin(charset string, r io.Reader) (io.Reader, error) {
	switch strings.ToLower(charset) {
	case "utf-8", "utf8", "us-ascii", "ascii":
		return r, nil
	case "iso-8859-1", "latin1", "windows-1252":
		return &latinReader{r: r}, nil
	}
	return nil, fmt.Errorf("the encoding %.40q is not read: save the file as UTF-8", charset)
}

// latinReader turns ISO 8859-1 into UTF-8.
type latinReader struct {
	r    io.Reader
	left []byte
}

// Read implements io.Reader.
func (l *latinReader) Read(p []byte) (int, error) {
	if len(l.left) == 0 {
		var some [512]byte
		n, err := l.r.Read(some[:])
		if n == 0 {
			return 0, err
		}
		for _, b := range some[:n] {
			l.left = append(l.left, string(rune(b))...)
		}
	}
	n := copy(p, l.left)
	l.left = l.left[n:]
	return n, nil
}

// token reads the next part of the file.
func (g *gpx) token(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		return g.start(t)
	case xml.CharData:
		if g.track != nil && g.text.Len() < maxText {
			g.text.Write(t[:min(len(t), maxText)])
		}
	case xml.EndElement:
		if len(g.open) == 0 || g.open[len(g.open)-1] != t.Name.Local {
			return fmt.Errorf("</%.40s> ends what was not begun", t.Name.Local)
		}
		err := g.end(t.Name.Local)
		g.open = g.open[:len(g.open)-1]
		return err
	}
	return nil
}

func (g *gpx) start(t xml.StartElement) error {
	name := t.Name.Local
	switch {
	case len(g.open) == 0 && name != "gpx":
		return fmt.Errorf("<%.40s> where <gpx> has to be: this is no GPX file", name)
	case len(g.open) >= maxDepth:
		return fmt.Errorf("more than %d elements within each other", maxDepth)
	}
	g.open = append(g.open, name)
	g.text.Reset()
	switch name {
	case "trk", "rte":
		if g.track != nil {
			return fmt.Errorf("<%s> within another track", name)
		}
		line, _ := g.xml.InputPos()
		g.track = &path{line: line}
	case "trkpt", "rtept":
		if g.track == nil || g.point != nil {
			return fmt.Errorf("<%s> outside of a track, or within another point", name)
		}
		g.point = map[string]string{}
		for _, a := range t.Attr {
			g.point[a.Name.Local] = a.Value
		}
	}
	return nil
}

func (g *gpx) end(name string) error {
	switch {
	case name == "trk", name == "rte":
		if len(g.track.channels) > 0 {
			g.paths = append(g.paths, *g.track)
		}
		g.track = nil
	case name == "trkpt", name == "rtept":
		return g.observation()
	case g.point != nil:
		if name == g.columns.Time || slices.Contains(g.columns.Coordinates, name) {
			g.point[name] = g.text.String()
		}
	case g.track != nil:
		text := strings.TrimSpace(g.text.String())
		if name == g.columns.ID && g.track.id == "" {
			g.track.id = text
		}
		if name == g.columns.Label && g.track.label == "" {
			g.track.label = text
		}
	}
	g.text.Reset()
	return nil
}

// observation adds a point to the track.
func (g *gpx) observation() error {
	defer func() { g.point = nil }()
	values := make([]float64, len(g.columns.Coordinates))
	for i, name := range g.columns.Coordinates {
		text, ok := g.point[name]
		if !ok && (name == "lon" || name == "lat") {
			return fmt.Errorf("a point without %s", name)
		}
		var err error
		if values[i], err = number(text); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	text, ok := g.point[g.columns.Time]
	if !ok {
		return g.observe(g.track, values, nil)
	}
	at, err := clock(text)
	if err != nil {
		return fmt.Errorf("%s: %w", g.columns.Time, err)
	}
	return g.observe(g.track, values, &at)
}
