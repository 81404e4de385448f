package datasets

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Validate returns an error that names the complex and the row of the first violation of the documentation.
//
// It checks every offset, vertex number, coordinate and target. All users of a collection rely on this check.
// Collections of a [Builder] pass it.
func (c *Collection) Validate() error {
	if c == nil {
		return errors.New("the collection is nil: there was an error where it was made")
	}
	if err := c.check(); err != nil {
		return fmt.Errorf("collection %q: %w", c.Name, err)
	}
	return nil
}

func (c *Collection) check() error {
	if c.Dim < 1 || len(c.Simplices) == 0 {
		return fmt.Errorf("dimension %d and degree %d: the dimension must be at least 1, the degree at "+
			"least 0", c.Dim, c.Degree())
	}
	if err := c.checkVertices(); err != nil {
		return err
	}
	for k := range c.Simplices {
		for _, check := range []func(k int) error{c.checkCorners, c.checkFaces, c.checkCochain} {
			if err := check(k); err != nil {
				return err
			}
		}
	}
	return c.checkTargets()
}

func (c *Collection) checkVertices() error {
	values, width, rows := len(c.Vertices), c.Dim, len(c.Vertices)/c.Dim
	if c.Rows != nil {
		if values%width != 0 {
			return fmt.Errorf("%d coordinates do not make rows of %d", values, width)
		}
		values, width = len(c.Rows), 1
	}
	if err := checkStarts(c.VertexStart, c.Len(), values, width); err != nil {
		return fmt.Errorf("VertexStart: %w", err)
	}
	if v := slices.IndexFunc(c.Rows, func(row int32) bool { return row < 0 || int(row) >= rows }); v >= 0 {
		return c.fault(0, v, "row %d of the coordinates, of which there are %d", c.Rows[v], rows)
	}
	i := slices.IndexFunc(c.Vertices, infinite)
	if i < 0 {
		return nil
	}
	v := i / c.Dim
	if c.Rows != nil {
		v = slices.Index(c.Rows, int32(v))
	}
	if v < 0 {
		return fmt.Errorf("row %d of the coordinates, of no vertex, holds %v", i/c.Dim, c.Vertices[i])
	}
	return c.fault(0, v, "coordinate %d is %v, not a finite number of 32 bits", i%c.Dim, c.Vertices[i])
}

// infinite reports whether x is infinite or NaN in the 32 bits that networks compute in.
func infinite[T float32 | float64](x T) bool {
	y := float32(x)
	return y-y != 0
}

// fault returns an error about a row of the k-simplices.
func (c *Collection) fault(k, row int, format string, args ...any) error {
	g, start := 0, c.start(k)
	for int(start[g+1]) <= row {
		g++
	}
	return fmt.Errorf("complex %d, simplex %d of degree %d: %s", g, row-int(start[g]), k,
		fmt.Sprintf(format, args...))
}

// rows returns the number of k-simplices of all complexes together.
func (c *Collection) rows(k int) int { return int(c.start(k)[c.Len()]) }

func (c *Collection) checkCorners(k int) error {
	s := &c.Simplices[k]
	if k == 0 {
		if len(s.Corners)+len(s.Start)+len(s.Faces) > 0 {
			return errors.New("simplices of degree 0: they are the vertices, and not listed")
		}
		return nil
	}
	if err := checkStarts(s.Start, c.Len(), len(s.Corners), k+1); err != nil {
		return fmt.Errorf("start of %d-simplices: %w", k, err)
	}
	return c.checkNumbers(k, 0, s.Corners)
}

func (c *Collection) checkFaces(k int) error {
	s := &c.Simplices[k]
	if s.Faces == nil && s.Signs == nil {
		return nil
	}
	if want := c.rows(k) * (k + 1); len(s.Faces) != want || len(s.Signs) != want {
		return fmt.Errorf("%d faces with %d signs for %d %d-simplices", len(s.Faces), len(s.Signs),
			c.rows(k), k)
	}
	if err := c.checkNumbers(k, k-1, s.Faces); err != nil {
		return err
	}
	if i := slices.IndexFunc(s.Signs, func(x int8) bool { return x != 1 && x != -1 }); i >= 0 {
		return c.fault(k, i/(k+1), "sign %d of face %d: want 1 or -1", s.Signs[i], i%(k+1))
	}
	return nil
}

// checkNumbers checks numbers, k+1 for each k-simplex, of simplices of degree of.
func (c *Collection) checkNumbers(k, of int, numbers []int32) error {
	start := c.start(k)
	for g := range c.Len() {
		count := int32(c.Count(of, g))
		from, to := int(start[g])*(k+1), int(start[g+1])*(k+1)
		for i, number := range numbers[from:to] {
			if number < 0 || number >= count {
				return c.fault(k, (from+i)/(k+1), "number %d of a simplex of degree %d, but the complex has "+
					"%d of them", number, of, count)
			}
		}
	}
	return nil
}

func (c *Collection) checkCochain(k int) error {
	s := &c.Simplices[k]
	if rows := c.rows(k); len(s.Cochain) != rows*s.Width {
		return fmt.Errorf("%d values for a cochain of width %d on %d %d-simplices: want as many on each",
			len(s.Cochain), s.Width, rows, k)
	}
	if i := slices.IndexFunc(s.Cochain, infinite); i >= 0 {
		return c.fault(k, i/s.Width, "the cochain's value is %v, not a finite number of 32 bits",
			s.Cochain[i])
	}
	return nil
}

// checkTargets returns an error that names the first complex with a class that cannot be learned.
func (c *Collection) checkTargets() error {
	if c.Tasks != nil && len(c.Tasks) == 0 {
		return errors.New("an empty list of tasks: name one or more, or leave it nil to learn classes")
	}
	for g, label := range c.Labels {
		if none := label < 0 || int(label) >= len(c.Classes); none && (c.Tasks == nil || label != 0) {
			return fmt.Errorf("complex %d: class number %d, but there are %d classes", g, label,
				len(c.Classes))
		}
	}
	return c.checkValues()
}

// checkValues returns an error that names the first value that cannot be learned.
func (c *Collection) checkValues() error {
	if len(c.Targets) != c.Len()*len(c.Tasks) {
		return fmt.Errorf("%d values for %d complexes and %d tasks", len(c.Targets), c.Len(), len(c.Tasks))
	}
	for i, y := range c.Targets {
		unknown := math.IsNaN(float64(y))
		if !unknown && (infinite(y) || !c.Regression && y != 0 && y != 1) {
			want := "1, 0, or NaN where unknown"
			if c.Regression {
				want = "a finite number, or NaN where unknown"
			}
			return fmt.Errorf("complex %d: the value of %s is %v; it must be %s", i/len(c.Tasks),
				c.Tasks[i%len(c.Tasks)], y, want)
		}
	}
	return nil
}

// checkStarts returns an error unless start holds the offsets of the given number of complexes into an array
// of rows of the given width.
func checkStarts(start []int32, complexes, length, width int) error {
	switch rows := length / width; {
	case length%width != 0:
		return fmt.Errorf("%d values do not make rows of %d", length, width)
	case len(start) != complexes+1:
		return fmt.Errorf("%d offsets for %d complexes; it takes one more", len(start), complexes)
	case start[0] != 0 || int(start[complexes]) != rows:
		return fmt.Errorf("the offsets run from %d to %d instead of 0 to %d", start[0], start[complexes],
			rows)
	}
	for g := range complexes {
		if start[g+1] < start[g] {
			return fmt.Errorf("complex %d ends before it starts (%d, %d)", g, start[g], start[g+1])
		}
	}
	return nil
}
