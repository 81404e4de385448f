package packing

import (
	"encoding/binary"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/internal/simplex"
)

// distinct numbers what repeats itself in a collection: vertices with the same coordinates, and simplices
// whose corners have the same coordinates.
//
// The integral of a form over a simplex depends on those alone, up to the sign of an orientation, so each
// distinct simplex of a batch has to be integrated once. Molecules are the example: the 1,129,451 bonds of
// HIV join 374 kinds of atoms in 1,980 ways, and of 880 bonds in a batch about 150 are distinct.
type distinct struct {
	coordinates []float32  // [U, Dim]: those that occur, in order of their first vertex
	vertex      []int32    // [V]: row in coordinates of every vertex
	simplices   []numbered // by degree
}

// numbered are the distinct simplices of one degree; of degree 0 there are none.
type numbered struct {
	corners []int32 // [D, k+1]: rows of the distinct simplices, ascending
	of      []int32 // [S]: distinct simplex of every simplex
	signs   []int8  // [S]: sign of the permutation that maps its corners to the distinct simplex
}

// numbering numbers keys in the order in which they come.
type numbering map[string]int32

// of returns the number of a key and whether the key is new.
func (n numbering) of(key []byte) (number int32, fresh bool) {
	number, ok := n[string(key)]
	if !ok {
		number = int32(len(n))
		n[string(key)] = number
	}
	return number, !ok
}

// Distinct returns a packer that stores vertices and simplices with the same coordinates only once, where a
// usual batch has at most the given share of distinct simplices.
//
// Of many complexes, or vertices, a sample is numbered first. What hardly repeats itself there is not looked
// for in all, which would take several times the memory of the collection.
func Distinct(c *datasets.Collection, share float64) *Packer {
	p := New(c)
	vertices, simplices := true, true
	switch count := vertexCount(c); {
	case c.Len() > 4*maxSample:
		vertices, simplices = repeated(c, share)
	case count > 4*maxVertices:
		vertices = repeatedVertices(c, count)
		simplices = vertices // a simplex is listed once, so it needs them
	}
	if !vertices && !simplices {
		return p
	}
	d := &distinct{simplices: make([]numbered, len(c.Simplices))}
	d.numberVertices(c)
	for k := range d.simplices {
		if simplices {
			d.simplices[k] = d.number(c, k)
		}
	}
	p.distinct, p.marks, p.share = d, d.marks(), share
	return p
}

// numberVertices numbers the vertices.
func (d *distinct) numberVertices(c *datasets.Collection) {
	d.vertex = make([]int32, vertexCount(c))
	numbers, key := numbering{}, []byte(nil)
	known := make([]int32, len(c.Vertices)/c.Dim) // one more than the number of a row that was met
	for v := range d.vertex {
		at := rowOf(c, v)
		if known[at] > 0 {
			d.vertex[v] = known[at] - 1
			continue
		}
		row := c.Vertices[at*c.Dim : (at+1)*c.Dim]
		key = key[:0]
		for _, x := range row {
			key = binary.LittleEndian.AppendUint32(key, math.Float32bits(float32(x)))
		}
		number, fresh := numbers.of(key)
		if fresh {
			d.coordinates = append(d.coordinates, datasets.Float32s(row)...)
		}
		d.vertex[v], known[at] = number, number+1
	}
}

// repeats reports whether there are distinct k-simplices.
func (d *distinct) repeats(k int) bool { return d != nil && len(d.simplices[k].corners) > 0 }

// number numbers the k-simplices.
func (d *distinct) number(c *datasets.Collection, k int) numbered {
	s := &c.Simplices[k]
	if len(s.Corners) == 0 {
		return numbered{}
	}
	count := len(s.Corners) / (k + 1)
	r := numbered{of: make([]int32, count), signs: make([]int8, count)}
	numbers, sorted, key := numbering{}, make([]int32, k+1), []byte(nil)
	for g := range c.Len() {
		first := c.VertexStart[g]
		for i := int(s.Start[g]); i < int(s.Start[g+1]); i++ {
			for j, v := range s.Corners[i*(k+1) : (i+1)*(k+1)] {
				sorted[j] = d.vertex[first+v]
			}
			r.signs[i] = simplex.Sort(sorted)
			key = simplex.AppendKey(key[:0], sorted)
			number, fresh := numbers.of(key)
			if fresh {
				r.corners = append(r.corners, sorted...)
			}
			r.of[i] = number
		}
	}
	return r
}

// marks are those of the distinct simplices of a degree and of their vertices.
type marks struct{ vertices, simplices places }

// marks returns new ones by degree.
func (d *distinct) marks() (all []marks) {
	if d == nil {
		return nil
	}
	vertices := 0
	if len(d.vertex) > 0 {
		vertices = int(slices.Max(d.vertex)) + 1
	}
	for k, s := range d.simplices {
		m := marks{}
		if d.repeats(k) {
			m.vertices.place = make([]int32, vertices)
			m.simplices.place = make([]int32, len(s.corners)/(k+1))
		}
		all = append(all, m)
	}
	return all
}

// places records which numbers occur in a batch, and where. Entries of older batches are below base, so it
// never needs clearing.
type places struct {
	place       []int32 // [numbers]: base plus place
	base, count int32
}

// next begins with a new batch.
func (m *places) next() {
	m.base += m.count
	m.count = 0
	if m.base > math.MaxInt32/2 {
		clear(m.place)
		m.base = 0
	}
}

// put returns the place of a number and whether it is new.
func (m *places) put(number int32) (place int32, fresh bool) {
	if at := m.place[number]; at > m.base {
		return at - m.base - 1, false
	}
	m.count++
	m.place[number] = m.base + m.count
	return m.count - 1, true
}

// next begins with a new batch.
func (m *marks) next() {
	m.vertices.next()
	m.simplices.next()
}

// count returns the number of vertices and simplices of the batch.
func (m *marks) count() Repeated { return Repeated{int(m.vertices.count), int(m.simplices.count)} }

// rounded returns the rows that the vertices, with one for padding, and simplices take.
func (r Repeated) rounded() Repeated { return Repeated{roundUp(r.Vertices + 1), roundUp(r.Simplices)} }

// countDistinct counts the distinct k-simplices of the complexes and their vertices.
func (p *Packer) countDistinct(k int, ids []int32) Repeated {
	if !p.distinct.repeats(k) {
		return Repeated{}
	}
	m := &p.marks[k]
	m.next()
	start, d := p.starts[k], &p.distinct.simplices[k]
	for _, id := range ids {
		for _, number := range d.of[start[id]:start[id+1]] {
			if _, fresh := m.simplices.put(number); fresh {
				for _, row := range d.corners[int(number)*(k+1) : (int(number)+1)*(k+1)] {
					m.vertices.put(row)
				}
			}
		}
	}
	return m.count()
}

// distinctSamples is the number of random batches that budgets are chosen by.
const distinctSamples = 64

// addDistinct adds rows for distinct vertices and simplices to the budgets of a batch: a usual number that is
// exceeded by about one batch in a hundred or fewer, and a proven bound. It adds none where there are too
// many.
func (p *Packer) addDistinct(usual, bound *Budget) {
	var few, most []Repeated
	simplices, all := 0, 0
	for k, sample := range p.sampleDistinct(usual.Complexes) {
		var f, b Repeated
		if p.distinct.repeats(k) {
			m := &p.marks[k]
			mean, deviation := stat.MeanStdDev(sample[0], nil)
			f.Vertices, b.Vertices = rows(mean, deviation, min(bound.Rows[0], len(m.vertices.place)), 1)
			mean, deviation = stat.MeanStdDev(sample[1], nil)
			f.Simplices, b.Simplices = rows(mean, deviation, min(bound.Rows[k], len(m.simplices.place)), 0)
			simplices, all = simplices+f.Simplices, all+usual.Rows[k]
		}
		few, most = append(few, f), append(most, b)
	}
	if all > 0 && float64(simplices) <= p.share*float64(all) {
		usual.Distinct, bound.Distinct = few, most
	}
}

// sampleDistinct counts the distinct vertices and simplices of random batches: [degrees][2][samples].
func (p *Packer) sampleDistinct(batch int) (counts [][2][]float64) {
	if p.data.Len() == 0 {
		return nil
	}
	counts = make([][2][]float64, len(p.starts))
	random, ids := datasets.NewRandom(0), p.data.IDs()
	for done := 0; done < distinctSamples; {
		random.Shuffle(ids)
		for part := range slices.Chunk(ids, batch) {
			for k := range counts {
				n := p.countDistinct(k, part)
				counts[k][0] = append(counts[k][0], float64(n.Vertices))
				counts[k][1] = append(counts[k][1], float64(n.Simplices))
			}
			if done++; done == distinctSamples {
				break
			}
		}
	}
	return counts
}

// packDistinct packs the distinct k-simplices, and reports whether they fit.
func (p *Packer) packDistinct(l *Layout, k int, ids []int32) bool {
	view := func(kind Kind) []int32 { // nil if it is not packed
		if part := l.Find(kind, k); part >= 0 && len(p.views[part]) > 0 {
			return p.views[part]
		}
		return nil
	}
	set := func(view []int32, at int, x int32) {
		if view != nil {
			view[at] = x
		}
	}
	rows, corners := view(DistinctRows), view(DistinctCorners)
	of, signs := view(DistinctOf), view(DistinctSign)
	counts, chains := view(DistinctCounts), view(DistinctChains)
	clear(counts)
	clear(chains)
	m, d, budget := &p.marks[k], &p.distinct.simplices[k], l.Budget.Distinct[k]
	m.next()
	at, width, padding := 0, budget.Simplices, int32(budget.Vertices-1)
	for place, id := range ids {
		for s := p.starts[k][id]; s < p.starts[k][id+1]; s++ {
			number, sign := d.of[s], int32(d.signs[s])
			n, fresh := m.simplices.put(number)
			if fresh && int(n) == width {
				return false
			}
			if fresh {
				for i, row := range d.corners[int(number)*(k+1) : (int(number)+1)*(k+1)] {
					vertex, fresh := m.vertices.put(row)
					if fresh && vertex >= padding {
						return false
					}
					set(rows, int(vertex), row)
					set(corners, int(n)*(k+1)+i, vertex)
				}
			}
			set(of, at, n)
			set(signs, at, sign)
			if counts != nil {
				counts[place*width+int(n)]++
			}
			if chains != nil {
				chains[place*width+int(n)] += sign
			}
			at++
		}
	}
	pad(of, at, 0)
	pad(signs, at, 0)
	pad(rows, int(m.vertices.count), p.tableRows())
	pad(corners, int(m.simplices.count)*(k+1), padding)
	return padding >= 0
}

// pad fills a part from a place on, if it is packed.
func pad(view []int32, from int, x int32) {
	if view != nil {
		fill(view[from:], x)
	}
}
