package simplicial

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/neuralkforms/nkf/datasets/simplicial/internal/sparse"
)

// tufted is the tufted cover of a surface: two copies of every triangle, its sides, glued along edges so
// that each edge has two sides, whatever the number of its triangles, and the angles of its triangulation
// have been made those of an intrinsic Delaunay triangulation, whose Laplacian obeys the maximum
// principle.
//
// Half-edge h = 3f + j leads from corner j of face f to the next one. Vertices are those of the surface.
//
// Source: Sharp and Crane, A Laplacian for Nonmanifold Triangle Meshes, Symposium on Geometry Processing,
// 2020.
type tufted struct {
	tail    []int32   // [6T]: vertex that the half-edge leaves
	twin    []int32   // [6T]: the half-edge on the other side of the edge
	lengths []float64 // [6T]
}

// next returns the half-edge that follows in the face.
func next(h int32) int32 { return h - h%3 + (h+1)%3 }

// newTufted returns the cover of the triangles of a complex whose edges have lengths.
func newTufted(c *Complex, lengths []float64) *tufted {
	faces, _ := c.faces(2)
	count := c.Count(2)
	t := &tufted{tail: make([]int32, 6*count), twin: make([]int32, 6*count),
		lengths: make([]float64, 6*count)}
	around := make([][]int32, c.Count(1)) // of each edge the corners, 3·triangle + corner, that lie across it
	for i := range count {
		v, e := c.at(2, i), faces[3*i:3*i+3]
		for j := range int32(3) {
			around[e[j]] = append(around[e[j]], int32(3*i)+j)
		}
		for j, corner := range []int{0, 1, 2, 0, 2, 1} { // the back has the corners in the other order
			t.tail[6*i+j] = v[corner]
		}
		for j, edge := range []int{2, 0, 1, 1, 0, 2} {
			t.lengths[6*i+j] = lengths[e[edge]]
		}
	}
	// The half-edges of the side that looks on along the angle about the edge, and of the side that looks
	// back, by the corner across the edge.
	on, back := [3]int32{1, 3, 0}, [3]int32{4, 2, 5}
	for edge, corners := range around {
		c.sortAround(edge, corners)
		for i, corner := range corners {
			other := corners[(i+1)%len(corners)]
			a, b := 6*(corner/3)+on[corner%3], 6*(other/3)+back[other%3]
			t.twin[a], t.twin[b] = b, a
		}
	}
	return t
}

// sortAround sorts corners by their angle about an edge of a complex in R³, if there are more than two. In
// other spaces there is no such order, and their own one does.
func (c *Complex) sortAround(edge int, corners []int32) {
	if len(corners) < 3 || c.ambient != 3 {
		return
	}
	p := c.points(c.at(1, edge))
	origin := vector(p[0])
	axis := r3.Sub(vector(p[1]), origin)
	var first, second r3.Vec
	angles := map[int32]float64{}
	for i, corner := range corners {
		out := r3.Sub(vector(c.points(c.levels[2][corner : corner+1])[0]), origin)
		if i == 0 {
			second = r3.Cross(axis, out)
			first = r3.Cross(second, axis)
		}
		// first and second differ in length by that of the axis.
		angles[corner] = math.Atan2(r3.Dot(second, out)*math.Sqrt(r3.Norm2(axis)), r3.Dot(first, out))
	}
	slices.SortStableFunc(corners, func(a, b int32) int { return cmp.Compare(angles[a], angles[b]) })
}

// vector returns a point of R³.
func vector(p []float64) r3.Vec { return r3.Vec{X: p[0], Y: p[1], Z: p[2]} }

// area returns that of the face of a half-edge.
func (t *tufted) area(h int32) float64 {
	f := h - h%3
	return area(t.lengths[f], t.lengths[f+1], t.lengths[f+2])
}

// area is Heron's formula as Kahan has it, whose rounding does not depend on how narrow the triangle is.
func area(x, y, z float64) float64 {
	x, y = math.Max(x, y), math.Min(x, y)
	x, z = math.Max(x, z), math.Min(x, z)
	y, z = math.Max(y, z), math.Min(y, z)
	return math.Sqrt(math.Max(0, (x+(y+z))*(z-(x-y))*(z+(x-y))*(x+(y-z)))) / 4
}

// cotangent returns that of the angle across a half-edge.
func (t *tufted) cotangent(h int32) float64 {
	a, b, c := t.lengths[h], t.lengths[next(h)], t.lengths[next(next(h))]
	return (b*b + (c-a)*(c+a)) / (4 * t.area(h))
}

// delaunay flips edges until the angles across each add up to no more than π. Every flip makes the
// triangulation better by one measure, so that there is an end; the bound is for rounding.
func (t *tufted) delaunay() {
	queue, waiting := make([]int32, 0, len(t.tail)), make([]bool, len(t.tail))
	for h := range int32(len(t.tail)) {
		if h < t.twin[h] {
			queue, waiting[h] = append(queue, h), true
		}
	}
	for flips := 0; len(queue) > 0 && flips < 50*len(t.tail); {
		h := queue[len(queue)-1]
		queue, waiting[h] = queue[:len(queue)-1], false
		k := t.twin[h]
		if h/3 == k/3 || t.cotangent(h)+t.cotangent(k) > -1e-10 || !t.flip(h) {
			continue
		}
		flips++
		for _, side := range []int32{next(h), next(next(h)), next(k), next(next(k))} {
			if side = min(side, t.twin[side]); !waiting[side] {
				queue, waiting[side] = append(queue, side), true
			}
		}
	}
}

// flip replaces an edge by the other diagonal of its two faces, if that has a length and makes triangles
// that are none up to rounding.
func (t *tufted) flip(h int32) bool {
	k := t.twin[h]
	h1, h2, k1, k2 := next(h), next(next(h)), next(k), next(next(k))
	length := t.lengths[h]
	// The corners across, with the edge from (0, 0) to (length, 0).
	along := func(from, to float64) float64 { return (length*length + (from-to)*(from+to)) / (2 * length) }
	x, y := along(t.lengths[h2], t.lengths[h1]), 2*t.area(h)/length
	u, v := along(t.lengths[k1], t.lengths[k2]), 2*t.area(k)/length
	diagonal := math.Hypot(x-u, y+v)
	const narrow = 1e-14
	if area(diagonal, t.lengths[h2], t.lengths[k1]) < narrow*diagonal*diagonal ||
		area(diagonal, t.lengths[h1], t.lengths[k2]) < narrow*diagonal*diagonal {
		return false
	}
	// Faces (h, h1, h2) and (k, k1, k2), with corners (a, b, c) and (b, a, d), become (d, c, a), that is
	// (h, h2, k1), and (c, d, b), that is (k, k2, h1).
	c, d, a, b := t.tail[h2], t.tail[k2], t.tail[h], t.tail[k]
	lengths := [4]float64{t.lengths[h1], t.lengths[h2], t.lengths[k1], t.lengths[k2]}
	twins := [4]int32{t.twin[h1], t.twin[h2], t.twin[k1], t.twin[k2]}
	moved := map[int32]int32{h1: k2, h2: h1, k1: h2, k2: k1}
	for i, old := range []int32{h1, h2, k1, k2} {
		to, twin := moved[old], twins[i]
		if m, ok := moved[twin]; ok {
			twin = m
		}
		t.lengths[to] = lengths[i]
		t.twin[to], t.twin[twin] = twin, to
	}
	t.lengths[h], t.lengths[k] = diagonal, diagonal
	t.tail[h], t.tail[h1], t.tail[h2] = d, c, a
	t.tail[k], t.tail[k1], t.tail[k2] = c, d, b
	return true
}

// stiffness returns the integrals of ⟨dφ_i, dφ_j⟩ of the piecewise linear functions of vertices, and the
// areas of these, both over the surface: half of those over its cover.
func (t *tufted) stiffness(vertices int) (entries []sparse.Entry, areas []float64) {
	areas = make([]float64, vertices)
	for h := range int32(len(t.tail)) {
		areas[t.tail[h]] += t.area(h) / 6
		i, j := t.tail[h], t.tail[next(h)]
		if i == j { // an edge from a vertex to itself
			continue
		}
		w := t.cotangent(h) / 4
		entries = append(entries, sparse.Entry{I: i, J: i, V: w}, sparse.Entry{I: j, J: j, V: w},
			sparse.Entry{I: max(i, j), J: min(i, j), V: -w})
	}
	return entries, areas
}
