package datasets

import (
	"encoding/binary"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Distinct numbers what repeats itself in a collection: vertices with the same coordinates, and simplices
// whose corners have the same coordinates.
//
// The integral of a form over a simplex depends on those alone, up to the sign of an orientation, so each
// distinct simplex of a batch has to be integrated once. Molecules are the example: the 1,129,451 bonds of
// HIV join 374 kinds of atoms in 1,980 ways, and of 880 bonds in a batch about 150 are distinct.
type Distinct struct {
	Coordinates []float32 // [U, Dim]: those that occur, in order of their first vertex
	Vertex      []int32   // [V]: row in Coordinates of every vertex
	Corners     []int32   // [D, Degree+1]: rows of the distinct simplices, ascending
	Simplex     []int32   // [S]: distinct simplex of every simplex
	Odd         []bool    // [S]: whether its corners have to be permuted oddly for that
}

// NewDistinct looks through a collection, which must be valid.
func NewDistinct(c *Collection) *Distinct {
	corners := c.Degree + 1
	d := &Distinct{Vertex: make([]int32, len(c.Vertices)/c.Dim)}
	count := len(c.Simplices) / corners
	d.Simplex, d.Odd = make([]int32, count), make([]bool, count)
	rows := map[string]int32{}
	var key []byte
	for v := range d.Vertex {
		row := c.Vertices[v*c.Dim : (v+1)*c.Dim]
		key = key[:0]
		for _, x := range row {
			key = binary.LittleEndian.AppendUint32(key, math.Float32bits(x))
		}
		number, ok := rows[string(key)]
		if !ok {
			number = int32(len(rows))
			rows[string(key)] = number
			d.Coordinates = append(d.Coordinates, row...)
		}
		d.Vertex[v] = number
	}
	simplices := map[string]int32{}
	sorted := make([]int32, corners)
	for g := range c.Len() {
		first := c.VertexStart[g]
		for s := int(c.SimplexStart[g]); s < int(c.SimplexStart[g+1]); s++ {
			for i, v := range c.Simplices[s*corners : (s+1)*corners] {
				sorted[i] = d.Vertex[first+v]
			}
			d.Odd[s] = sortOdd(sorted)
			key = key[:0]
			for _, row := range sorted {
				key = binary.LittleEndian.AppendUint32(key, uint32(row))
			}
			number, ok := simplices[string(key)]
			if !ok {
				number = int32(len(simplices))
				simplices[string(key)] = number
				d.Corners = append(d.Corners, sorted...)
			}
			d.Simplex[s] = number
		}
	}
	return d
}

// sortOdd sorts, in place, and reports whether that took an odd number of exchanges.
func sortOdd(s []int32) (odd bool) {
	for i := range s {
		for j := i; j > 0 && s[j] < s[j-1]; j-- {
			s[j], s[j-1] = s[j-1], s[j]
			odd = !odd
		}
	}
	return odd
}

// DistinctBatch holds the distinct simplices of a padded batch, beside a Batch.
//
// With the rows of Vertices as vertices, the integral over simplex i of the batch is Sign[i] times that over
// Simplices[Of[i]].
type DistinctBatch struct {
	Vertices  []int32 // rows in Distinct.Coordinates; padding: U, and at least the last is padding
	Simplices []int32 // [.., Degree+1]: places in Vertices; padding: all corners at the last

	// Nil are those that are left out:
	Of     []int32 // [Budget.Simplices]: distinct simplex of every simplex; padding: 0
	Sign   []int32 // [Budget.Simplices]: 1, or -1 for the other orientation; padding: 0
	Counts []int32 // [complexes, len(Simplices)/(Degree+1)]: how often each complex has each; padding: 0
	Chains []int32 // the same, but the sums of the signs: the coefficients of each complex as a chain
}

// DistinctPacker counts and packs distinct simplices. It is for one goroutine at a time.
type DistinctPacker struct {
	collection *Collection
	distinct   *Distinct
	vertex     marks
	simplex    marks
}

// NewPacker returns a packer for batches of the collection that d was made of.
func (d *Distinct) NewPacker(c *Collection) *DistinctPacker {
	corners := c.Degree + 1
	return &DistinctPacker{
		collection: c, distinct: d,
		vertex:  marks{place: make([]int32, len(d.Coordinates)/c.Dim)},
		simplex: marks{place: make([]int32, len(d.Corners)/corners)},
	}
}

// marks remembers which numbers are in a batch, and where. What a batch leaves stays below the base of the
// next, so nothing has to be cleared.
type marks struct {
	place       []int32 // [numbers]: base plus place
	base, count int32
}

// next begins with a new batch.
func (m *marks) next() {
	m.base += m.count
	m.count = 0
	if m.base > math.MaxInt32/2 {
		clear(m.place)
		m.base = 0
	}
}

// put returns the place of a number and whether it is new.
func (m *marks) put(number int32) (place int32, fresh bool) {
	if at := m.place[number]; at > m.base {
		return at - m.base - 1, false
	}
	m.count++
	m.place[number] = m.base + m.count
	return m.count - 1, true
}

// Count returns the number of distinct vertices and simplices of the complexes ids, which must be of the
// collection; vertices of no simplex do not count.
func (p *DistinctPacker) Count(ids []int32) (vertices, simplices int) {
	p.vertex.next()
	p.simplex.next()
	corners := p.collection.Degree + 1
	for _, id := range ids {
		for s := p.collection.SimplexStart[id]; s < p.collection.SimplexStart[id+1]; s++ {
			number := p.distinct.Simplex[s]
			if _, fresh := p.simplex.put(number); fresh {
				for _, row := range p.distinct.Corners[int(number)*corners : (int(number)+1)*corners] {
					p.vertex.put(row)
				}
			}
		}
	}
	return int(p.vertex.count), int(p.simplex.count)
}

// Pack fills the batch with the simplices of the complexes ids, in that order, and the rest with padding. It
// reports whether they fit; if not, the batch is of no use.
func (p *DistinctPacker) Pack(ids []int32, b *DistinctBatch) bool {
	corners := p.collection.Degree + 1
	width := len(b.Simplices) / corners
	if entries := len(ids) * width; b.Counts != nil && entries > len(b.Counts) ||
		b.Chains != nil && entries > len(b.Chains) {
		return false
	}
	clear(b.Counts)
	clear(b.Chains)
	p.vertex.next()
	p.simplex.next()
	at := 0
	for complex, id := range ids {
		from, to := p.collection.SimplexStart[id], p.collection.SimplexStart[id+1]
		first := at
		at += int(to - from)
		if b.Of != nil && at > len(b.Of) || b.Sign != nil && at > len(b.Sign) {
			return false
		}
		row := complex * width
		for i, number := range p.distinct.Simplex[from:to] {
			place, fresh := p.simplex.put(number)
			if fresh && !p.corners(number, int(place)*corners, b) {
				return false
			}
			if b.Of != nil {
				b.Of[first+i] = place
			}
			if b.Counts != nil {
				b.Counts[row+int(place)]++
			}
			if b.Sign == nil && b.Chains == nil {
				continue
			}
			sign := int32(1)
			if p.distinct.Odd[int(from)+i] {
				sign = -1
			}
			if b.Sign != nil {
				b.Sign[first+i] = sign
			}
			if b.Chains != nil {
				b.Chains[row+int(place)] += sign
			}
		}
	}
	pad(b.Of, at, 0)
	pad(b.Sign, at, 0)
	fill(b.Vertices[p.vertex.count:], int32(len(p.vertex.place)))
	fill(b.Simplices[int(p.simplex.count)*corners:], int32(len(b.Vertices)-1))
	return true
}

// corners writes the corners of a distinct simplex to b.Simplices[at:] and reports whether there is room for
// them and their vertices.
func (p *DistinctPacker) corners(number int32, at int, b *DistinctBatch) bool {
	corners := p.collection.Degree + 1
	if at+corners > len(b.Simplices) {
		return false
	}
	for i, row := range p.distinct.Corners[int(number)*corners : (int(number)+1)*corners] {
		place, fresh := p.vertex.put(row)
		if fresh {
			if int(place)+1 >= len(b.Vertices) {
				return false
			}
			b.Vertices[place] = row
		}
		b.Simplices[at+i] = place
	}
	return true
}

// DistinctBudget is the static shape of the distinct simplices of a batch.
type DistinctBudget struct {
	Vertices  int // rows; at least one of them is padding
	Simplices int // rows
}

// Holding returns the smallest budget that holds what b holds and that many distinct vertices and simplices,
// rounded up.
func (b DistinctBudget) Holding(vertices, simplices int) DistinctBudget {
	return DistinctBudget{max(b.Vertices, roundUp(vertices+1)), max(b.Simplices, roundUp(simplices))}
}

// Budgets returns the shapes for batches of the given number of complexes: one that is exceeded by about one
// batch in a hundred or fewer, as are those of the function Budgets, and a proven bound; usual.Simplices is
// what to compare with the Simplices of those to see whether it pays.
func (p *DistinctPacker) Budgets(batch int, bound Budget) (usual, most DistinctBudget) {
	vertices, simplices := make([]float64, 0, distinctSamples), make([]float64, 0, distinctSamples)
	random, ids := NewRandom(0), everyID(p.collection)
	for len(simplices) < distinctSamples {
		random.Shuffle(ids)
		for part := range slices.Chunk(ids, batch) {
			v, s := p.Count(part)
			vertices, simplices = append(vertices, float64(v)), append(simplices, float64(s))
			if len(simplices) == distinctSamples {
				break
			}
		}
	}
	most = DistinctBudget{}.Holding(
		min(bound.Vertices, len(p.vertex.place)), min(bound.Simplices, len(p.simplex.place)))
	usual = DistinctBudget{}.Holding(within(vertices), within(simplices))
	usual.Vertices, usual.Simplices = min(usual.Vertices, most.Vertices), min(usual.Simplices, most.Simplices)
	return usual, most
}

// distinctSamples is the number of batches that are looked at to choose a budget.
const distinctSamples = 64

// within returns the mean plus budgetDeviations standard deviations.
func within(counts []float64) int {
	mean, deviation := stat.MeanStdDev(counts, nil)
	return int(math.Ceil(mean + budgetDeviations*deviation))
}
