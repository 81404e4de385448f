package signature

import (
	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
)

// descend returns the gradient by the steps [T-1, n, lanes] of paths from the
// levels of their signatures and the adjoints of these. That of the last level is
// the same at all vertices.
//
// With P the signature up to a step v and A the adjoint of the signature after
// it, Horner's scheme for P ⊗ exp(v) and its transpose are, for j = 0, …, k-1,
//
//	u^k_0 = 1,        u^k_j = P_j + u^k_{j-1} ⊗ v/(k-j+1),
//	g^k_k = A_k,      g^k_j = ⟨g^k_{j+1}, v⟩/(k-j)  over the last letter,
//
// the gradient by letter i of the step is Σ_{k>j} ⟨u^k_j, g^k_{j+1}(·, i)⟩/(k-j), and
// the adjoint of P_j is A_j + Σ_{k>j} g^k_j. All k of a length j are rows of one
// node.
//
// XLA's CPU compiler fuses the whole turn of a loop into few kernels that compute
// everything over and over. What must be computed once passes the end of a turn:
// a turn makes u and g of one step, their products of the step before it, their
// sums of the one before that, and writes those of a fourth.
func descend(steps *Node, levels, adjoint []*Node) *Node {
	g, dims, depth := steps.Graph(), steps.Shape().Dimensions, len(levels)
	r := reverse{n: dims[1], lanes: dims[2], depth: depth, middle: depth / 2}
	last := Const(g, int32(dims[0]-1))
	current := row(steps, last)
	prefixes, top := levels[:depth-1], adjoint[depth-1]
	// Zeros of the shapes that a turn makes.
	_, u, gs := r.factors(prefixes, current, adjoint)
	high, low := r.products(u, gs, top)
	state := [][]*Node{prefixes, adjoint[:depth-1], zeros(u), zeros(gs),
		zeros([]*Node{high, low, current, steps}), {current, top, steps}}
	out := loop(dims[0]+3, join(state), func(i *Node, flat []*Node) []*Node {
		s := part(flat, state)
		p, a, u, gs, v, top, steps := s[0], s[1], s[2], s[3], s[5][0], s[5][1], s[5][2]
		high, low, sums, result := s[4][0], s[4][1], s[4][2], s[4][3]
		// The first three turns write rows that are written again.
		at := Sub(Const(i.Graph(), int32(dims[0]+2)), i)
		result = write(result, sums, at)
		sums = r.sum(high, low)
		high, low = r.products(u, gs, top)
		p = extend(p, Neg(v))
		a, u, gs = r.factors(p, v, append(append([]*Node{}, a...), top))
		next := row(steps, Sub(Const(i.Graph(), int32(dims[0]-2)), i))
		return join([][]*Node{p, a, u, gs, {high, low, sums, result}, {next, top, steps}})
	})
	return part(out, state)[4][3]
}

// reverse holds the sizes of a gradient. Products are summed up over words of
// middle letters in one turn, and over what is left of them in the next.
type reverse struct{ n, lanes, depth, middle int }

// factors returns the adjoints of the levels of a prefix, and u_j and g_j for
// j = 1, …, depth-1, as [k, n^j, lanes] with k from j+1 and from j.
func (r reverse) factors(prefix []*Node, v *Node, adjoint []*Node) (adjoints, u, gs []*Node) {
	u, gs, adjoints = make([]*Node, r.depth-1), make([]*Node, r.depth-1), make([]*Node, r.depth-1)
	flat := func(x *Node) *Node { return Reshape(x, 1, -1, r.lanes) }
	g := flat(adjoint[r.depth-1])
	for j := r.depth - 1; j >= 1; j-- {
		var contraction *Node
		x := Reshape(g, r.depth-j, -1, r.n, r.lanes)
		for i := range r.n {
			letter := Squeeze(SliceAxis(x, 2, AxisElem(i)), 2)
			contraction = plus(contraction, Mul(letter, Reshape(SliceAxis(v, 0, AxisElem(i)), 1, 1, -1)))
		}
		g = Concatenate([]*Node{flat(adjoint[j-1]), r.divide(contraction, j, 0)}, 0)
		var sum *Node
		for k := range r.depth - j + 1 {
			sum = plus(sum, SliceAxis(g, 0, AxisElem(k)))
		}
		gs[j-1], adjoints[j-1] = g, Reshape(sum, adjoint[j-1].Shape().Dimensions...)
	}
	var h *Node
	for j := 1; j < r.depth; j++ {
		factor := Reshape(v, 1, 1, r.n, r.lanes)
		if j > 1 {
			factor = Mul(ExpandAxes(SliceAxis(h, 0, AxisRangeToEnd(1)), 2), factor)
		}
		factor = Reshape(r.divide(factor, j, 1), r.depth-j, -1, r.lanes)
		h = Add(flat(prefix[j-1]), factor)
		u[j-1] = r.divide(h, j, 0)
	}
	return adjoints, u, gs
}

// divide divides row k = j+1, …, depth of the first axis by k-j+more.
func (r reverse) divide(x *Node, j, more int) *Node {
	weights := make([]float64, r.depth-j)
	for i := range weights {
		weights[i] = 1 / float64(i+1+more)
	}
	w := ConstAsDType(x.Graph(), x.DType(), weights)
	for w.Rank() < x.Rank() {
		w = ExpandAxes(w, -1)
	}
	return Mul(x, w)
}

// products returns the products of u_j and g_{j+1}, summed up over the first
// letters: high [n^middle, n, lanes] for j ≥ middle and low [n, lanes] for the
// others.
func (r reverse) products(u, gs []*Node, top *Node) (high, low *Node) {
	for j := range r.depth {
		x := Reshape(top, 1, -1, r.n, r.lanes)
		if j < r.depth-1 {
			x = Reshape(gs[j], r.depth-j, -1, r.n, r.lanes)
		}
		for k := range r.depth - j {
			g := Reshape(SliceAxis(x, 0, AxisElem(k)), -1, r.n, r.lanes)
			rows := g.Shape().Dimensions[0]
			if j == 0 {
				low = plus(low, scale(Reshape(g, r.n, r.lanes), 1/float64(k+1)))
				continue
			}
			f := Reshape(SliceAxis(u[j-1], 0, AxisElem(k)), -1, 1, r.lanes)
			count := 1
			if j >= r.middle {
				count = rows // of high, words of middle letters
				for range j - r.middle {
					count /= r.n
				}
			}
			for from := 0; from < rows; from += count {
				span := AxisRange(from, from+count)
				product := Mul(SliceAxis(g, 0, span), SliceAxis(f, 0, span))
				if j >= r.middle {
					high = plus(high, product)
				} else {
					low = plus(low, Reshape(product, r.n, r.lanes))
				}
			}
		}
	}
	return high, low
}

// sum returns the gradient by a step, [n, lanes], from what [reverse.products]
// made.
func (r reverse) sum(high, low *Node) *Node {
	for i := range high.Shape().Dimensions[0] {
		low = plus(low, Squeeze(SliceAxis(high, 0, AxisElem(i)), 0))
	}
	return low
}

// write returns a table with a row in place of row i.
func write(table, x, i *Node) *Node {
	g := table.Graph()
	if g.Backend().Capabilities().Operations[compute.OpTypeDynamicUpdateSlice] {
		zero := Const(g, int32(0))
		return DynamicUpdateSlice(table, ExpandAxes(x, 0), []*Node{i, zero, zero})
	}
	rows := table.Shape().Dimensions[0]
	here := OneHot(Reshape(i, 1), rows, table.DType())
	here = Reshape(here, rows, 1, 1)
	return Add(table, Mul(here, Sub(ExpandAxes(x, 0), table)))
}

// plus returns a + b, where a nil a is zero.
func plus(a, b *Node) *Node {
	if a == nil {
		return b
	}
	return Add(a, b)
}

// zeros returns zeros of the shapes of nodes.
func zeros(nodes []*Node) []*Node {
	out := make([]*Node, len(nodes))
	for i, x := range nodes {
		out[i] = ZerosLike(x)
	}
	return out
}

// join puts groups of nodes one after the other.
func join(groups [][]*Node) (all []*Node) {
	for _, group := range groups {
		all = append(all, group...)
	}
	return all
}

// part is the inverse of join, for groups of the same sizes as those given.
func part(all []*Node, like [][]*Node) [][]*Node {
	groups := make([][]*Node, len(like))
	for i, group := range like {
		groups[i], all = all[:len(group):len(group)], all[len(group):]
	}
	return groups
}
