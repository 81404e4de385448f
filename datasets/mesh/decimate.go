package mesh

import (
	"container/heap"
	"math"
	"slices"
)

// Decimate returns a mesh with at most the given number of triangles, or with as few as edges can be
// contracted to without turning triangles over or joining sheets of the surface. Repeated triangles count
// once, and unused vertices are left out.
//
// Edges are contracted to the point of least error, those of smallest error first. The error is the sum of
// squared distances from the planes of the contracted triangles, weighted by area, and from planes
// perpendicular to them along the boundary (Garland and Heckbert, Surface Simplification Using Quadric Error
// Metrics, SIGGRAPH 1997).
func (m *Mesh) Decimate(triangles int) *Mesh {
	edges, origin := m.edges(), m.nearby()
	d := &decimation{Mesh: &Mesh{Vertices: slices.Clone(m.Vertices), Triangles: edges.counted(m)},
		quadrics: make([]quadric, len(m.Vertices)/3), around: make([][]int32, len(m.Vertices)/3),
		version: make([]int, len(m.Vertices)/3)}
	d.left = len(d.Triangles) / 3
	for i := range d.Vertices {
		d.Vertices[i] -= origin[i%3]
	}
	for t := range d.left {
		n, v := d.areaNormal(t), d.Triangles[3*t:3*t+3]
		for _, a := range v {
			d.around[a] = append(d.around[a], int32(t))
			d.quadrics[a].plane(d.point(a), n, n.norm()/2)
		}
	}
	for _, e := range edges.list {
		if len(e.sides) == 1 { // a wall on the boundary
			a, b := d.point(e.ends[0]), d.point(e.ends[1])
			along, n := b.sub(a), m.areaNormal(int(e.sides[0].triangle))
			for _, v := range e.ends {
				d.quadrics[v].plane(a, n.cross(along), 10*along.dot(along))
			}
		}
	}
	for _, e := range edges.list {
		d.push(e.ends[0], e.ends[1])
	}
	for d.left > triangles && len(d.queue) > 0 {
		c := heap.Pop(&d.queue).(contraction)
		if d.version[c.a] == c.versions[0] && d.version[c.b] == c.versions[1] && d.safe(c) {
			d.contract(c)
		}
	}
	few := d.compact()
	for i := range few.Vertices {
		few.Vertices[i] += origin[i%3]
	}
	return few
}

// nearby returns a point near a surface that is far from the origin, where terms of quadrics would cancel,
// and otherwise the origin. Its coordinates are multiples of a power of two, so differences are not rounded.
func (m *Mesh) nearby() (origin vector) {
	size := 0.0
	for _, v := range m.Triangles {
		size = max(size, m.point(v).sub(m.point(m.Triangles[0])).norm())
	}
	if size > 0 {
		unit := math.Exp2(math.Ceil(math.Log2(size)))
		for i, x := range m.point(m.Triangles[0]) {
			origin[i] = math.Trunc(x/unit) * unit
		}
	}
	return origin
}

// quadric is the function xᵀAx + 2bᵀx + c of points x.
type quadric struct {
	a matrix
	b vector
	c float64
}

// plane adds the squared distance from the plane through a point, with a normal of any length.
func (q *quadric) plane(p, normal vector, weight float64) {
	length := normal.norm()
	if length == 0 {
		return
	}
	n := normal.scale(1 / length)
	offset := n.dot(p)
	for i := range q.a {
		q.a[i] = q.a[i].add(n.scale(weight * n[i]))
	}
	q.b, q.c = q.b.sub(n.scale(weight*offset)), q.c+weight*offset*offset
}

func (q quadric) add(o quadric) quadric {
	for i := range q.a {
		q.a[i] = q.a[i].add(o.a[i])
	}
	return quadric{q.a, q.b.add(o.b), q.c + o.c}
}

// least returns where the function is least, unless that is nearly a line or a plane.
func (q quadric) least() (x vector, ok bool) {
	a, b, c := q.a[0], q.a[1], q.a[2]
	size := (a[0] + b[1] + c[2]) / 3
	minors := matrix{b.cross(c), c.cross(a), a.cross(b)}
	det := a.dot(minors[0])
	return minors.times(q.b).scale(-1 / det), math.Abs(det) > 1e-12*size*size*size
}

func (q quadric) at(x vector) float64 { return x.dot(q.a.times(x)) + 2*q.b.dot(x) + q.c }

// contraction is an edge whose ends become one point.
type contraction struct {
	a, b     int32
	versions [2]int // of a and b, when it was thought of
	place    vector
	error    float64
}

func (c contraction) Before(o contraction) bool { return c.error < o.error }

type decimation struct {
	*Mesh              // triangles that are gone have -1 as first corner
	left     int       // triangles
	quadrics []quadric // of vertices
	around   [][]int32 // triangles of each vertex, and some that are gone
	version  []int     // of each vertex
	queue    queue[contraction]
}

// push adds an edge.
func (d *decimation) push(a, b int32) {
	q := d.quadrics[a].add(d.quadrics[b])
	p, r := d.point(a), d.point(b)
	places := []vector{p, r, p.add(r).scale(0.5)}
	if best, ok := q.least(); ok {
		if best.sub(places[2]).norm() < 2*p.sub(r).norm() { // else rounding decides
			places = append(places, best)
		}
	}
	// Of equal errors, which flat parts are full of, that of the shortest edge.
	short := 1e-9 * (q.a[0][0] + q.a[1][1] + q.a[2][2])
	c := contraction{a: a, b: b, versions: [2]int{d.version[a], d.version[b]}, error: math.Inf(1)}
	for _, place := range places {
		if e := math.Max(0, q.at(place)) + short*p.sub(r).dot(p.sub(r)); e < c.error {
			c.place, c.error = place, e
		}
	}
	heap.Push(&d.queue, c)
}

// ring returns the vertices that share a triangle with one, and its triangles.
func (d *decimation) ring(v int32) (ring, triangles []int32) {
	triangles = d.around[v][:0]
	for _, t := range d.around[v] {
		if corners := d.Triangles[3*t : 3*t+3]; corners[0] >= 0 && slices.Contains(corners, v) {
			triangles = append(triangles, t)
			for _, u := range corners {
				if u != v && !slices.Contains(ring, u) {
					ring = append(ring, u)
				}
			}
		}
	}
	d.around[v] = triangles // without those that are gone
	return ring, triangles
}

// safe reports whether no triangle turns over and the topology of the surface stays the same: the only common
// neighbors of the ends are the corners across the edge, no two triangles become the same, and an edge from
// one place of the boundary to another is part of it.
func (d *decimation) safe(c contraction) bool {
	ringA, trianglesA := d.ring(c.a)
	ringB, trianglesB := d.ring(c.b)
	across, common := 0, 0
	var opposite [][2]int32 // edges of the triangles that are left
	for _, v := range ringA {
		if slices.Contains(ringB, v) {
			common++
		}
	}
	for _, side := range []struct {
		own, other int32
		triangles  []int32
	}{{c.a, c.b, trianglesA}, {c.b, c.a, trianglesB}} {
		for _, t := range side.triangles {
			v := d.Triangles[3*t : 3*t+3]
			if slices.Contains(v, side.other) {
				if across++; d.dangles(t, c, trianglesA, trianglesB) {
					return false
				}
				continue
			}
			i := slices.Index(v, side.own)
			a, b := v[(i+1)%3], v[(i+2)%3]
			ends := [2]int32{min(a, b), max(a, b)}
			if slices.Contains(opposite, ends) {
				return false
			}
			opposite = append(opposite, ends)
			p, q := d.point(a), d.point(b)
			before, after := d.areaNormal(int(t)), p.sub(c.place).cross(q.sub(c.place))
			if after.dot(before) < 0.2*after.norm()*before.norm() {
				return false
			}
		}
	}
	inside := across > 2 && len(ringA) > len(trianglesA) && len(ringB) > len(trianglesB)
	return 2*common == across && !inside && len(trianglesA)+len(trianglesB)-across > 1
}

// dangles reports whether an edge without triangles would be left of a triangle at a contracted edge, from
// the edge to what else is at the corner across.
func (d *decimation) dangles(t int32, c contraction, around ...[]int32) bool {
	v := d.Triangles[3*t : 3*t+3]
	corner := v[slices.IndexFunc(v, func(u int32) bool { return u != c.a && u != c.b })]
	for _, triangles := range around {
		for _, other := range triangles {
			if other != t && slices.Contains(d.Triangles[3*other:3*other+3], corner) {
				return false
			}
		}
	}
	_, own := d.ring(corner)
	return len(own) > 1
}

// contract makes one vertex of the ends.
func (d *decimation) contract(c contraction) {
	copy(d.Vertices[3*c.a:3*c.a+3], c.place[:])
	d.quadrics[c.a] = d.quadrics[c.a].add(d.quadrics[c.b])
	_, triangles := d.ring(c.b)
	for _, t := range triangles {
		v := d.Triangles[3*t : 3*t+3]
		if slices.Contains(v, c.a) {
			v[0] = -1
			d.left--
			continue
		}
		v[slices.Index(v, c.b)] = c.a
		d.around[c.a] = append(d.around[c.a], t)
	}
	d.version[c.a]++
	d.version[c.b]++
	ring, _ := d.ring(c.a)
	slices.Sort(ring) // of equal errors the first comes first
	for _, v := range ring {
		d.push(c.a, v)
	}
}

// compact returns what is left.
func (d *decimation) compact() *Mesh {
	number, out := map[int32]int32{}, &Mesh{}
	for v := range slices.Chunk(d.Triangles, 3) {
		for _, u := range v {
			if v[0] < 0 {
				break
			}
			if _, known := number[u]; !known {
				number[u] = int32(len(number))
				p := d.point(u)
				out.Vertices = append(out.Vertices, p[:]...)
			}
			out.Triangles = append(out.Triangles, number[u])
		}
	}
	return out
}
