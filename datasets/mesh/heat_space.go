package mesh

import (
	"math"
	"slices"
)

const (
	spaceScales = 4
	widest      = 0.3  // standard deviation of the widest Gaussian; each other has half of that before it
	fine        = 0.04 // longest side of a triangle that is not cut
	tiny        = 1e-5 // area of a triangle that is not cut either
	mostPieces  = 4096 // that triangles with sides of less than half of fine make
	// spaceIntegrals is the number of columns of the field space of Heat.
	spaceIntegrals = 9 * spaceScales
)

// moments are integrals over a piece of a surface, about the origin or a point x.
type moments struct {
	area           float64
	first          vector // of y - x
	second, normal tensor // of (y - x)(y - x)ᵀ and n nᵀ
}

// fragments are moments of pieces about their centroids, which are in their field first.
type fragments []moments

// tensor is the upper triangle of a symmetric matrix.
type tensor [6]float64

// add adds a times the square v vᵀ.
func (t *tensor) add(a float64, v vector) {
	t[0] += a * v[0] * v[0]
	t[1] += a * v[0] * v[1]
	t[2] += a * v[0] * v[2]
	t[3] += a * v[1] * v[1]
	t[4] += a * v[1] * v[2]
	t[5] += a * v[2] * v[2]
}

// add adds a piece with a normal that is small enough to be at one point.
func (p *moments) add(area float64, at, normal vector) {
	p.area += area
	p.first = p.first.add(at.scale(area))
	p.second.add(area, at)
	p.normal.add(area, normal)
}

// pieces returns the small pieces of the surface. Triangles are cut until they are fine. Of much finer ones,
// the thirds whose corners are in the same cell make a piece.
func (m *Mesh) pieces(mass []float64) fragments {
	cell, count := m.nodes(mass, mostPieces)
	all := make(fragments, count)
	for t := range len(m.Triangles) / 3 {
		n := m.areaNormal(t)
		twice := n.norm()
		if !(twice > 0) {
			continue
		}
		n = n.scale(1 / twice)
		corners := m.Triangles[3*t:][:3]
		a, b, c := m.point(corners[0]), m.point(corners[1]), m.point(corners[2])
		if max(b.sub(a).norm(), c.sub(b).norm(), a.sub(c).norm()) > fine/2 {
			all.cut(a, b, c, twice/2, n)
			continue
		}
		for _, v := range corners {
			if at := cell[v]; at >= 0 {
				all[at].add(twice/6, a.add(b).add(c).scale(1./3), n)
			}
		}
	}
	all = slices.DeleteFunc(all, func(p moments) bool { return p.area == 0 }) // of large triangles
	for i := range all {
		p := &all[i]
		p.first = p.first.scale(1 / p.area)
		p.second.add(-p.area, p.first)
	}
	return all
}

// cut appends the pieces of a triangle: cut at the middle of its longest side, or of all if two are as long,
// until they are fine.
func (p *fragments) cut(a, b, c vector, area float64, normal vector) {
	ab, bc, ca := b.sub(a).norm(), c.sub(b).norm(), a.sub(c).norm()
	longest := max(ab, bc, ca)
	if longest <= fine || area <= tiny {
		var one moments
		one.add(area, a.add(b).add(c).scale(1./3), normal)
		*p = append(*p, one)
		return
	}
	u, v, w := a.add(b).scale(0.5), b.add(c).scale(0.5), c.add(a).scale(0.5)
	switch second := ab + bc + ca - longest - min(ab, bc, ca); {
	case second > 0.999*longest: // where rounding would choose
		p.cut(a, u, w, area/4, normal)
		p.cut(u, b, v, area/4, normal)
		p.cut(w, v, c, area/4, normal)
		p.cut(u, v, w, area/4, normal)
	case longest == ab:
		p.cut(a, u, c, area/2, normal)
		p.cut(u, b, c, area/2, normal)
	case longest == bc:
		p.cut(b, v, a, area/2, normal)
		p.cut(v, c, a, area/2, normal)
	default:
		p.cut(c, w, b, area/2, normal)
		p.cut(w, a, b, area/2, normal)
	}
}

// space returns the numbers [len(at), spaceIntegrals] of the field space of Heat around points of a surface
// of area 1.
func (m *Mesh) space(at []vector, mass []float64) (out []float64) {
	pieces := m.pieces(mass)
	for _, x := range at {
		var about [spaceScales]moments
		for p := range pieces {
			piece := &pieces[p]
			d := piece.first.sub(x)
			weight := math.Exp(-d.dot(d) / (2 * widest * widest))
			for i := 0; i < spaceScales && weight > 1e-6; i++ {
				about[i].weigh(weight, piece, d)
				weight *= weight // to the fourth: half the deviation
				weight *= weight
			}
		}
		scale := widest
		for i := range about {
			out = append(out, about[i].invariants(scale)...)
			scale /= 2
		}
	}
	return out
}

// weigh adds a piece at a distance d with a weight.
func (p *moments) weigh(weight float64, piece *moments, d vector) {
	area := weight * piece.area
	p.area += area
	for i := range d {
		p.first[i] += area * d[i]
	}
	p.second.add(area, d)
	for i := range p.second {
		p.second[i] += weight * piece.second[i]
		p.normal[i] += weight * piece.normal[i]
	}
}

// invariants returns the numbers of the field space of Heat for one deviation.
func (p *moments) invariants(scale float64) []float64 {
	total := math.Max(p.area, 1e-9) // nothing is near a point that is not on the surface
	mean := p.first.scale(1 / total)
	for i := range p.second {
		p.second[i] /= total
		p.normal[i] /= total
	}
	p.second.add(-1, mean)
	deviations, normal := symmetric(p.second[:]).deviations(), symmetric(p.normal[:])
	eigen := normal.eigenvalues()
	out := []float64{math.Log(math.Max(p.area, 1e-6) / (2 * math.Pi * scale * scale)), mean.norm() / scale}
	for i := range 3 {
		out = append(out, deviations[i]/scale, eigen[i])
	}
	return append(out, math.Sqrt(math.Abs(mean.dot(normal.times(mean))))/scale)
}
