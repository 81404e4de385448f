package simplicial

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// maxDelaunay is the highest dimension: determinants are expanded.
const maxDelaunay = 4

// delaunay returns the Delaunay triangulation of the points coords [N, n]: n-simplices that fill the convex
// hull, none of whose circumspheres has a point inside.
//
// Points are added one after another (Bowyer, Computing Dirichlet tessellations; Watson, both in The
// Computer Journal 24, 1981), and what decides is exact.
func delaunay(n int, coords []float64) (*Complex, error) {
	if n < 1 || n > maxDelaunay {
		return nil, fmt.Errorf("simplicial: Delaunay triangulation in R^%d, want dimension 1 to %d", n,
			maxDelaunay)
	}
	if err := checkPoints(n, coords); err != nil {
		return nil, err
	}
	d := &triangulation{predicates: predicates{n: n, coords: coords},
		ridges: map[[maxDelaunay]int32][2]int32{}}
	order := insertionOrder(n, coords)
	if err := d.start(order); err != nil {
		return nil, err
	}
	for _, v := range order {
		if err := d.insert(v); err != nil {
			return nil, err
		}
		if len(d.corners) > MaxSize {
			return nil, errSize
		}
	}
	var simplices [][]int
	for s := range len(d.corners) / (n + 1) {
		simplex := make([]int, n+1)
		for i, v := range d.at(int32(s)) {
			simplex[i] = int(v)
		}
		if !d.dead[s] && !slices.Contains(simplex, infinity) {
			simplices = append(simplices, simplex)
		}
	}
	c, err := New(len(coords)/n, simplices)
	if err != nil {
		return nil, err
	}
	return c.Embed(n, coords)
}

// infinity is the last corner of the simplices outside: one for each face of the convex hull.
const infinity = -1

// triangulation is one of the points so far, with the point at infinity a triangulated sphere.
type triangulation struct {
	predicates
	corners   []int32 // n+1 a simplex, in positive orientation, also where infinity is a point outside
	neighbors []int32 // n+1 a simplex: that on the other side of the face opposite to the corner
	dead      []bool
	free      []int32 // dead ones
	last      int32   // a simplex that is not outside
	started   []int32 // the corners of the first simplex
	ridges    map[[maxDelaunay]int32][2]int32
}

func (d *triangulation) at(s int32) []int32 {
	return d.corners[int(s)*(d.n+1) : (int(s)+1)*(d.n+1)]
}

func (d *triangulation) across(s int32) []int32 {
	return d.neighbors[int(s)*(d.n+1) : (int(s)+1)*(d.n+1)]
}

// add returns the number of a new simplex.
func (d *triangulation) add(corners []int32) int32 {
	if last := len(d.free) - 1; last >= 0 {
		s := d.free[last]
		d.free, d.dead[s] = d.free[:last], false
		copy(d.at(s), corners)
		return s
	}
	d.corners = append(d.corners, corners...)
	d.neighbors = append(d.neighbors, make([]int32, len(corners))...)
	d.dead = append(d.dead, false)
	return int32(len(d.dead) - 1)
}

// start makes the first simplex and those outside it.
func (d *triangulation) start(order []int32) error {
	first := d.independent(order)
	if len(first) <= d.n {
		return fmt.Errorf("simplicial: all %d points lie in a hyperplane of R^%d: a Delaunay triangulation "+
			"takes n+1 that do not; leave out the coordinate that they have in common", len(order), d.n)
	}
	d.started = slices.Clone(first)
	if d.orientation(first) < 0 {
		first[0], first[1] = first[1], first[0]
	}
	all := []int32{d.add(first)}
	for i := range first {
		outside := slices.Clone(first)
		outside[i] = infinity
		// A point outside is on the other side of the face.
		a, b := (i+1)%(d.n+1), (i+2)%(d.n+1)
		if d.n == 1 {
			a, b = 0, 1
		}
		outside[a], outside[b] = outside[b], outside[a]
		all = append(all, d.add(outside))
	}
	for _, s := range all {
		for i := range d.at(s) {
			d.join(s, i)
		}
	}
	return nil
}

// independent returns the first n+1 points in the order whose edges are linearly independent, or fewer if
// there are no more.
func (d *triangulation) independent(order []int32) (chosen []int32) {
	for _, v := range order {
		if more := append(chosen, v); len(chosen) <= d.n && d.gram(more).Sign() != 0 {
			chosen = more
		}
	}
	return chosen
}

// join makes the simplex a neighbor of the one that has the same face opposite to corner i, once both have
// come.
func (d *triangulation) join(s int32, i int) {
	var key [maxDelaunay]int32
	face := key[:0]
	for j, v := range d.at(s) {
		if j != i {
			face = append(face, v)
		}
	}
	slices.Sort(face)
	other, ok := d.ridges[key]
	if !ok {
		d.ridges[key] = [2]int32{s, int32(i)}
		return
	}
	delete(d.ridges, key)
	d.across(s)[i], d.across(other[0])[other[1]] = other[0], s
}

// conflicts reports whether the point is inside the circumsphere. That of a simplex outside is the half
// space of the face, and of its hyperplane what is inside the sphere of the face.
func (d *triangulation) conflicts(s, v int32) bool {
	corners := d.at(s)
	at := slices.Index(corners, infinity)
	var points [maxDelaunay + 2]int32
	if at < 0 {
		return d.inSphere(append(append(points[:0], corners...), v)) > 0
	}
	copy(points[:], corners)
	points[at] = v
	switch d.orientation(points[:d.n+1]) {
	case 1:
		return true
	case -1:
		return false
	}
	return d.conflicts(d.across(s)[at], v)
}

// locate returns a simplex whose circumsphere the point is in: the one that it lies in, or one outside. It
// walks from the last simplex through faces that the point is behind, which comes to an end (Devillers,
// Pion and Teillaud, Walking in a triangulation, 2002).
func (d *triangulation) locate(v int32) (int32, error) {
	s := d.last
	var points [maxDelaunay + 1]int32
walk:
	for {
		corners := d.at(s)
		for i := range corners {
			copy(points[:], corners)
			points[i] = v
			if d.orientation(points[:d.n+1]) < 0 {
				if s = d.across(s)[i]; slices.Contains(d.at(s), infinity) {
					return s, nil
				}
				continue walk
			}
		}
		for _, corner := range corners {
			if slices.Equal(d.point(corner), d.point(v)) {
				return 0, fmt.Errorf("simplicial: points %d and %d are both at %v: leave one out",
					min(corner, v), max(corner, v), d.point(v))
			}
		}
		return s, nil
	}
}

// insert adds a point: the simplices in conflict with it make way for the cone over their boundary.
func (d *triangulation) insert(v int32) error {
	if slices.Contains(d.started, v) {
		return nil
	}
	first, err := d.locate(v)
	if err != nil {
		return err
	}
	cavity := []int32{first}
	d.dead[first] = true
	type face struct{ inside, at, outside int32 }
	var boundary []face
	for from := 0; from < len(cavity); from++ {
		for i, s := range d.across(cavity[from]) {
			switch {
			case d.dead[s]:
			case d.conflicts(s, v):
				d.dead[s] = true
				cavity = append(cavity, s)
			default:
				boundary = append(boundary, face{cavity[from], int32(i), s})
			}
		}
	}
	for _, f := range boundary {
		corners := slices.Clone(d.at(f.inside))
		corners[f.at] = v
		s := d.add(corners)
		d.across(s)[f.at] = f.outside
		back := slices.Index(d.across(f.outside), f.inside)
		// Two simplices may share more than one face: it is the one without the corners of this.
		for j, other := range d.at(f.outside) {
			if d.across(f.outside)[j] == f.inside && !slices.Contains(corners, other) {
				back = j
			}
		}
		d.across(f.outside)[back] = s
		for i := range corners {
			if int32(i) != f.at {
				d.join(s, i)
			}
		}
		if !slices.Contains(corners, infinity) {
			d.last = s
		}
	}
	d.free = append(d.free, cavity...)
	return nil
}

// insertionOrder returns the points at random in rounds, each twice as large as the one before and sorted
// along a curve that stays close to where it was, so that walks are short (Amenta, Choi and Rote,
// Incremental constructions con BRIO, 2003).
func insertionOrder(n int, coords []float64) []int32 {
	count := len(coords) / n
	order := count32(count)
	rand.New(rand.NewPCG(1, 1)).Shuffle(count, func(i, j int) { order[i], order[j] = order[j], order[i] })
	low, high := slices.Repeat([]float64{math.Inf(1)}, n), slices.Repeat([]float64{math.Inf(-1)}, n)
	for i, x := range coords {
		low[i%n], high[i%n] = min(low[i%n], x), max(high[i%n], x)
	}
	const bits = 60 / maxDelaunay
	code := make([]uint64, count)
	for i := range code {
		for a := range n {
			// Halves keep differences from overflow.
			place := (coords[i*n+a]/2 - low[a]/2) / max(high[a]/2-low[a]/2, math.SmallestNonzeroFloat64)
			cell := uint64(place * (1<<bits - 1))
			for b := range bits {
				code[i] |= cell >> b & 1 << (b*n + a)
			}
		}
	}
	for from := 0; from < count; {
		to := min(count, max(2*from, 64))
		slices.SortFunc(order[from:to], func(i, j int32) int {
			return cmp.Or(cmp.Compare(code[i], code[j]), cmp.Compare(i, j))
		})
		from = to
	}
	return order
}
