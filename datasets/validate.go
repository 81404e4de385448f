package datasets

import (
	"errors"
	"fmt"
	"math"
)

// Validate returns an error that names the complex and the row of the first thing that is not as documented.
//
// It looks at every offset, vertex number, coordinate and target. Everything that takes a collection relies
// on one that passes, as those of a [Builder] do.
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
	if err := checkStarts(c.VertexStart, c.Len(), len(c.Vertices), c.Dim); err != nil {
		return fmt.Errorf("VertexStart: %w", err)
	}
	for i, x := range c.Vertices {
		if !finite(x) {
			g, v := place(c.VertexStart, i/c.Dim)
			return fmt.Errorf("complex %d, vertex %d, column %d: the coordinate is %v, not a finite number",
				g, v, i%c.Dim, x)
		}
	}
	for k := range c.Simplices {
		if err := c.checkSimplices(k); err != nil {
			return err
		}
	}
	if err := c.checkGlobals(); err != nil {
		return err
	}
	return c.checkTargets()
}

// finite reports whether x is neither infinite nor NaN in the 32 bits that networks compute in.
func finite[T float32 | float64](x T) bool {
	y := float32(x)
	return y-y == 0
}

// checkGlobals returns an error that names the first complex without proper values.
func (c *Collection) checkGlobals() error {
	if len(c.Globals) != c.Len()*c.GlobalWidth {
		return fmt.Errorf("%d global values for %d complexes: want %d of each", len(c.Globals), c.Len(),
			c.GlobalWidth)
	}
	for i, x := range c.Globals {
		if !finite(x) {
			return fmt.Errorf("complex %d: global value %d is %v, not a finite number", i/c.GlobalWidth,
				i%c.GlobalWidth, x)
		}
	}
	return nil
}

// place returns the complex that owns a row, and the number of the row within it.
func place(start []int32, row int) (g, number int) {
	for int(start[g+1]) <= row {
		g++
	}
	return g, row - int(start[g])
}

// checkSimplices returns an error that names what is wrong with the k-simplices.
func (c *Collection) checkSimplices(k int) error {
	s := &c.Simplices[k]
	if k > 0 {
		if err := checkStarts(s.Start, c.Len(), len(s.Corners), k+1); err != nil {
			return fmt.Errorf("start of %d-simplices: %w", k, err)
		}
		if err := c.checkNumbers(k, 0, s.Corners,
			"vertex number %d, but the complex has %d vertices"); err != nil {
			return err
		}
	} else if len(s.Corners)+len(s.Start)+len(s.Faces) > 0 {
		return fmt.Errorf("simplices of degree 0: they are the vertices, and not listed")
	}
	rows := int(c.start(k)[c.Len()])
	if s.Faces != nil || s.Signs != nil {
		if len(s.Faces) != rows*(k+1) || len(s.Signs) != rows*(k+1) {
			return fmt.Errorf("%d faces with %d signs for %d %d-simplices", len(s.Faces), len(s.Signs),
				rows, k)
		}
		if err := c.checkNumbers(k, k-1, s.Faces,
			"face number %d, but the complex has %d of them"); err != nil {
			return err
		}
		for i, sign := range s.Signs {
			if sign != 1 && sign != -1 {
				g, number := place(s.Start, i/(k+1))
				return fmt.Errorf("complex %d, simplex %d of degree %d: sign %d of face %d: want 1 or -1",
					g, number, k, sign, i%(k+1))
			}
		}
	}
	if err := c.checkCochain(k, rows); err != nil {
		return err
	}
	return c.checkLabels(k, rows)
}

// checkCochain returns an error that names the first of the k-simplices without proper values.
func (c *Collection) checkCochain(k, rows int) error {
	s := &c.Simplices[k]
	if s.Width > 0 && len(s.Cochain) < rows*s.Width {
		g, number := place(c.start(k), len(s.Cochain)/s.Width)
		return fmt.Errorf("complex %d, simplex %d of degree %d: no values of the cochain, but others have %d",
			g, number, k, s.Width)
	}
	if len(s.Cochain) != rows*s.Width {
		return fmt.Errorf("%d values for a cochain of width %d on %d %d-simplices", len(s.Cochain), s.Width,
			rows, k)
	}
	for i, x := range s.Cochain {
		if !finite(x) {
			g, number := place(c.start(k), i/s.Width)
			return fmt.Errorf("complex %d, simplex %d of degree %d: the cochain's value is %v, not a finite "+
				"number", g, number, k, x)
		}
	}
	return nil
}

// checkLabels returns an error that names the first of the k-simplices whose class is none.
func (c *Collection) checkLabels(k, rows int) error {
	labels := c.Simplices[k].Labels
	if labels == nil {
		return nil
	}
	if labeled := c.Labeled(); labeled != k || c.Tasks != nil {
		return fmt.Errorf("labels of simplices of degree %d beside tasks or those of degree %d: one kind of "+
			"answer is learned", k, labeled)
	}
	if len(labels) != rows {
		return fmt.Errorf("%d labels for %d simplices of degree %d: give -1 where they are unknown",
			len(labels), rows, k)
	}
	for i, label := range labels {
		if label < -1 || int(label) >= len(c.Classes) {
			g, number := place(c.start(k), i)
			return fmt.Errorf("complex %d, simplex %d of degree %d: class number %d, but there are %d "+
				"classes", g, number, k, label, len(c.Classes))
		}
	}
	return nil
}

// checkNumbers returns an error that names the first of the numbers, k+1 for each k-simplex, that is not the
// number of a simplex of degree of.
func (c *Collection) checkNumbers(k, of int, numbers []int32, message string) error {
	start, start0 := c.start(k), c.start(of)
	for g := range c.Len() {
		count := start0[g+1] - start0[g]
		from, to := int(start[g])*(k+1), int(start[g+1])*(k+1)
		for i, number := range numbers[from:to] {
			if number < 0 || number >= count {
				return fmt.Errorf("complex %d, simplex %d of degree %d: "+message, g, i/(k+1), k,
					number, count)
			}
		}
	}
	return nil
}

// checkTargets returns an error that names the first complex with a class or value that cannot be learned.
func (c *Collection) checkTargets() error {
	if c.Tasks != nil && len(c.Tasks) == 0 {
		return errors.New("an empty list of tasks: name one or more, or leave it nil to learn classes")
	}
	for g, label := range c.Labels {
		if c.Tasks != nil && label == 0 {
			continue // there are no classes
		}
		if label < 0 || int(label) >= len(c.Classes) {
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
		if math.IsInf(float64(y), 0) || !c.Regression && y != 0 && y != 1 && !math.IsNaN(float64(y)) {
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

// checkStarts returns an error unless start holds the offsets of the given number of owners into an array of
// rows of the given width.
func checkStarts(start []int32, owners, length, width int) error {
	if length%width != 0 {
		return fmt.Errorf("%d values do not make rows of %d", length, width)
	}
	if len(start) != owners+1 {
		return fmt.Errorf("%d offsets for %d owners; it takes one more", len(start), owners)
	}
	if start[0] != 0 || int(start[owners]) != length/width {
		return fmt.Errorf("the offsets run from %d to %d instead of 0 to %d", start[0], start[owners],
			length/width)
	}
	for g := range owners {
		if start[g+1] < start[g] {
			return fmt.Errorf("number %d ends before it starts (%d, %d)", g, start[g], start[g+1])
		}
	}
	return nil
}
