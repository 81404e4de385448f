package datasets

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
)

// Builder fills a collection, complex by complex. What is wrong with one of them is the error of
// [Builder.Collection], so that calls need no checks.
type Builder struct {
	// Info may be set up to the call of Collection, but for Tasks, which come before the first complex.
	// Without Classes and Tasks, classes are named by their numbers.
	Info
	// Faces says to find the facets of all simplices of degree 2 and more, which incidences are made of. They
	// have to be listed, too.
	Faces bool

	c   Collection
	err error // the first
}

// NewBuilder returns a builder of complexes in Rⁿ.
func NewBuilder(n int) *Builder {
	b := &Builder{c: Collection{Dim: n, VertexStart: []int32{0}}}
	b.grow(0)
	if n < 1 {
		b.fail("dimension %d: it must be at least 1", n)
	}
	return b
}

func (b *Builder) fail(format string, args ...any) {
	if b.err == nil {
		b.err = fmt.Errorf(format, args...)
	}
}

// usable reports whether nothing has been wrong so far.
func (b *Builder) usable() bool {
	if b.c.VertexStart == nil {
		b.fail("the builder has no dimension: make it with datasets.NewBuilder")
	}
	return b.err == nil
}

// grow makes room for simplices up to degree k: the complexes so far have none of those that are new.
func (b *Builder) grow(k int) {
	for len(b.c.Simplices) <= k {
		s := Simplices{}
		if len(b.c.Simplices) > 0 {
			s.Start = make([]int32, len(b.c.VertexStart))
		}
		b.c.Simplices = append(b.c.Simplices, s)
	}
}

// Grow makes room for that many more vertices, if a collection is large and its size is known.
func (b *Builder) Grow(vertices int) {
	c := &b.c
	// make clears memory in pieces, so that the garbage collector need not wait as long as for append.
	grown := make([]float64, len(c.Vertices), len(c.Vertices)+max(0, vertices)*max(0, c.Dim))
	copy(grown, c.Vertices)
	c.Vertices = grown
}

// Add adds a complex with the given vertices [V, n], row after row, and its simplices by degree: simplices[k]
// is [S_k, k+1], vertex numbers from 0 in the order that orients each simplex. Vertices are not listed
// again: simplices[0] is empty. A triangle and its edges are
//
//	b.Add(xyz, [][]int32{1: {0, 1, 1, 2, 0, 2}, 2: {0, 1, 2}}, 0)
//
// The target is the number of its class or the values of all tasks, NaN where unknown. Without a target the
// class is 0, and values are unknown: there is something to predict.
func (b *Builder) Add(vertices []float64, simplices [][]int32, target ...float64) {
	if !b.usable() {
		return
	}
	c, g := &b.c, b.c.Len()
	if len(vertices)%c.Dim != 0 {
		b.fail("complex %d: %d coordinates do not make rows of %d", g, len(vertices), c.Dim)
		return
	}
	b.grow(len(simplices) - 1)
	c.Vertices = append(c.Vertices, vertices...)
	c.VertexStart = append(c.VertexStart, int32(len(c.Vertices)/c.Dim))
	if len(simplices) > 0 && len(simplices[0]) > 0 {
		b.fail("complex %d: simplices of degree 0: they are the vertices, and not listed", g)
	}
	for k := 1; k < len(c.Simplices); k++ {
		s := &c.Simplices[k]
		if k < len(simplices) {
			s.Corners = append(s.Corners, simplices[k]...)
			if n := len(simplices[k]); n%(k+1) != 0 {
				b.fail("complex %d: %d corners of %d-simplices: want %d of each", g, n, k, k+1)
			}
		}
		s.Start = append(s.Start, int32(len(s.Corners)/(k+1)))
	}
	b.target(target)
}

// target appends what is to be learned of the last complex.
func (b *Builder) target(target []float64) {
	c, g := &b.c, b.c.Len()
	label := int32(0)
	switch {
	case b.Tasks != nil && len(target) == 0:
		for range b.Tasks {
			c.Targets = append(c.Targets, float32(math.NaN()))
		}
	case b.Tasks != nil && len(target) == len(b.Tasks):
		for _, y := range target {
			c.Targets = append(c.Targets, float32(y))
		}
	case b.Tasks == nil && len(target) == 1 && target[0] >= 0 && target[0] == math.Trunc(target[0]) &&
		target[0] < math.MaxInt32:
		label = int32(target[0])
	case b.Tasks != nil || len(target) > 0:
		b.fail("complex %d: target %v: want the number of a class or the values of %d tasks, or nothing",
			g, target, len(b.Tasks))
	}
	c.Labels = append(c.Labels, label)
}

// A Complex is an embedded simplicial complex as package simplicial makes it.
type Complex interface {
	Dim() int                // the highest degree
	Ambient() int            // n
	Coords() []float64       // [V, n]
	Simplices(k int) []int32 // [S_k, k+1]
}

// AddComplex adds a complex with all of its simplices.
func (b *Builder) AddComplex(x Complex, target ...float64) {
	if !b.usable() {
		return
	}
	if x == nil || reflect.ValueOf(x).Kind() == reflect.Pointer && reflect.ValueOf(x).IsNil() {
		b.fail("complex %d is nil: there was an error where it was made", b.c.Len())
		return
	}
	if x.Ambient() != b.c.Dim {
		b.fail("complex %d is embedded in dimension %d, not %d", b.c.Len(), x.Ambient(), b.c.Dim)
		return
	}
	simplices := make([][]int32, max(1, x.Dim()+1))
	for k := 1; k <= x.Dim(); k++ {
		simplices[k] = x.Simplices(k)
	}
	b.Add(x.Coords(), simplices, target...)
}

// AddPath adds the polyline through points [N, n]: its edges run from each point to the next.
func (b *Builder) AddPath(points []float64, target ...float64) {
	var edges []int32
	for v := int32(1); int(v) < len(points)/max(1, b.c.Dim); v++ {
		edges = append(edges, v-1, v)
	}
	b.Add(points, [][]int32{1: edges}, target...)
}

// last returns the number of the last complex, which gets something of degree k.
func (b *Builder) last(what string, k int) int {
	if !b.usable() {
		return 0
	}
	g := b.c.Len() - 1
	if g < 0 {
		b.fail("%s of degree %d before the first complex", what, k)
	} else if k < 0 || k > b.c.Degree() {
		b.fail("complex %d: %s of degree %d, but degrees run from 0 to %d", g, what, k, b.c.Degree())
	}
	return g
}

// SetCochain gives values to the k-simplices of the last complex as input data, row after row. All complexes
// need as many columns.
func (b *Builder) SetCochain(k int, values []float64) {
	g := b.last("a cochain", k)
	if b.err != nil {
		return
	}
	s, count := &b.c.Simplices[k], b.c.Count(k, g)
	if s.Width == 0 && count > 0 {
		s.Width = len(values) / count
	}
	if before := int(b.c.start(k)[g]); len(values) != count*s.Width || len(s.Cochain) != before*s.Width {
		b.fail("complex %d: %d values for a cochain on %d simplices of degree %d, after %d values on %d "+
			"others: want as many columns everywhere", g, len(values), count, k, len(s.Cochain), before)
		return
	}
	s.Cochain = append(s.Cochain, values...)
}

// SetLabels gives classes to the k-simplices of the last complex, -1 where unknown: they are what is learned
// then, and not something of complexes. All complexes need them, of one degree.
func (b *Builder) SetLabels(k int, labels []int32) {
	g := b.last("labels", k)
	if b.err != nil {
		return
	}
	s, count, before := &b.c.Simplices[k], b.c.Count(k, g), int(b.c.start(k)[g])
	if len(labels) != count || len(s.Labels) != before {
		b.fail("complex %d: %d labels of %d simplices of degree %d, after %d labels of %d others", g,
			len(labels), count, k, len(s.Labels), before)
		return
	}
	if s.Labels == nil {
		s.Labels = []int32{}
	}
	s.Labels = append(s.Labels, labels...)
}

// SetGlobals gives values to the last complex as a whole, as input data. All complexes need as many.
func (b *Builder) SetGlobals(values []float64) {
	c, g := &b.c, b.last("global values", 0)
	if b.err != nil {
		return
	}
	if g == 0 && c.Globals == nil {
		c.GlobalWidth = len(values)
	}
	if len(values) != c.GlobalWidth || len(c.Globals) != g*c.GlobalWidth {
		b.fail("complex %d: %d global values, after %d of %d complexes: want as many everywhere", g,
			len(values), len(c.Globals), g)
		return
	}
	for _, x := range values {
		c.Globals = append(c.Globals, float32(x))
	}
}

// Collection returns what has been added, or the first thing that was wrong with it. The builder is of no use
// afterwards.
func (b *Builder) Collection() (*Collection, error) {
	c := &b.c
	c.Info = b.Info
	if !b.usable() {
		return nil, fmt.Errorf("collection %q: %w", c.Name, b.err)
	}
	if c.Classes == nil && c.Tasks == nil && c.Len() > 0 {
		last := slices.Max(c.Labels)
		if last >= maxUnnamed {
			return nil, fmt.Errorf("collection %q: complex %d: class number %d: number the classes from 0, "+
				"or name all of them", c.Name, slices.Index(c.Labels, last), last)
		}
		for _, s := range c.Simplices {
			for _, label := range s.Labels {
				last = max(last, min(label, maxUnnamed-1))
			}
		}
		for i := range last + 1 {
			c.Classes = append(c.Classes, strconv.Itoa(int(i)))
		}
	}
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if b.Faces {
		if err := c.findFaces(); err != nil {
			return nil, fmt.Errorf("collection %q: %w", c.Name, err)
		}
	}
	return c, nil
}

// maxUnnamed bounds the classes that are named by their numbers: a larger number is no class, but an
// identifier or a value to be learned.
const maxUnnamed = 1 << 16
