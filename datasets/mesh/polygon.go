package mesh

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

const (
	// maxCorners bounds the corners of a polygon that is not star-shaped about its first corner: cutting it
	// takes time that grows with their square, and with their cube at worst.
	maxCorners = 1 << 10
	// offPlane is the largest distance of a corner from the plane of its polygon, over the largest distance
	// of two corners along an axis, at which the polygon counts as planar.
	offPlane = 1e-3
	// negligible is a distance, in the same unit, that rounding of coordinates to float32 explains.
	negligible = 1e-6
)

// polygon is a polygon of a file, of which the mesh has the fan of its first corner.
type polygon struct {
	triangle, corners int32 // the first of the fan, and their number
	place             int64 // in the file
}

// cut replaces the fans of polygons that they do not cover, when all vertices are known. Those of polygons
// that cross themselves stay.
func (in *input) cut() error {
	var p plane
	for _, polygon := range in.polygons {
		triangles := in.mesh.Triangles[3*polygon.triangle : 3*(polygon.triangle+polygon.corners-2)]
		corners := append(in.corners[:0], triangles[0], triangles[1])
		for i := 2; i < len(triangles); i += 3 {
			corners = append(corners, triangles[i])
		}
		in.corners, in.place = corners, polygon.place
		planar, err := p.cut(&in.mesh, corners, triangles)
		switch {
		case errors.Is(err, errCrosses):
			in.mesh.left.crossing++
			fan(triangles[:0], corners)
		case err != nil:
			return in.fail("a polygon of %d corners %w", len(corners), err)
		case !planar:
			in.mesh.left.nonplanar++
		}
	}
	return nil
}

var (
	errCrosses = errors.New("crosses itself")
	errCorners = errors.New("is more than the 1024 that can be cut unless the first corner sees all of it: " +
		"save the mesh as triangles")
)

// plane is a polygon in its plane, with room that the next polygon uses again.
type plane struct {
	spatial    []vector
	x          []r2.Vec // corners, counterclockwise
	prev, next []int32  // corners that are left, as a ring
}

// cut writes the triangles of a polygon into out, which holds its fan: the fan where it covers the polygon,
// else ears. It reports whether the polygon is planar.
func (p *plane) cut(m *Mesh, corners, out []int32) (planar bool, err error) {
	planar, area := p.project(m, corners)
	switch {
	case !area: // on a line: all triangles are flat
		return true, nil
	case len(p.x) == 0:
		return true, errCrosses
	case p.fan():
		return planar, nil
	case len(corners) > maxCorners:
		return planar, errCorners
	case p.crosses():
		return planar, errCrosses
	}
	return planar, p.clip(corners, out)
}

// project sets the corners in the plane normal to the vector area of the polygon, as Newell sums it. Without
// area is a polygon whose corners are on a line; no corners are set if there is another without vector area.
func (p *plane) project(m *Mesh, corners []int32) (planar, area bool) {
	p.spatial, p.x = p.spatial[:0], p.x[:0]
	low := m.point(corners[0])
	high := low
	for _, v := range corners {
		for i, x := range m.point(v) {
			low[i], high[i] = min(low[i], x), max(high[i], x)
		}
	}
	d := high.sub(low)
	size := max(d[0], d[1], d[2])
	if size == 0 {
		return true, false
	}
	// Differences come first: far from the origin nothing else is exact.
	for _, v := range corners {
		p.spatial = append(p.spatial, m.point(v).sub(low).scale(1/size))
	}
	if p.onLine() {
		return true, false
	}
	var normal vector
	for i, a := range p.spatial {
		normal = normal.add(a.cross(p.spatial[(i+1)%len(p.spatial)]))
	}
	length := normal.norm()
	if length < negligible*negligible {
		return true, true
	}
	normal = normal.scale(1 / length)
	axis := 0 // the farthest from the normal
	for i := range normal {
		if math.Abs(normal[i]) < math.Abs(normal[axis]) {
			axis = i
		}
	}
	var u vector
	u[axis] = 1
	u = u.sub(normal.scale(normal[axis]))
	u = u.scale(1 / u.norm())
	w := normal.cross(u)
	mean := 0.0
	for _, x := range p.spatial {
		p.x = append(p.x, r2.Vec{X: x.dot(u), Y: x.dot(w)})
		mean += x.dot(normal) / float64(len(p.spatial))
	}
	planar = true
	for _, x := range p.spatial {
		planar = planar && math.Abs(x.dot(normal)-mean) <= offPlane
	}
	return planar, true
}

// onLine reports whether all corners are near the line from the first to the farthest from it.
func (p *plane) onLine() bool {
	var along vector
	for _, x := range p.spatial {
		if d := x.sub(p.spatial[0]); d.norm() > along.norm() {
			along = d
		}
	}
	along = along.scale(1 / along.norm())
	for _, x := range p.spatial {
		if x.sub(p.spatial[0]).cross(along).norm() > negligible {
			return false
		}
	}
	return true
}

// turn returns twice the area of a triangle of corners, negative if it is clockwise.
func (p *plane) turn(a, b, c int32) float64 {
	return r2.Cross(r2.Sub(p.x[b], p.x[a]), r2.Sub(p.x[c], p.x[a]))
}

func (p *plane) distance(a, b int32) float64 { return r2.Norm(r2.Sub(p.x[a], p.x[b])) }

// fan reports whether the triangles of the first corner cover the polygon: each has a positive area, and
// together they turn by less than a full circle about it.
func (p *plane) fan() bool {
	angle := 0.0
	for i := int32(2); int(i) < len(p.x); i++ {
		area := p.turn(0, i-1, i)
		if area < negligible*negligible {
			return false
		}
		angle += math.Atan2(area, r2.Dot(r2.Sub(p.x[i-1], p.x[0]), r2.Sub(p.x[i], p.x[0])))
	}
	return angle < 2*math.Pi
}

// crosses reports whether two sides cross. That they touch is no crossing: a polygon with a hole is often
// written with a bridge to it that it runs through twice.
func (p *plane) crosses() bool {
	n := int32(len(p.x))
	for i := range n {
		for j := i + 2; j < n; j++ {
			if p.cross(i, (i+1)%n, j, (j+1)%n) {
				return true
			}
		}
	}
	return false
}

// cross reports whether the segments ab and cd cross by more than a negligible distance.
func (p *plane) cross(a, b, c, d int32) bool {
	apart := func(a, b, c, d int32) bool { // c and d from the line ab, on different sides
		s, t, least := p.turn(a, b, c), p.turn(a, b, d), negligible*p.distance(a, b)
		return min(s, t) < -least && max(s, t) > least
	}
	return apart(a, b, c, d) && apart(c, d, a, b)
}

// clip cuts the ears of a polygon (Meisters, Polygons have ears, 1975): triangles of consecutive corners that
// hold no other corner. Where rounding leaves none, corners on a line are cut.
func (p *plane) clip(corners, out []int32) error {
	n := int32(len(p.x))
	p.prev, p.next = p.prev[:0], p.next[:0]
	for i := range n {
		p.prev = append(p.prev, (i+n-1)%n)
		p.next = append(p.next, (i+1)%n)
	}
	at := int32(0)
	for ; len(out) > 0; out = out[3:] {
		// Spikes first, or corners of another part would be where one begins.
		tip, ok := p.first(at, func(a, tip, c int32) bool { return p.flat(a, tip, c) && p.back(a, tip, c) })
		if !ok {
			tip, ok = p.first(at, p.ear)
		}
		if !ok {
			tip, ok = p.first(at, p.flat)
		}
		if !ok {
			return errCrosses
		}
		a, c := p.prev[tip], p.next[tip]
		copy(out, []int32{corners[a], corners[tip], corners[c]})
		p.next[a], p.prev[c] = c, a
		at = c
	}
	return nil
}

// first returns the first corner of the ring that, with its neighbors, is as asked for.
func (p *plane) first(at int32, is func(a, tip, c int32) bool) (tip int32, ok bool) {
	for tip = at; !is(p.prev[tip], tip, p.next[tip]); {
		if tip = p.next[tip]; tip == at {
			return 0, false
		}
	}
	return tip, true
}

// flat reports whether a corner lies on a line with its neighbors; back, whether both are on the same side.
func (p *plane) flat(a, tip, c int32) bool {
	longest := max(p.distance(a, tip), p.distance(tip, c), p.distance(a, c))
	return math.Abs(p.turn(a, tip, c)) <= negligible*longest
}

func (p *plane) back(a, tip, c int32) bool {
	return r2.Dot(r2.Sub(p.x[a], p.x[tip]), r2.Sub(p.x[c], p.x[tip])) > 0
}

// ear reports whether the triangle of consecutive corners has a positive area, no other corner in it, and
// no side across the diagonal from c to a.
func (p *plane) ear(a, b, c int32) bool {
	if p.turn(a, b, c) < negligible*negligible {
		return false
	}
	for v := p.next[c]; v != a; v = p.next[v] {
		x := p.x[v]
		if x != p.x[a] && x != p.x[b] && x != p.x[c] &&
			p.turn(a, b, v) >= 0 && p.turn(b, c, v) >= 0 && p.turn(c, a, v) >= 0 {
			return false
		}
		if p.next[v] != a && p.cross(a, c, v, p.next[v]) {
			return false
		}
	}
	return true
}
