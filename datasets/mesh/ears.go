package mesh

import "math"

// clip cuts the ears of a polygon (Meisters, Polygons have ears, 1975): triangles of consecutive corners that
// hold no other corner. Where rounding leaves none, corners on a line are cut.
func (p *polygon) clip(corners, out []int32) error {
	n := int32(len(p.x))
	p.prev, p.next, p.state = p.prev[:0], p.next[:0], p.state[:0]
	for i := range n {
		p.prev = append(p.prev, (i+n-1)%n)
		p.next = append(p.next, (i+1)%n)
		p.state = append(p.state, unknown)
	}
	at := int32(0)
	for triangles := 0; 3*triangles < len(out); triangles++ {
		tip, ok := p.ear(at)
		if !ok {
			return errCrosses
		}
		a, c := p.prev[tip], p.next[tip]
		copy(out[3*triangles:], []int32{corners[a], corners[tip], corners[c]})
		p.next[a], p.prev[c] = c, a
		p.state[a], p.state[c] = unknown, unknown
		at = c
	}
	return nil
}

// ear returns the next corner of the ring to cut: a spike, or an ear. Only the neighbors of a cut corner can
// become ears in theory; in floats all are tried again before a flat corner is taken.
func (p *polygon) ear(at int32) (tip int32, ok bool) {
	if tip, ok = p.flat(at, true); ok {
		return tip, true // or corners of another part would be where the spike begins
	}
	for again := range 2 {
		for tip = at; ; {
			if again > 0 {
				p.state[tip] = unknown
			}
			if p.isEar(tip) {
				return tip, true
			}
			if tip = p.next[tip]; tip == at {
				break
			}
		}
	}
	return p.flat(at, false)
}

// flat returns the next corner of the ring that lies on a line with its neighbors; as a spike, on the same
// side of both.
func (p *polygon) flat(at int32, spike bool) (tip int32, ok bool) {
	for tip = at; ; {
		a, c := p.prev[tip], p.next[tip]
		x, y, z := p.x[a], p.x[tip], p.x[c]
		back := (x[0]-y[0])*(z[0]-y[0])+(x[1]-y[1])*(z[1]-y[1]) > 0
		longest := max(p.distance(a, tip), p.distance(tip, c), p.distance(a, c))
		if (back || !spike) && math.Abs(p.turn(a, tip, c)) <= negligible*longest {
			return tip, true
		}
		if tip = p.next[tip]; tip == at {
			return 0, false
		}
	}
}

// isEar reports whether a corner and its neighbors make an ear.
func (p *polygon) isEar(tip int32) bool {
	if p.state[tip] == unknown {
		p.state[tip] = noEar
		if p.free(p.prev[tip], tip, p.next[tip]) {
			p.state[tip] = isEar
		}
	}
	return p.state[tip] == isEar
}

// free reports whether the triangle of consecutive corners has a positive area, no other corner in it, and
// no side across the diagonal from c to a.
func (p *polygon) free(a, b, c int32) bool {
	if p.turn(a, b, c) < negligible*negligible {
		return false
	}
	x, y, z := p.x[a], p.x[b], p.x[c]
	low := [2]float64{min(x[0], y[0], z[0]), min(x[1], y[1], z[1])}
	high := [2]float64{max(x[0], y[0], z[0]), max(x[1], y[1], z[1])}
	for v := p.next[c]; v != a; v = p.next[v] {
		q := p.x[v]
		inside := q[0] >= low[0] && q[0] <= high[0] && q[1] >= low[1] && q[1] <= high[1]
		if inside && q != x && q != y && q != z &&
			p.turn(a, b, v) >= 0 && p.turn(b, c, v) >= 0 && p.turn(c, a, v) >= 0 {
			return false
		}
		if p.next[v] != a && p.cross(a, c, v, p.next[v]) {
			return false
		}
	}
	return true
}

func (p *polygon) distance(a, b int32) float64 {
	return math.Hypot(p.x[a][0]-p.x[b][0], p.x[a][1]-p.x[b][1])
}
