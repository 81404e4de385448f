package packing

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
)

// plain returns a collection of simplices of one degree, up to most in a complex, some of which have none. A
// simplex may have a vertex twice. Those of odd degree have labels.
func plain(t testing.TB, seed uint64, complexes, degree, most int) *datasets.Collection {
	t.Helper()
	r, b := rand.New(rand.NewPCG(seed, 1)), datasets.NewBuilder(3)
	b.Info = datasets.Info{Name: "plain", Classes: []string{"a", "b"}}
	for range complexes {
		vertices := r.IntN(most + 1)
		simplices := make([][]int32, degree+1)
		if vertices > 0 && degree > 0 {
			for range r.IntN(most+1) * (degree + 1) {
				simplices[degree] = append(simplices[degree], int32(r.IntN(vertices)))
			}
		}
		b.Add(points(r, vertices, 3), simplices, float64(r.IntN(2)))
		if labels := make([]int32, len(simplices[degree])/(degree+1)); degree%2 == 1 {
			for i := range labels {
				labels[i] = int32(i%3 - 1)
			}
			b.SetLabels(degree, labels)
		}
	}
	c, err := b.Collection()
	require.NoError(t, err)
	return c
}

// points returns coordinates on a coarse grid, so that they repeat themselves.
func points(r *rand.Rand, count, dim int) (x []float64) {
	for range count * dim {
		x = append(x, float64(r.IntN(3)-1))
	}
	return x
}

// rich returns a collection with simplices of all degrees, in random order and orientation, with faces,
// cochains on every degree, values of the whole and two tasks.
func rich(t testing.TB, seed uint64, complexes, degree int) *datasets.Collection {
	t.Helper()
	r, b := rand.New(rand.NewPCG(seed, 2)), datasets.NewBuilder(2)
	b.Info = datasets.Info{Name: "rich", Tasks: []string{"yes", "no"}}
	b.Faces = true
	for range complexes {
		vertices := r.IntN(7)
		simplices := closed(r, vertices, degree)
		b.Add(points(r, vertices, 2), simplices, [][]float64{{1, 0}, {math.NaN(), 1}, nil}[r.IntN(3)]...)
		b.SetGlobals([]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
		for k := range degree + 1 {
			count := len(simplices[k]) / (k + 1)
			if k == 0 {
				count = vertices
			}
			var values []float64
			for range count * (k + 1) {
				values = append(values, r.NormFloat64())
			}
			b.SetCochain(k, values)
		}
	}
	c, err := b.Collection()
	require.NoError(t, err)
	return c
}

// closed returns random simplices up to a degree with all of their faces.
func closed(r *rand.Rand, vertices, degree int) [][]int32 {
	simplices := make([][]int32, degree+1)
	var above [][]int32
	for k := degree; k > 0; k-- {
		var all [][]int32
		add := func(s []int32) {
			slices.Sort(s)
			if !slices.ContainsFunc(all, func(o []int32) bool { return slices.Equal(o, s) }) {
				all = append(all, s)
			}
		}
		for _, s := range above {
			for i := range s {
				add(slices.Concat(s[:i], s[i+1:]))
			}
		}
		if vertices > k {
			for range r.IntN(3) {
				s := make([]int32, k+1)
				for i, v := range r.Perm(vertices)[:k+1] {
					s[i] = int32(v)
				}
				add(s)
			}
		}
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, s := range all {
			s = slices.Clone(s)
			r.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
			simplices[k] = append(simplices[k], s...)
		}
		above = all
	}
	return simplices
}

// everything returns collections of degrees 0 to 3 with simplices of one degree, and of all.
func everything(t testing.TB) (all []*datasets.Collection) {
	t.Helper()
	for degree := range 4 {
		all = append(all, plain(t, uint64(degree), 40, degree, 9), rich(t, uint64(degree), 40, degree))
	}
	return all
}

// packers returns the plain packer of a collection and the one that knows repetitions, with layouts of their
// usual budgets and bounds.
func packers(t testing.TB, c *datasets.Collection, batch int) (all []*Packer, layouts [][]*Layout) {
	t.Helper()
	for _, p := range []*Packer{New(c), Distinct(c)} {
		usual, bound, err := p.Budgets(batch)
		require.NoError(t, err)
		p.DistinctBudgets(batch, &usual, &bound, math.Inf(1))
		all, layouts = append(all, p), append(layouts, []*Layout{p.Layout(usual), p.Layout(bound)})
	}
	return all, layouts
}

// batches cuts all complexes, in random order, into batches.
func batches(c *datasets.Collection, seed uint32, size int) [][]int32 {
	return slices.Collect(slices.Chunk(datasets.NewRandom(seed).Permutation(c.Len()), size))
}

// garbage returns a row for the layout in which nothing is as it should be.
func garbage(l *Layout) []int32 {
	row := make([]int32, l.Width())
	fill(row, -12345)
	return row
}

// parts cuts a row.
func parts(l *Layout, row []int32) (views [][]int32) {
	for _, p := range l.Parts {
		length := p.Rows * p.Columns
		if !p.Packed {
			length = 0
		}
		views, row = append(views, row[:length]), row[length:]
	}
	return views
}
