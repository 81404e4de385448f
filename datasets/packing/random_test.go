package packing

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/simplicial"
)

// plain returns a collection of simplices of one degree, up to most in a complex, some of which have none. A
// simplex may have a vertex twice.
func plain(seed uint64, complexes, degree, most int) *datasets.Collection {
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
	}
	return must(b.Collection())
}

// points returns coordinates on a coarse grid, so that they repeat themselves.
func points(r *rand.Rand, count, dim int) (x []float64) {
	for range count * dim {
		x = append(x, float64(r.IntN(3)-1))
	}
	return x
}

// rich returns a collection with simplices of all degrees, in random order and orientation, with faces,
// cochains on every degree and two tasks.
func rich(seed uint64, complexes, degree int) *datasets.Collection {
	r, b := rand.New(rand.NewPCG(seed, 2)), datasets.NewBuilder(2)
	b.Info = datasets.Info{Name: "rich", Tasks: []string{"yes", "no"}}
	b.Faces = true
	for range complexes {
		vertices := r.IntN(7)
		simplices := closed(r, vertices, degree)
		b.Add(points(r, vertices, 2), simplices, [][]float64{{1, 0}, {math.NaN(), 1}, nil}[r.IntN(3)]...)
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
	return must(b.Collection())
}

// closed returns random simplices up to a degree with all of their faces, in random order and orientation.
func closed(r *rand.Rand, vertices, degree int) [][]int32 {
	var top [][]int
	for range min(vertices, r.IntN(6)) {
		top = append(top, r.Perm(vertices)[:min(vertices, 1+r.IntN(degree+1))])
	}
	x := must(simplicial.New(vertices, top))
	simplices := make([][]int32, degree+1)
	for k := 1; k <= x.Dim(); k++ {
		all := slices.Collect(slices.Chunk(x.Simplices(k), k+1))
		for _, i := range r.Perm(len(all)) {
			r.Shuffle(k+1, func(a, b int) { all[i][a], all[i][b] = all[i][b], all[i][a] })
			simplices[k] = append(simplices[k], all[i]...)
		}
	}
	return simplices
}

// everything returns collections of degrees 0 to 3 with simplices of one degree, and of all, one whose
// vertices share rows.
func everything() (all []*datasets.Collection) {
	for degree := range 4 {
		all = append(all, plain(uint64(degree), 40, degree, 9), rich(uint64(degree), 40, degree))
	}
	return append(all, shared(all[len(all)-1]))
}

// shared returns the collection with rows that its vertices share.
func shared(c *datasets.Collection) *datasets.Collection {
	b := datasets.NewBuilder(c.Dim)
	b.Info, b.Shared, b.Faces = c.Info, true, slices.ContainsFunc(c.Simplices, hasFaces)
	for g := range c.Len() {
		simplices := make([][]int32, len(c.Simplices))
		for k := 1; k < len(simplices); k++ {
			simplices[k] = c.Corners(k, g)
		}
		b.Add(c.Points(g), simplices, c.Target(g)...)
		for k, s := range c.Simplices {
			if s.Width > 0 {
				first := int(starts(c, k)[g]) * s.Width
				b.SetCochain(k, s.Cochain[first:first+c.Count(k, g)*s.Width])
			}
		}
	}
	return must(b.Collection())
}

func hasFaces(s datasets.Simplices) bool { return s.Faces != nil }

// packers returns the plain packer of a collection and the one that knows repetitions, with layouts of their
// usual budgets and bounds.
func packers(c *datasets.Collection, batch int) (all []*Packer, layouts [][]*Layout) {
	for _, p := range []*Packer{New(c), Distinct(c, math.Inf(1))} {
		usual, bound := must2(p.Budgets(batch))
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
