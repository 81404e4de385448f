package series

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/datasets/internal/table"
)

// places are those of the columns of a table, and the numbers of the coordinates that are in degrees; -1 for
// none.
type places struct {
	id, time, label int
	coordinates     []int
	lon, lat        int
}

// readTable reads a table with a row for every observation.
func (r *reader) readTable(in io.Reader) error {
	c := r.columns
	if c.ID == "" || len(c.Coordinates) == 0 {
		return errors.New("a table of tracks: name the column of what tracks are called, and those of " +
			"coordinates")
	}
	t, err := table.New(in, r.name, c.Separator)
	if err != nil {
		return err
	}
	place := func(name string) (at int) {
		if name == "" || err != nil {
			return -1
		}
		at, err = t.Column(name)
		return at
	}
	at := places{id: place(c.ID), time: place(c.Time), label: place(c.Label),
		lon: slices.Index(c.Coordinates, c.Longitude), lat: slices.Index(c.Coordinates, c.Latitude)}
	units := make([]string, len(c.Coordinates))
	for i, name := range c.Coordinates {
		if at.coordinates = append(at.coordinates, place(name)); i == at.lon || i == at.lat {
			units[i] = "degrees"
		}
	}
	if err != nil {
		return err
	}
	if err := at.check(c.Coordinates, units); err != nil {
		return fmt.Errorf("%s: %w", r.name, err)
	}
	r.n = len(units)
	from, known := len(r.paths), map[string]int{} // numbers of paths, by id
	for {
		fields, err := t.Record()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if err := r.row(t, fields, at, known); err != nil {
			return fmt.Errorf("%s, line %d: %w", r.name, t.Line(), err)
		}
	}
	r.finish(from, units, c.Time)
	return nil
}

// check returns an error if an encoder would take others of the coordinates, which it knows by their names or
// their order, for the longitude and the latitude.
func (at places) check(coordinates, units []string) error {
	if at.lon < 0 || at.lat < 0 {
		return nil
	}
	if lon, lat := (Header{Coordinates: coordinates, Units: units}).earth(); lon != at.lon || lat != at.lat {
		return fmt.Errorf("the longitude is %q and the latitude %q, but models would take others of the "+
			"coordinates for these: give the longitude before the latitude, and others no such names",
			coordinates[at.lon], coordinates[at.lat])
	}
	return nil
}

// degrees returns an error for coordinates in degrees that no place on the Earth has.
func (at places) degrees(row []float64) error {
	lon, lat := 0.0, 0.0
	if at.lon >= 0 {
		lon = row[at.lon]
	}
	if at.lat >= 0 {
		lat = row[at.lat]
	}
	return onEarth(lon, lat)
}

// row adds an observation to its path.
func (r *reader) row(t *table.Table, fields []string, at places, known map[string]int) error {
	if fault := t.Overflow(fields); fault != "" {
		return errors.New(fault)
	}
	if len(fields) < len(t.Head) {
		return fmt.Errorf("the row has %d of %d fields", len(fields), len(t.Head))
	}
	id := strings.TrimSpace(fields[at.id])
	if id == "" {
		return fmt.Errorf("column %q: empty, but every row needs the ID of its track", t.Head[at.id])
	}
	g, ok := known[id]
	if !ok {
		g, id = len(r.paths), strings.Clone(id)
		r.add(t.Line()).id = id
		known[id] = g
	}
	p := &r.paths[g]
	for _, column := range at.coordinates {
		x, err := number(fields[column])
		if err != nil {
			return fmt.Errorf("column %q: %w", t.Head[column], err)
		}
		p.points = append(p.points, x)
	}
	if err := at.degrees(p.points[len(p.points)-r.n:]); err != nil {
		return err
	}
	if at.time >= 0 {
		when, err := r.when(fields[at.time])
		if err != nil {
			return fmt.Errorf("column %q: %w", t.Head[at.time], err)
		}
		p.times = append(p.times, when)
	}
	if at.label >= 0 {
		text := strings.TrimSpace(fields[at.label])
		switch {
		case table.Missing(text):
		case p.label == "":
			p.label = strings.Clone(text)
		case p.label != text:
			return fmt.Errorf("column %q: the track %s is %.40s here, but %.40s before", t.Head[at.label],
				fileio.Printable(p.id), fileio.Printable(text), fileio.Printable(p.label))
		}
	}
	return r.count(r.n + 1)
}
