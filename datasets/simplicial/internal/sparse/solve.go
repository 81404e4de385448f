package sparse

import (
	"sync"

	"gonum.org/v1/gonum/mat"
)

// lanes is the number of right-hand sides that are solved together: L is read once for all of them.
const lanes = 4

// SolveTo sets dst to the solution x of A x = b for each column b of the right-hand sides: vectors of
// the order of the matrix, one after the other. dst and b may be the same. It will panic if their
// lengths differ or are not a multiple of the order.
func (f *LDL) SolveTo(dst, b []float64) {
	if len(dst) != len(b) || f.n > 0 && len(b)%f.n != 0 || f.n == 0 && len(b) > 0 {
		panic(mat.ErrShape)
	}
	var group sync.WaitGroup
	for from := 0; from < len(b); from += lanes * f.n {
		to := min(len(b), from+lanes*f.n)
		group.Go(func() { f.solve(dst[from:to], b[from:to]) })
	}
	group.Wait()
}

// solve is SolveTo for at most lanes right-hand sides.
func (f *LDL) solve(dst, b []float64) {
	x := make([][lanes]float64, f.n)
	for k, variable := range f.order {
		for c := 0; c*f.n < len(b); c++ {
			x[k][c] = b[c*f.n+int(variable)]
		}
	}
	for v := range f.nodes {
		f.forward(v, x)
	}
	for k, d := range f.pivots {
		for c := range lanes {
			x[k][c] /= d
		}
	}
	for v := len(f.nodes) - 1; v >= 0; v-- {
		f.backward(v, x)
	}
	for k, variable := range f.order {
		for c := 0; c*f.n < len(b); c++ {
			dst[c*f.n+int(variable)] = x[k][c]
		}
	}
}

// forward solves with the columns of L of one supernode.
func (f *LDL) forward(v int, x [][lanes]float64) {
	node, panel := &f.nodes[v], f.panels[v]
	width := node.last - node.first
	own := x[node.first:node.last]
	for i := range width + len(node.rows) {
		to, known := &own[min(i, width-1)], own[:min(i, width)]
		if i >= width {
			to = &x[node.rows[i-width]]
		}
		s0, s1, s2, s3 := to[0], to[1], to[2], to[3]
		for j, l := range panel[i*width : i*width+len(known)] {
			y := &known[j]
			s0 -= l * y[0]
			s1 -= l * y[1]
			s2 -= l * y[2]
			s3 -= l * y[3]
		}
		to[0], to[1], to[2], to[3] = s0, s1, s2, s3
	}
}

// backward solves with the rows of Lᵀ of one supernode.
func (f *LDL) backward(v int, x [][lanes]float64) {
	node, panel := &f.nodes[v], f.panels[v]
	width := node.last - node.first
	own := x[node.first:node.last]
	for i := width + len(node.rows) - 1; i > 0; i-- {
		from, unknown := &own[min(i, width-1)], own[:min(i, width)]
		if i >= width {
			from = &x[node.rows[i-width]]
		}
		s0, s1, s2, s3 := from[0], from[1], from[2], from[3]
		for j, l := range panel[i*width : i*width+len(unknown)] {
			y := &unknown[j]
			y[0] -= l * s0
			y[1] -= l * s1
			y[2] -= l * s2
			y[3] -= l * s3
		}
	}
}
