package mesh

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
)

// descriptors describe a mesh by a row of numbers, which no motion changes, by their names.
var descriptors = map[string]func(*Mesh) []float64{"d2": (*Mesh).d2, "moments": (*Mesh).moments}

const (
	d2Bins  = 64
	d2Pairs = 20_000
)

// d2 returns the histogram of the distances of random pairs of points of the surface, in 64 bins from 0 to
// three times their mean (Osada et al., Shape distributions, 2002). The random numbers are the same for every
// mesh, so that a moved mesh has the same.
func (m *Mesh) d2() []float64 {
	histogram := make([]float64, d2Bins)
	point := m.sampler(rand.New(rand.NewPCG(1, 2)))
	if point == nil {
		return histogram
	}
	distances := make([]float64, d2Pairs)
	mean := 0.0
	for i := range distances {
		distances[i] = point().sub(point()).norm()
		mean += distances[i] / d2Pairs
	}
	for _, d := range distances {
		histogram[min(d2Bins-1, int(d/(3*mean)*d2Bins))] += float64(d2Bins) / d2Pairs
	}
	return histogram
}

// moments returns the means and then the deviations over the surface of the columns of [Mesh.Invariants].
func (m *Mesh) moments() []float64 {
	x, areas := m.Invariants(), m.vertexAreas()
	out, total := make([]float64, 2*Invariants), 1e-300
	for v, w := range areas {
		total += w
		for j := range Invariants {
			out[j] += w * x[v*Invariants+j]
		}
	}
	for j := range Invariants {
		out[j] /= total
	}
	for v, w := range areas {
		for j := range Invariants {
			d := x[v*Invariants+j] - out[j]
			out[Invariants+j] += w * d * d / total
		}
	}
	for j := Invariants; j < len(out); j++ {
		out[j] = math.Sqrt(out[j])
	}
	return out
}

// sampler returns a function that draws points of the surface, evenly by area; nil if there is no area.
// However triangles are oriented, the same random numbers draw the same points.
func (m *Mesh) sampler(r *rand.Rand) func() vector {
	sums, total := m.Areas(), 0.0
	for t, area := range sums {
		total += area
		sums[t] = total
	}
	if total == 0 {
		return nil
	}
	return func() vector {
		t := min(sort.SearchFloat64s(sums, r.Float64()*total), len(sums)-1)
		corners := [3]int32(m.Triangles[3*t : 3*t+3])
		slices.Sort(corners[:])
		a, b, c := m.point(corners[0]), m.point(corners[1]), m.point(corners[2])
		root, share := math.Sqrt(r.Float64()), r.Float64()
		return a.scale(1 - root).add(b.scale(root * (1 - share))).add(c.scale(root * share))
	}
}

// cloud returns points of the surface, seen from its centroid and turned at random, [points, 3].
func (m *Mesh) cloud(points int, seed uint64) (rows []float64) {
	r := rand.New(rand.NewPCG(seed, 3))
	turn := rotation(r)
	_, centroid := m.Area()
	if draw := m.sampler(r); draw != nil {
		for range points {
			p := turn.times(draw().sub(centroid))
			rows = append(rows, p[:]...)
		}
	}
	return rows
}

// rotation returns the rows of a rotation, all of which are equally likely.
func rotation(r *rand.Rand) matrix {
	var a, b vector
	for i := range 3 {
		a[i], b[i] = r.NormFloat64(), r.NormFloat64()
	}
	a = a.scale(1 / a.norm())
	b = b.sub(a.scale(a.dot(b)))
	b = b.scale(1 / b.norm())
	return matrix{a, b, a.cross(b)}
}
