package mesh

import (
	"errors"
	"math"
)

const (
	// maxCorners bounds the corners of a polygon that is not star-shaped about its first corner: cutting it
	// takes time that grows with their square.
	maxCorners = 1 << 10
	// offPlane is the largest distance of a corner from the plane of its polygon, over the largest distance
	// of two corners along an axis, at which the polygon counts as planar.
	offPlane = 1e-3
	// negligible is a distance, in the same unit, that rounding of coordinates to float32 explains.
	negligible = 1e-6
)

// polygon is a polygon of a file with room for cutting it, used again for the next.
type polygon struct {
	corners []int32
	spatial []vector
	x       [][2]float64 // corners in the plane, counterclockwise
	prev    []int32      // corners that are left, as a ring
	next    []int32
	state   []earState
}

type earState uint8

const (
	unknown earState = iota
	isEar
	noEar
)

// deferred is a polygon whose vertices come later in the file.
type deferred struct {
	triangle, corners int // first triangle of its fan
	line              int
	read              int64
}

// corner appends a corner to the polygon.
func (in *input) corner(v int32) error {
	if len(in.polygon.corners) == maxCount {
		return in.fail("a polygon of more than %d corners", maxCount)
	}
	in.polygon.corners = append(in.polygon.corners, v)
	return nil
}

// face ends the polygon and appends its triangles: the fan of its first corner where this covers the polygon,
// the ears of the polygon elsewhere. One or two corners are no surface.
func (in *input) face() error {
	corners := in.polygon.corners
	in.polygon.corners = corners[:0]
	if len(corners) < 3 {
		return nil
	}
	first := len(in.mesh.Triangles)
	if err := in.room(0, len(corners)-2); err != nil {
		return err
	}
	for i := 2; i < len(corners); i++ {
		in.mesh.Triangles = append(in.mesh.Triangles, corners[0], corners[i-1], corners[i])
	}
	if len(corners) == 3 {
		return nil
	}
	for _, v := range corners {
		if int(v) >= len(in.mesh.Vertices)/3 {
			in.deferred = append(in.deferred, deferred{first / 3, len(corners), in.line, in.read})
			return nil
		}
	}
	return in.cut(corners, in.mesh.Triangles[first:])
}

// cutDeferred cuts the polygons that came before their vertices.
func (in *input) cutDeferred() error {
	for _, d := range in.deferred {
		fan := in.mesh.Triangles[3*d.triangle : 3*(d.triangle+d.corners-2)]
		corners := append(in.polygon.corners[:0], fan[0], fan[1])
		for i := 2; i < len(fan); i += 3 {
			corners = append(corners, fan[i])
		}
		in.polygon.corners = corners
		in.line, in.read = d.line, d.read
		if err := in.cut(corners, fan); err != nil {
			return err
		}
	}
	return nil
}

// cut replaces the fan of a polygon where it does not cover the polygon.
func (in *input) cut(corners, fan []int32) error {
	p := &in.polygon
	planar, err := p.cut(in.mesh.Vertices, corners, fan)
	if !planar {
		in.mesh.Nonplanar++
	}
	if err != nil {
		return in.fail("a polygon of %d corners %w", len(corners), err)
	}
	return nil
}

var (
	errCrosses = errors.New("crosses itself: cut it into triangles in the program that wrote the file")
	errCorners = errors.New("is more than the 1024 that can be cut unless the first corner sees all of it: " +
		"save the mesh as triangles")
)

// cut writes the triangles of a polygon into out, which holds its fan. It reports whether the polygon is
// planar. The plane is normal to the vector area of the polygon, as Newell sums it.
func (p *polygon) cut(vertices []float64, corners, out []int32) (planar bool, err error) {
	planar, area := p.project(vertices, corners)
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

// project sets the corners in the plane of the polygon. Without area is a polygon whose corners are on a
// line; no corners are set if there is another without vector area.
func (p *polygon) project(vertices []float64, corners []int32) (planar, area bool) {
	p.spatial, p.x = p.spatial[:0], p.x[:0]
	low := vector(vertices[3*corners[0] : 3*corners[0]+3])
	high := low
	for _, v := range corners {
		for i, x := range vertices[3*v : 3*v+3] {
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
		p.spatial = append(p.spatial, vector(vertices[3*v:3*v+3]).sub(low).scale(1/size))
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
		p.x = append(p.x, [2]float64{x.dot(u), x.dot(w)})
		mean += x.dot(normal) / float64(len(p.spatial))
	}
	planar = true
	for _, x := range p.spatial {
		planar = planar && math.Abs(x.dot(normal)-mean) <= offPlane
	}
	return planar, true
}

// onLine reports whether all corners are near the line from the first to the farthest from it.
func (p *polygon) onLine() bool {
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
func (p *polygon) turn(a, b, c int32) float64 {
	x, y, z := p.x[a], p.x[b], p.x[c]
	return (y[0]-x[0])*(z[1]-x[1]) - (y[1]-x[1])*(z[0]-x[0])
}

// fan reports whether the triangles of the first corner cover the polygon: each has a positive area, and
// together they turn by less than a full circle about it.
func (p *polygon) fan() bool {
	angle := 0.0
	for i := int32(2); int(i) < len(p.x); i++ {
		area := p.turn(0, i-1, i)
		if area < negligible*negligible {
			return false
		}
		a, b := p.x[i-1], p.x[i]
		angle += math.Atan2(area, (a[0]-p.x[0][0])*(b[0]-p.x[0][0])+(a[1]-p.x[0][1])*(b[1]-p.x[0][1]))
	}
	return angle < 2*math.Pi
}

// crosses reports whether two sides cross. That they touch is no crossing: a polygon with a hole is often
// written with a bridge to it that it runs through twice.
func (p *polygon) crosses() bool {
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
func (p *polygon) cross(a, b, c, d int32) bool {
	x, y, z, w := p.x[a], p.x[b], p.x[c], p.x[d]
	for i := range 2 {
		if max(x[i], y[i]) < min(z[i], w[i]) || max(z[i], w[i]) < min(x[i], y[i]) {
			return false
		}
	}
	apart := func(s, t, length float64) bool {
		return min(s, t) < -negligible*length && max(s, t) > negligible*length
	}
	return apart(p.turn(a, b, c), p.turn(a, b, d), p.distance(a, b)) &&
		apart(p.turn(c, d, a), p.turn(c, d, b), p.distance(c, d))
}
