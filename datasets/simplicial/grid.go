package simplicial

import (
	"fmt"
	"slices"
)

// Grid returns the Freudenthal (Kuhn) triangulation of a box of cells[0] × … × cells[n-1] unit
// cubes in R^n, and its fundamental chain: the sum of all n-simplices with the orientation of dx_0
// ∧ … ∧ dx_{n-1}.
//
// Vertices are the integer points in row-major order, the last coordinate fastest. Each cube falls
// into n! simplices around its main diagonal, one for each order of taking a step in every
// coordinate; in the plane these are two triangles. For other coordinates Embed the result again.
// It is an error if there are no cells along an axis or if the complex would exceed MaxSize.
func Grid(cells ...int) (*Complex, Chain, error) {
	n := len(cells)
	stride := make([]int, n)
	// Vertices, and pairs of a vertex and itself or an upper neighbour: 2m+1 along an axis of m
	// cells.
	count, pairs := 1, 1
	for a := n - 1; a >= 0; a-- {
		if cells[a] < 1 {
			return nil, Chain{}, fmt.Errorf("simplicial: grid with %d cells along axis %d, want 1 or more",
				cells[a], a)
		}
		stride[a] = count
		if cells[a] < MaxSize {
			count *= cells[a] + 1
			pairs *= 2*cells[a] + 1
		}
		if cells[a] >= MaxSize || 2*pairs-count > MaxSize {
			return nil, Chain{}, errSize("this grid")
		}
	}
	coords := make([]float64, count*n)
	upper := make([][]int32, count)
	for v := range count {
		var free []int // strides of the axes along which v is not last
		for a := range n {
			x := v / stride[a] % (cells[a] + 1)
			coords[v*n+a] = float64(x)
			if x < cells[a] {
				free = append(free, stride[a])
			}
		}
		// Counting up the subsets of the free axes, the last as the lowest bit, counts up the
		// neighbours.
		for set := 1; set < 1<<len(free); set++ {
			w := v
			for a, s := range free {
				w += s * (set >> (len(free) - 1 - a) & 1)
			}
			upper[v] = append(upper[v], int32(w))
		}
	}
	// Two integer points span an edge if they differ by a step in some of the coordinates, and a
	// set of points is a simplex if each two do: the triangulation is the clique complex of its
	// edges.
	c, err := expand(n, coords, upper, n, nil)
	if err != nil {
		return nil, Chain{}, err
	}
	top := Chain{Degree: n, Index: count32(c.Count(n)), Coeff: make([]float64, c.Count(n))}
	axes := make([]int, n)
	for i := range top.Coeff {
		simplex := c.at(n, i)
		for j := range axes {
			axes[j] = slices.Index(stride, int(simplex[j+1]-simplex[j]))
		}
		top.Coeff[i] = parity(axes)
	}
	return c, top, nil
}

// parity returns 1 for an even permutation and -1 for an odd one.
func parity(permutation []int) float64 {
	sign := 1.0
	for i, x := range permutation {
		for _, y := range permutation[:i] {
			if y > x {
				sign = -sign
			}
		}
	}
	return sign
}

// Sphere returns the boundary of the standard (n+1)-simplex in R^{n+2}, the smallest triangulated
// n-sphere, and its fundamental chain ∂[0 1 … n+1]. It is an error if n is negative or if the
// complex would exceed MaxSize.
func Sphere(n int) (*Complex, Chain, error) {
	if n < 0 {
		return nil, Chain{}, fmt.Errorf("simplicial: sphere of dimension %d, want 0 or more", n)
	}
	// The vertex tuples have (n+2)·(2^(n+1)-1) entries, more than MaxSize from here on.
	if n > 20 {
		return nil, Chain{}, errSize("this sphere")
	}
	vertices := count32(n + 2)
	coords := make([]float64, len(vertices)*len(vertices))
	upper := make([][]int32, len(vertices))
	for i := range vertices {
		coords[i*len(vertices)+i] = 1
		upper[i] = vertices[i+1:]
	}
	c, err := expand(len(vertices), coords, upper, n, nil)
	if err != nil {
		return nil, Chain{}, err
	}
	// The facet without vertex i is the i-th from the end.
	top := Chain{Degree: n, Index: vertices, Coeff: make([]float64, len(vertices))}
	for i := range vertices {
		top.Coeff[len(vertices)-1-i] = float64(1 - 2*(i%2))
	}
	return c, top, nil
}
