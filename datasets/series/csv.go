package series

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/internal/table"
)

// readTable reads a table with a row for every observation.
func (f *file) readTable(r io.Reader, columns Columns) error {
	if columns.ID == "" || len(columns.Coordinates) == 0 {
		return errors.New("a table of tracks: name the column of what tracks are called, and those of " +
			"coordinates")
	}
	t, err := table.New(r, f.name, columns.Separator)
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
	id, time, label := place(columns.ID), place(columns.Time), place(columns.Label)
	var at []int
	for _, name := range columns.Coordinates {
		at = append(at, place(name))
	}
	if err != nil {
		return err
	}
	numbers := map[string]int{} // of paths, by id
	values := make([]float64, len(at))
	for {
		fields, err := t.Record()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if err := f.row(t, fields, numbers, id, time, label, at, values); err != nil {
			return fmt.Errorf("%s, line %d: %w", f.name, t.Line(), err)
		}
	}
	units := make([]string, len(columns.Coordinates))
	for i, name := range columns.Coordinates {
		if name == columns.Longitude || name == columns.Latitude {
			units[i] = "degrees"
		}
	}
	f.finish(columns.Coordinates, units, columns.Time)
	return nil
}

// row adds an observation to its path.
func (f *file) row(t *table.Table, fields []string, numbers map[string]int, id, time, label int, at []int,
	values []float64) error {
	if fault := t.Overflow(fields); fault != "" {
		return errors.New(fault)
	}
	if len(fields) < len(t.Head) {
		return fmt.Errorf("the row has %d of %d fields", len(fields), len(t.Head))
	}
	name := strings.TrimSpace(fields[id])
	if name == "" {
		return fmt.Errorf("column %q: nothing says which track the row belongs to", t.Head[id])
	}
	g, known := numbers[name]
	if !known {
		g, name = len(f.paths), strings.Clone(name)
		numbers[name] = g
		f.paths = append(f.paths, path{line: t.Line(), id: name})
	}
	p := &f.paths[g]
	for i, column := range at {
		x, err := number(fields[column])
		if err != nil {
			return fmt.Errorf("column %q: %w", t.Head[column], err)
		}
		values[i] = x
	}
	var when *float64
	if time >= 0 {
		x, err := f.when(fields[time])
		if err != nil {
			return fmt.Errorf("column %q: %w", t.Head[time], err)
		}
		when = &x
	}
	if label >= 0 {
		text := strings.TrimSpace(fields[label])
		switch {
		case table.Missing(text):
		case p.label == "":
			p.label = strings.Clone(text)
		case p.label != text:
			return fmt.Errorf("column %q: the track %s is %.40s here, but %.40s before", t.Head[label],
				datasets.Printable(p.id), datasets.Printable(text), datasets.Printable(p.label))
		}
	}
	return f.observe(p, values, when)
}
