package datasets

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/neuralkforms/nkf/datasets/simplicial"
)

// Builder fills a collection, complex by complex. The first invalid complex becomes the error of
// [Builder.Collection], so calls need no checks.
type Builder struct {
	// Info may be set up to the call of Collection, but for Tasks, which come before the first complex.
	// Without Classes and Tasks, classes are named by their numbers.
	Info
	// Faces says to find the facets of all simplices of degree 2 and more, which incidences are made of. They
	// have to be listed, too.
	Faces bool
	// Shared says to store the coordinates of equal vertices once, see Rows of a Collection: for one-hot
	// columns, of which there are few kinds of rows. It has to be set before the first complex.
	Shared bool

	c    Collection
	rows map[string]int32 // with Shared, rows of coordinates by their bits
	key  []byte           // scratch
	err  error            // the first
}

// NewBuilder returns a builder of complexes in Rⁿ.
func NewBuilder(n int) *Builder {
	return &Builder{c: Collection{Dim: n, VertexStart: []int32{0}, Simplices: []Simplices{{}}}}
}

// built counts the complexes that were added.
var built atomic.Int64

// Built returns how many complexes all builders of the process have taken: a program that knows how many an
// encoder makes can tell how far it is.
func Built() int64 { return built.Load() }

func (b *Builder) fail(format string, args ...any) {
	if b.err == nil {
		b.err = fmt.Errorf(format, args...)
	}
}

// usable reports whether nothing has been wrong so far.
func (b *Builder) usable() bool {
	if b.c.Dim < 1 {
		b.fail("a builder of dimension %d: make it with NewBuilder, for 1 or more", b.c.Dim)
	}
	return b.err == nil
}

// Grow reserves memory for more vertices, for large collections of known size: none with Shared.
func (b *Builder) Grow(vertices int) {
	if !b.Shared {
		b.c.Vertices = slices.Grow(b.c.Vertices, max(0, vertices)*max(0, b.c.Dim))
	}
}

// Add adds a complex with the given vertices [V, n], row after row, and its simplices by degree: simplices[k]
// is [S_k, k+1], vertex numbers from 0 in the order that orients each simplex. Vertices are not listed
// again: simplices[0] is empty. The degree of a collection is the highest that is listed, also where it is
// empty: a graph without edges is [][]int32{1: nil}. A triangle and its edges are
//
//	b.Add(xyz, [][]int32{1: {0, 1, 1, 2, 0, 2}, 2: {0, 1, 2}}, 0)
//
// The target is the number of its class or the values of all tasks, NaN where unknown. Without a target the
// class is 0 and values are unknown, as in data for prediction.
func (b *Builder) Add(vertices []float64, simplices [][]int32, target ...float64) {
	built.Add(1)
	if !b.usable() {
		return
	}
	c := &b.c
	if len(vertices)%c.Dim != 0 {
		b.fail("complex %d: %d coordinates do not make rows of %d", c.Len(), len(vertices), c.Dim)
	}
	g, count := c.Len(), len(vertices)/c.Dim
	b.addVertices(vertices)
	for len(c.Simplices) < len(simplices) { // the complexes so far have none of this degree
		c.Simplices = append(c.Simplices, Simplices{Start: make([]int32, len(c.VertexStart))})
	}
	c.VertexStart = append(c.VertexStart, c.VertexStart[g]+int32(count))
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

// addVertices appends vertices, or the rows that they share.
func (b *Builder) addVertices(vertices []float64) {
	c := &b.c
	if !b.Shared {
		c.Vertices = append(c.Vertices, vertices...)
		return
	}
	if b.rows == nil {
		b.rows = map[string]int32{}
	}
	for row := range slices.Chunk(vertices, c.Dim) {
		b.key = b.key[:0]
		for _, x := range row {
			b.key = binary.LittleEndian.AppendUint64(b.key, math.Float64bits(x))
		}
		number, known := b.rows[string(b.key)]
		if !known {
			number = int32(len(b.rows))
			b.rows[string(b.key)] = number
			c.Vertices = append(c.Vertices, row...)
		}
		c.Rows = append(c.Rows, number)
	}
}

// target appends what is to be learned of the last complex.
func (b *Builder) target(target []float64) {
	c, label := &b.c, int32(0)
	switch {
	case b.Tasks == nil && len(target) == 1 && target[0] >= 0 && target[0] == math.Trunc(target[0]) &&
		target[0] < math.MaxInt32:
		label = int32(target[0])
	case len(target) > 0 && (b.Tasks == nil || len(target) != len(b.Tasks)):
		b.fail("complex %d: target %v: want the number of a class or the values of %d tasks, or nothing",
			c.Len(), target, len(b.Tasks))
	default:
		for i := range b.Tasks {
			y := math.NaN()
			if len(target) > 0 {
				y = target[i]
			}
			c.Targets = append(c.Targets, float32(y))
		}
	}
	c.Labels = append(c.Labels, label)
}

// AddComplex adds an embedded complex with all of its simplices.
func (b *Builder) AddComplex(x *simplicial.Complex, target ...float64) {
	if x == nil {
		b.fail("complex %d is nil: check the error of what made it", b.c.Len())
		return
	}
	if b.usable() && x.Ambient() != b.c.Dim {
		b.fail("complex %d is embedded in dimension %d, not %d", b.c.Len(), x.Ambient(), b.c.Dim)
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

// SetCochain gives values to the k-simplices of the last complex as input data, row after row. All complexes
// need the same number of columns.
func (b *Builder) SetCochain(k int, values []float64) {
	if !b.usable() {
		return
	}
	g := b.c.Len() - 1
	if g < 0 || k < 0 || k > b.c.Degree() {
		b.fail("complex %d: values of a cochain of degree %d, but there is no such complex or degree", g, k)
		return
	}
	s, count, before := &b.c.Simplices[k], b.c.Count(k, g), int(b.c.start(k)[g])
	if s.Width == 0 && count > 0 {
		s.Width = len(values) / count
	}
	if len(values) != count*s.Width || len(s.Cochain) != before*s.Width {
		b.fail("complex %d: %d values of a cochain for %d rows, after %d for %d others: want as many "+
			"for each",
			g, len(values), count, len(s.Cochain), before)
		return
	}
	s.Cochain = append(s.Cochain, values...)
}

// Collection returns the added complexes, or the first error in them. The builder must not be used
// afterwards.
func (b *Builder) Collection() (*Collection, error) {
	c := &b.c
	c.Info = b.Info
	if b.usable() && c.Classes == nil && c.Tasks == nil {
		b.nameClasses()
	}
	if b.err != nil {
		return nil, fmt.Errorf("collection %q: %w", c.Name, b.err)
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

// nameClasses names the classes by their numbers. A large number is no class, but an identifier or a value to
// be learned.
func (b *Builder) nameClasses() {
	const most = 1 << 16
	last := int32(-1)
	for _, label := range b.c.Labels {
		last = max(last, label)
	}
	if last >= most {
		b.fail("class number %d: number the classes from 0, or name all of them", last)
		return
	}
	for i := range last + 1 {
		b.c.Classes = append(b.c.Classes, strconv.Itoa(int(i)))
	}
}
