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
	coordinates []float32 // [U, Dim]: those that occur, in order of their first vertex
	vertex      []int32   // [V]: row in coordinates of every vertex
	degrees     []int     // of the simplices, without those that have none
	simplices   []repeated
}

// repeated are the distinct simplices of one degree.
type repeated struct {
	corners []int32 // [D, k+1]: rows of the distinct simplices, ascending
	of      []int32 // [S]: distinct simplex of every simplex
	signs   []int8  // [S]: sign of the permutation that maps its corners to the distinct simplex
}

// Distinct returns a packer that stores vertices and simplices with the same coordinates only once. See
// [Packer.DistinctBudgets] for where that pays.
func Distinct(c *datasets.Collection) *Packer {
	p := New(c)
	d := &distinct{vertex: make([]int32, len(c.Vertices)/c.Dim)}
	rows := map[string]int32{}
	var key []byte
	for v := range d.vertex {
		row := c.Vertices[v*c.Dim : (v+1)*c.Dim]
		key = key[:0]
		for _, x := range row {
			key = binary.LittleEndian.AppendUint32(key, math.Float32bits(float32(x)))
		}
		number, ok := rows[string(key)]
		if !ok {
			number = int32(len(rows))
			rows[string(key)] = number
			d.coordinates = append(d.coordinates, Round(row)...)
		}
		d.vertex[v] = number
	}
	for k := range c.Simplices {
		if k > 0 && len(c.Simplices[k].Corners) > 0 {
			d.degrees = append(d.degrees, k)
			d.simplices = append(d.simplices, d.repeated(c, k))
		}
	}
	p.distinct, p.marks = d, d.marks()
	return p
}

// repeated numbers the k-simplices.
func (d *distinct) repeated(c *datasets.Collection, k int) repeated {
	s := &c.Simplices[k]
	count := len(s.Corners) / (k + 1)
	r := repeated{of: make([]int32, count), signs: make([]int8, count)}
	numbers := map[string]int32{}
	sorted, key := make([]int32, k+1), []byte(nil)
	for g := range c.Len() {
		first := c.VertexStart[g]
		for i := int(s.Start[g]); i < int(s.Start[g+1]); i++ {
			for j, v := range s.Corners[i*(k+1) : (i+1)*(k+1)] {
				sorted[j] = d.vertex[first+v]
			}
			r.signs[i] = simplex.Sort(sorted)
			key = simplex.AppendKey(key[:0], sorted)
			number, ok := numbers[string(key)]
			if !ok {
				number = int32(len(numbers))
				numbers[string(key)] = number
				r.corners = append(r.corners, sorted...)
			}
			r.of[i] = number
		}
	}
	return r
}

// marks records which numbers occur in a batch, and where. Entries of older batches are below base, so marks
// never needs clearing.
type marks struct {
	place       []int32 // [numbers]: base plus place
	base, count int32
}

// marks returns those of the vertices and simplices of each degree.
func (d *distinct) marks() (all []marks) {
	for i, k := range d.degrees {
		vertices := 0
		if len(d.vertex) > 0 {
			vertices = int(slices.Max(d.vertex)) + 1
		}
		all = append(all, marks{place: make([]int32, vertices)},
			marks{place: make([]int32, len(d.simplices[i].corners)/(k+1))})
	}
	return all
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

// countDistinct marks the distinct vertices and simplices of the complexes, of all degrees; vertices of no
// simplex do not count.
func (p *Packer) countDistinct(ids []int32) {
	for i := range p.distinct.degrees {
		p.countRepeated(i, ids)
	}
}

// countRepeated marks those of the i-th degree.
func (p *Packer) countRepeated(i int, ids []int32) {
	k := p.distinct.degrees[i]
	vertices, simplices := &p.marks[2*i], &p.marks[2*i+1]
	vertices.next()
	simplices.next()
	start, d := p.data.Simplices[k].Start, &p.distinct.simplices[i]
	for _, id := range ids {
		for _, number := range d.of[start[id]:start[id+1]] {
			if _, fresh := simplices.put(number); fresh {
				for _, row := range d.corners[int(number)*(k+1) : (int(number)+1)*(k+1)] {
					vertices.put(row)
				}
			}
		}
	}
}

// distinctRows returns the rows that the marked vertices and simplices take, rounded up, the vertices with
// one for padding.
func (p *Packer) distinctRows() (rows []int) {
	for i, m := range p.marks {
		rows = append(rows, roundUp(int(m.count)+1-i%2))
	}
	return rows
}

// distinctFit reports whether the distinct vertices and simplices of the i-th degree fit a budget.
func (p *Packer) distinctFit(b Budget, i int, ids []int32) bool {
	p.countRepeated(i, ids)
	return int(p.marks[2*i].count) < b.Distinct[2*i] && int(p.marks[2*i+1].count) <= b.Distinct[2*i+1]
}

// DistinctBudgets adds rows for distinct vertices and simplices to the budgets that Budgets returned for
// batches of the given size: a usual number that is exceeded by about one batch in a hundred or fewer, and a
// proven bound. It reports whether distinct simplices are at most the given share of all.
func (p *Packer) DistinctBudgets(batch int, usual, bound *Budget, share float64) bool {
	if p.distinct == nil || len(p.distinct.degrees) == 0 || p.data.Len() == 0 {
		return false
	}
	counts := make([][]float64, len(p.marks))
	random, ids := datasets.NewRandom(0), p.data.IDs()
	for len(counts[0]) < distinctSamples {
		random.Shuffle(ids)
		for part := range slices.Chunk(ids, batch) {
			p.countDistinct(part)
			for i, m := range p.marks {
				counts[i] = append(counts[i], float64(m.count))
			}
			if len(counts[0]) == distinctSamples {
				break
			}
		}
	}
	var few, most []int
	simplices, all := 0, 0
	for i, m := range p.marks {
		axis := 0
		if i%2 == 1 {
			axis = p.axis(p.distinct.degrees[i/2])
		}
		spare := 1 - i%2
		mean, deviation := stat.MeanStdDev(counts[i], nil)
		largest := roundUp(min(bound.Rows[axis], len(m.place)) + spare)
		rows := min(roundUp(int(math.Ceil(mean+budgetDeviations*deviation))+spare), largest)
		few, most = append(few, rows), append(most, largest)
		if i%2 == 1 {
			simplices, all = simplices+rows, all+usual.Rows[axis]
		}
	}
	if float64(simplices) > share*float64(all) {
		return false
	}
	usual.Distinct, bound.Distinct = few, most
	return true
}

// distinctSamples is the number of batches that are looked at to choose a budget.
const distinctSamples = 64

// packRepeated packs the distinct simplices of the i-th degree, and reports whether they fit.
func (p *Packer) packRepeated(l *Layout, i int, ids []int32) bool {
	k, d := p.distinct.degrees[i], &p.distinct.simplices[i]
	view := func(kind Kind) []int32 {
		if part := l.Find(kind, k); part >= 0 && len(p.views[part]) > 0 {
			return p.views[part]
		}
		return nil
	}
	rows, corners := view(DistinctRows), view(DistinctCorners)
	of, signs := view(DistinctOf), view(DistinctSign)
	counts, chains := view(DistinctCounts), view(DistinctChains)
	clear(counts)
	clear(chains)
	vertices, simplices := &p.marks[2*i], &p.marks[2*i+1]
	vertices.next()
	simplices.next()
	room, width := l.Budget.Distinct[2*i], l.Budget.Distinct[2*i+1]
	if room < 1 {
		return false
	}
	table := cornerTable{vertices, rows, corners, int32(room - 1)}
	start, at := p.data.Simplices[k].Start, 0
	for place, id := range ids {
		from, to := int(start[id]), int(start[id+1])
		own := d.signs[from:to]
		for s, number := range d.of[from:to] {
			n, fresh := simplices.put(number)
			if fresh && (int(n) == width || !table.put(d.corners[int(number)*(k+1):(int(number)+1)*(k+1)])) {
				return false
			}
			if of != nil {
				of[at+s] = n
			}
			if signs != nil {
				signs[at+s] = int32(own[s])
			}
			if counts != nil {
				counts[place*width+int(n)]++
			}
			if chains != nil {
				chains[place*width+int(n)] += int32(own[s])
			}
		}
		at += to - from
	}
	if of != nil {
		clear(of[at:])
	}
	if signs != nil {
		clear(signs[at:])
	}
	if rows != nil {
		fill(rows[vertices.count:], p.rows())
	}
	fill(table.corners, table.padding)
	return true
}

// cornerTable is filled with distinct simplices, one after the other.
type cornerTable struct {
	vertices      *marks
	rows, corners []int32 // those of the vertices, and what is left of DistinctCorners; nil if not packed
	padding       int32   // the last place
}

// put writes the rows of a simplex that are new, and the places of all. It reports whether there was room.
func (t *cornerTable) put(simplex []int32) bool {
	for i, row := range simplex {
		place, fresh := t.vertices.put(row)
		if fresh {
			if place == t.padding {
				return false
			}
			if t.rows != nil {
				t.rows[place] = row
			}
		}
		if t.corners != nil {
			t.corners[i] = place
		}
	}
	if t.corners != nil {
		t.corners = t.corners[len(simplex):]
	}
	return true
}
