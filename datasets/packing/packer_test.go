package packing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
)

// TestPackKeepsEverySimplex: every part of every batch is what the documentation of its kind says, whatever
// the row held before.
func TestPackKeepsEverySimplex(t *testing.T) {
	for _, c := range everything() {
		all, layouts := packers(c, 7)
		for i, p := range all {
			for _, ids := range append(batches(c, 5, 7), nil) {
				for _, l := range layouts[i] {
					row := garbage(l)
					ok := must(p.Pack(l, ids, row))
					require.Equal(t, p.fits(l.Budget, ids), ok)
					if ok {
						requireParts(t, p, l, ids, parts(l, row))
					}
				}
				require.True(t, p.fits(layouts[i][1].Budget, ids), "the bound is proven")
			}
		}
	}
}

// requireParts compares the packed parts with those put together complex by complex.
func requireParts(t *testing.T, p *Packer, l *Layout, ids []int32, views [][]int32) {
	t.Helper()
	c, table := p.data, make([]float32, p.TableRows()*p.data.Dim)
	p.Coordinates(table)
	for i, part := range l.Parts {
		switch {
		case !part.Packed:
			require.Empty(t, views[i])
		case part.Kind == Rows:
			var want []float32
			for _, id := range ids {
				want = append(want, datasets.Float32s(c.Points(int(id)))...)
			}
			require.Less(t, len(want)/c.Dim, part.Rows, "a padding vertex is left")
			for v, row := range views[i] {
				if at := v * c.Dim; at < len(want) {
					require.Equal(t, want[at:at+c.Dim], table[int(row)*c.Dim:(int(row)+1)*c.Dim])
				} else {
					require.EqualValues(t, len(table)/c.Dim-1, row)
				}
			}
		case part.Kind < DistinctRows:
			require.Equal(t, expected(c, l, part, ids), views[i], "kind %d of degree %d", part.Kind,
				part.Degree)
		case part.Kind == DistinctRows:
			requireDistinct(t, p, l, part.Degree, views)
		}
	}
	require.Equal(t, make([]float32, c.Dim), table[len(table)-c.Dim:])
}

// expected returns a part of a batch.
func expected(c *datasets.Collection, l *Layout, part Part, ids []int32) (out []int32) {
	k := part.Degree
	s := &c.Simplices[k]
	rows := func(kind Kind, degree int) int {
		if kind == SimplexOf && degree == 0 {
			kind = VertexOf
		}
		return l.Parts[l.Find(kind, degree)].Rows
	}
	last, vertices, below := int32(0), 0, 0
	numbers := func(values []int32, base, rows int) {
		last = int32(rows - 1)
		for _, v := range values {
			out = append(out, int32(base)+v)
		}
	}
	floats := func(values []float32) {
		for _, x := range values {
			out = append(out, int32(math.Float32bits(x)))
		}
	}
	owner := func(place, count int) {
		last = int32(l.Budget.Complexes)
		for range count {
			out = append(out, int32(place))
		}
	}
	if part.Kind == Targets {
		last = int32(math.Float32bits(float32(math.NaN())))
	}
	for place, id := range append(slices.Clone(ids), -1) {
		padding := id < 0
		g := max(0, int(id))
		from, to := 0, 0
		if !padding {
			from, to = int(starts(c, k)[g]), int(starts(c, k)[g+1])
		}
		switch part.Kind {
		case VertexOf, SimplexOf:
			owner(place, to-from)
		case Corners:
			numbers(s.Corners[from*(k+1):to*(k+1)], vertices, rows(VertexOf, 0))
		case Faces:
			numbers(s.Faces[from*(k+1):to*(k+1)], below, rows(SimplexOf, k-1))
		case Signs:
			for _, sign := range s.Signs[from*(k+1) : to*(k+1)] {
				out = append(out, int32(sign))
			}
		case Cochain:
			floats(datasets.Float32s(s.Cochain[from*s.Width : to*s.Width]))
		case Labels:
			if !padding {
				out = append(out, c.Labels[g])
			}
		case Mask:
			if !padding {
				out = append(out, 1)
			}
		case Targets:
			if !padding {
				floats(c.Targets[g*len(c.Tasks) : (g+1)*len(c.Tasks)])
			}
		}
		if !padding {
			vertices += c.Count(0, g)
			if k > 0 {
				below += c.Count(k-1, g)
			}
		}
	}
	for len(out) < part.Rows*part.Columns {
		out = append(out, last)
	}
	return out
}

func starts(c *datasets.Collection, k int) []int32 {
	if k == 0 {
		return c.VertexStart
	}
	return c.Simplices[k].Start
}

func TestPackAllocatesNothing(t *testing.T) {
	for _, c := range everything() {
		all, layouts := packers(c, 16)
		for i, p := range all {
			l, ids := layouts[i][1], batches(c, 2, 16)[0]
			row := garbage(l)
			require.Zero(t, testing.AllocsPerRun(20, func() {
				if ok, err := p.Pack(l, ids, row); !ok || err != nil {
					t.Error("not packed", err)
				}
				if !p.fits(l.Budget, ids) {
					t.Error("does not fit")
				}
			}))
		}
	}
}

func TestPackErrors(t *testing.T) {
	c := plain(1, 10, 1, 9)
	p := New(c)
	_, bound := must2(p.Budgets(4))
	l := p.Layout(bound)
	row := garbage(l)
	_, err := p.Pack(l, []int32{0, 10}, row)
	require.ErrorContains(t, err, "complex number 10 at place 1")
	_, err = p.Pack(l, []int32{-1}, row)
	require.ErrorContains(t, err, "complex number -1")
	_, err = p.Pack(l, []int32{0}, row[1:])
	require.ErrorContains(t, err, "a row of")
	require.Equal(t, garbage(l), row, "an error leaves the row as it was")
	require.False(t, must(p.Pack(l, make([]int32, 5), row)), "more complexes than the budget has")

	full := int32(slices.IndexFunc(c.IDs(), func(id int32) bool { return c.Count(0, int(id)) > 0 }))
	rows := c.Count(0, int(full))
	require.False(t, p.fits(Budget{Complexes: 1, Rows: []int{rows, 100}}, []int32{full}),
		"no padding is left")
	require.True(t, p.fits(Budget{Complexes: 1, Rows: []int{rows + 1, 100}}, []int32{full}))
	require.False(t, p.fits(Budget{Complexes: 1}, nil), "a budget of another collection")
}

// TestWithout: without some parts the others are as before, and rows of which nothing is packed do not bound
// a batch.
func TestWithout(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	seen := map[bool]int{}
	for _, c := range everything() {
		all, layouts := packers(c, 7)
		for i, p := range all {
			bound := layouts[i][1]
			small := bound.Budget
			small.Rows, small.Distinct = slices.Clone(small.Rows), slices.Clone(small.Distinct)
			for _, rows := range sizes(&small) {
				*rows = max(1, *rows*(1+r.IntN(4))/4)
			}
			for _, ids := range batches(c, 6, 7) {
				for _, l := range []*Layout{bound, p.Layout(small)} {
					var without []int
					for part := range l.Parts {
						if r.IntN(2) == 0 {
							without = append(without, part)
						}
					}
					trimmed := l.Without(without...)
					row := garbage(trimmed)
					ok := must(p.Pack(trimmed, ids, row))
					require.True(t, ok || !p.fits(l.Budget, ids))
					seen[ok == p.fits(l.Budget, ids)]++
					if !ok {
						continue
					}
					// Values that number padding rows are those of the small budget, so compare like with
					// like.
					if !p.fits(l.Budget, ids) {
						continue
					}
					whole := garbage(l)
					ok = must(p.Pack(l, ids, whole))
					require.True(t, ok)
					want := parts(l, whole)
					for part, view := range parts(trimmed, row) {
						if trimmed.Parts[part].Packed {
							require.Equal(t, want[part], view)
						}
					}
				}
			}
		}
	}
	require.Positive(t, seen[false], "some batches fit only without a part")
	require.Positive(t, seen[true])
}

// TestNumbersBoundBatches: packed values that number rows keep a batch from having more of these than the
// budget, though nothing else of them is packed.
func TestNumbersBoundBatches(t *testing.T) {
	c := rich(9, 20, 2)
	p := New(c)
	_, bound := must2(p.Budgets(5))
	ids := batches(c, 1, 5)[0]
	for kind, k := range map[Kind]int{Corners: 0, Faces: 1} {
		short := bound
		short.Rows = slices.Clone(bound.Rows)
		short.Rows[k] = p.count(k, ids) + padding(k) - 1
		require.Positive(t, short.Rows[k])
		l := p.Layout(short)
		var without []int
		for i, part := range l.Parts {
			if part.Kind != kind || part.Degree != 2 {
				without = append(without, i)
			}
		}
		for _, want := range []bool{false, true} {
			trimmed := l.Without(without...)
			require.Equal(t, want, must(p.Pack(trimmed, ids, garbage(trimmed))), kind)
			without = append(without, l.Find(kind, 2))
		}
	}
}

// TestLayoutsAreInterned: equal layouts are the same pointer, wherever they come from.
func TestLayoutsAreInterned(t *testing.T) {
	p := New(rich(3, 24, 2))
	_, bound := must2(p.Budgets(4))
	l := p.Layout(bound)
	require.Same(t, l, p.Clone().Layout(bound))
	require.NotSame(t, l, p.Layout(p.Holding(bound, p.data.IDs())))
	require.Same(t, l, l.Without())
	require.Same(t, l.Without(2, 3), l.Without(3).Without(2))
	require.True(t, l.Parts[2].Packed, "Without returns another layout")
	require.Same(t, l.WithoutTable(), p.Layout(bound).WithoutTable())
	require.Equal(t, l.Width()-bound.Rows[0], l.WithoutTable().Width())
	require.Equal(t, -1, l.WithoutTable().Find(Rows, 0))
	found := make([]*Layout, 8)
	var group sync.WaitGroup
	for i := range found {
		group.Go(func() { found[i] = p.Layout(Budget{Complexes: 77, Rows: bound.Rows}) })
	}
	group.Wait()
	for _, f := range found {
		require.Same(t, found[0], f)
	}
}

// TestClonesPackAlike runs packers at the same time; the race detector watches.
func TestClonesPackAlike(t *testing.T) {
	c := rich(8, 30, 2)
	all, layouts := packers(c, 5)
	for i, p := range all {
		l := layouts[i][1]
		var group sync.WaitGroup
		rows := make([][][]int32, 4)
		for i := range rows {
			clone := p.Clone()
			group.Go(func() {
				for _, ids := range batches(c, 1, 5) {
					row := garbage(l)
					if ok, err := clone.Pack(l, ids, row); !ok || err != nil {
						t.Error("a clone does not pack", err)
					}
					rows[i] = append(rows[i], row)
				}
			})
		}
		group.Wait()
		for _, own := range rows[1:] {
			require.Equal(t, rows[0], own)
		}
	}
}

func ExamplePacker_Pack() {
	// Two graphs in the plane: a path of three nodes and a single edge.
	b := datasets.NewBuilder(2)
	b.AddPath([]float64{0, 0, 1, 0, 1, 1}, 0)
	b.AddPath([]float64{2, 2, 3, 3}, 1)
	c, err := b.Collection()
	if err != nil {
		fmt.Println(err)
		return
	}
	p := New(c)
	layout := p.Layout(Budget{Complexes: 3, Rows: []int{8, 4}})
	row := make([]int32, layout.Width())
	if ok, err := p.Pack(layout, []int32{1, 0}, row); !ok {
		fmt.Println("too small", err)
		return
	}
	names := map[Kind]string{Rows: "vertices", VertexOf: "of", Corners: "edges", SimplexOf: "of",
		Labels: "labels", Mask: "mask"}
	for _, part := range layout.Parts {
		length := part.Rows * part.Columns
		fmt.Println(names[part.Kind], row[:length])
		row = row[length:]
	}
	// Output:
	// vertices [3 4 0 1 2 5 5 5]
	// of [0 0 1 1 1 3 3 3]
	// edges [0 1 2 3 3 4 7 7]
	// of [0 1 1 3]
	// labels [1 0 0]
	// mask [1 1 0]
}

// fits reports whether the complexes ids fit the budget, with a vertex left over for padding.
func (p *Packer) fits(b Budget, ids []int32) bool {
	if !p.fitsRows(b, ids, func(int) bool { return true }) {
		return false
	}
	for k, most := range b.Distinct {
		if p.distinct.repeats(k) {
			if n := p.countDistinct(k, ids); n.Vertices >= most.Vertices || n.Simplices > most.Simplices {
				return false
			}
		}
	}
	return true
}

// must returns the result of a call that cannot fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// must2 is must for two results.
func must2[S, T any](x S, y T, err error) (S, T) { return x, must(y, err) }

// TestSharedRows: batches of vertices that share rows are those of the same vertices with rows of their own.
func TestSharedRows(t *testing.T) {
	for _, c := range []*datasets.Collection{plain(5, 40, 2, 9), rich(6, 40, 3)} {
		same := shared(c)
		require.Less(t, len(same.Vertices), len(c.Vertices))
		want, layouts := packers(c, 7)
		got, others := packers(same, 7)
		require.Equal(t, layouts, others)
		require.Equal(t, want[1].distinct, got[1].distinct)
		for i, l := range layouts {
			for _, ids := range batches(c, 5, 7) {
				a, b := garbage(l[1]), garbage(l[1])
				require.True(t, must(want[i].Pack(l[1], ids, a)))
				require.True(t, must(got[i].Pack(l[1], ids, b)))
				if i == 0 { // the rows of the table differ
					a, b = a[l[1].Parts[0].Length():], b[l[1].Parts[0].Length():]
				}
				require.Equal(t, a, b)
				batch := Batch{ids, l[1].WithoutTable(), nil}
				require.Equal(t, want[i].Vertices(batch), got[i].Vertices(batch))
			}
		}
	}
}
