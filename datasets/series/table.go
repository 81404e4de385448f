package series

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/datasets/internal/table"
	"github.com/neuralkforms/nkf/datasets/internal/text"
)

// Columns names the columns of a table of paths.
type Columns struct {
	// ID is what paths are called: the rows that have the same belong to one path.
	ID string
	// Coordinates are those of the path, in this order.
	Coordinates []string
	// Order is a number that sorts the observations of a path, such as a time, which is all that it is used
	// for; "" for the order of the rows.
	Order string
	// Label is the class or the number to be learned, the same in all rows of a path; "" for nothing.
	Label     string
	Task      datasets.Task
	Separator rune // of columns; 0 is the one of comma, semicolon and tab that the first line has
}

// reader returns a reader of tables.
func (c Columns) reader() *reader {
	return &reader{asked: c, columns: c, table: true, label: c.Label, n: len(c.Coordinates)}
}

// places are those of the columns of a table; -1 for none.
type places struct {
	id, order, label int
	coordinates      []int
}

// readTable reads a table with a row for every observation.
func (r *reader) readTable(in io.Reader) error {
	c := r.columns
	if c.ID == "" || len(c.Coordinates) == 0 {
		return errors.New("a table of paths: name the column of what paths are called, and those of " +
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
	at := places{id: place(c.ID), order: place(c.Order), label: place(c.Label)}
	for _, name := range c.Coordinates {
		at.coordinates = append(at.coordinates, place(name))
	}
	if err != nil {
		return err
	}
	from := len(r.paths)
	if !r.second() {
		r.known = map[string]int{}
	}
	for {
		fields, err := t.Record()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if err := r.row(t, fields, at); err != nil {
			return fmt.Errorf("%s, line %d: %w", r.name, t.Line(), err)
		}
	}
	if r.parts == nil {
		for i := range r.paths[from:] {
			r.paths[from+i].sort()
		}
	}
	return nil
}

// sort brings the observations into the order of the column, if there is one; equal ones stay as they are.
func (p *path) sort() {
	if !slices.IsSorted(p.order) {
		places := make([]int, len(p.order))
		for i := range places {
			places[i] = i
		}
		slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(p.order[a], p.order[b]) })
		p.pick(places)
	}
	p.order = nil
}

// row adds an observation to its path.
func (r *reader) row(t *table.Table, fields []string, at places) error {
	if fault := t.Overflow(fields); fault != "" {
		return errors.New(fault)
	}
	if len(fields) < len(t.Head) {
		return fmt.Errorf("the row has %d of %d fields", len(fields), len(t.Head))
	}
	p, err := r.pathOf(t, fields, at)
	if err != nil {
		return err
	}
	if !r.surveys() {
		if err := r.observe(p, t, fields, at); err != nil {
			return err
		}
	}
	if r.second() {
		return r.done(p)
	}
	p.rows++
	if at.label < 0 {
		return nil
	}
	label := strings.TrimSpace(fields[at.label])
	switch {
	case table.Missing(label):
	case p.label == "":
		p.label = strings.Clone(label)
	case p.label != label:
		return fmt.Errorf("column %q: the path %s is %.40s here, but %.40s before", t.Head[at.label],
			fileio.Printable(p.id), fileio.Printable(label), fileio.Printable(p.label))
	}
	return nil
}

// pathOf returns the path of a row by its ID, which may be a new one.
func (r *reader) pathOf(t *table.Table, fields []string, at places) (*path, error) {
	id := strings.TrimSpace(fields[at.id])
	if id == "" {
		return nil, fmt.Errorf("column %q: empty, but every row needs the ID of its path", t.Head[at.id])
	}
	g, ok := r.known[id]
	switch {
	case r.second() && (!ok || g > r.begun || r.paths[g].rows == 0):
		return nil, r.changed()
	case !ok:
		g, id = len(r.paths), strings.Clone(id)
		r.add(t.Line()).id = id
		r.known[id] = g
	case r.second() && g == r.begun: // its first row
		return r.next()
	}
	return &r.paths[g], nil
}

// observe reads the values on a row.
func (r *reader) observe(p *path, t *table.Table, fields []string, at places) error {
	for _, column := range at.coordinates {
		x, err := number(fields[column])
		if err != nil {
			return fmt.Errorf("column %q: %w", t.Head[column], err)
		}
		p.points = append(p.points, x)
	}
	if at.order < 0 {
		return r.count(r.n)
	}
	x, err := text.Number(strings.TrimSpace(fields[at.order]))
	if err != nil {
		return fmt.Errorf("column %q: %.40q is not a number: rows are in the order of numbers, or as "+
			"they stand", t.Head[at.order], fields[at.order])
	}
	p.order = append(p.order, x)
	return r.count(r.n + 1)
}
