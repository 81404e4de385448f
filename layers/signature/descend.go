package signature

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// descend returns the gradient by the steps [T-1, bands, n, lanes] of paths from the
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
// XLA's CPU compiler fuses the whole turn of a loop into few kernels, which
// compute over and over what several need, unless it is the result of a
// concatenation, as u and g are, or passes the end of the turn, as their products
// do. What passes is copied, so that it has to be little.
func descend(steps *Node, levels, adjoint []*Node) *Node {
	g, dims, depth := steps.Graph(), steps.Shape().Dimensions, len(levels)
	r := reverse{bands: dims[1], n: dims[2], lanes: dims[3], depth: depth, middle: depth / 2}
	current := row(steps, Const(g, int32(dims[0]-1)))
	words := 1 // of middle letters
	for range r.middle {
		words *= r.n
	}
	high := Zeros(g, shapes.Make(steps.DType(), r.bands, words, r.n, r.lanes))
	state := [][]*Node{levels[:depth-1], adjoint[:depth-1], {high, ZerosLike(current), ZerosLike(steps)},
		{current, Neg(current), adjoint[depth-1], steps}}
	out := loop(dims[0]+1, join(state), func(i *Node, flat []*Node) []*Node {
		s := part(flat, state)
		prefix, a, products, v, back, top, steps := s[0], s[1], s[2], s[3][0], s[3][1], s[3][2], s[3][3]
		// The first turn writes a row that is written again.
		at := Sub(Const(i.Graph(), int32(dims[0])), i)
		result := write(products[2], r.sum(products[0], products[1]), at)
		prefix = extend(prefix, back)
		a, u, gs := r.factors(prefix, v, slices.Concat(a, []*Node{top}))
		high, low := r.products(u, gs, top)
		next := row(steps, Sub(Const(i.Graph(), int32(dims[0]-2)), i))
		return join([][]*Node{prefix, a, {high, low, result}, {next, Neg(next), top, steps}})
	})
	return part(out, state)[2][2]
}

// reverse holds the sizes of a gradient. Products are summed up over what comes
// behind the middle letters of words in one turn, and over these in the next.
type reverse struct{ bands, n, lanes, depth, middle int }

// factors returns the adjoints of the levels of a prefix, and u_j/(k-j) and g_j
// for j = 1, …, depth-1, as [bands, k, n^j, lanes] with k from j+1 and from j.
func (r reverse) factors(prefix []*Node, v *Node, adjoint []*Node) (adjoints, u, gs []*Node) {
	u, gs, adjoints = make([]*Node, r.depth-1), make([]*Node, r.depth-1), make([]*Node, r.depth-1)
	flat := func(x *Node) *Node { return Reshape(x, r.bands, 1, -1, r.lanes) }
	g := flat(adjoint[r.depth-1])
	for j := r.depth - 1; j >= 1; j-- {
		var contraction *Node
		x := Reshape(g, r.bands, r.depth-j, -1, r.n, r.lanes)
		for i := range r.n {
			letter := Squeeze(SliceAxis(x, 3, AxisElem(i)), 3)
			number := Reshape(SliceAxis(v, 1, AxisElem(i)), r.bands, 1, 1, r.lanes)
			contraction = plus(contraction, Mul(letter, number))
		}
		g = Concatenate([]*Node{flat(adjoint[j-1]), r.divide(contraction, j)}, 1)
		var sum *Node
		for k := range r.depth - j + 1 {
			sum = plus(sum, SliceAxis(g, 1, AxisElem(k)))
		}
		gs[j-1], adjoints[j-1] = g, Reshape(sum, adjoint[j-1].Shape().Dimensions...)
	}
	for j := 1; j < r.depth; j++ {
		p := Reshape(prefix[j-1], r.bands, 1, -1, r.n, r.lanes)
		rows := make([]*Node, r.depth-j)
		for i := range rows { // k = j+1+i
			h := Reshape(v, r.bands, 1, 1, r.n, r.lanes)
			if j == 1 {
				h = scale(h, 1/float64(i+2))
			} else {
				h = Mul(Reshape(SliceAxis(u[j-2], 1, AxisElem(i+1)), r.bands, 1, -1, 1, r.lanes), h)
			}
			rows[i] = Reshape(scale(Add(p, h), 1/float64(i+1)), r.bands, 1, -1, r.lanes)
		}
		u[j-1] = Concatenate(rows, 1)
	}
	return adjoints, u, gs
}

// divide divides row k = j+1, …, depth of the second axis by k-j.
func (r reverse) divide(x *Node, j int) *Node {
	weights := make([]float64, r.depth-j)
	for i := range weights {
		weights[i] = 1 / float64(i+1)
	}
	w := ConstAsDType(x.Graph(), x.DType(), weights)
	return Mul(x, Reshape(w, 1, -1, 1, 1))
}

// products returns the products of u_j and g_{j+1}, summed up over words of j
// letters: those that are alike up to their middle letter for j ≥ middle, high
// [bands, n^middle, n, lanes], whose numbers lie side by side in memory, and all of
// them for the others, low [bands, n, lanes].
func (r reverse) products(u, gs []*Node, top *Node) (high, low *Node) {
	for j := range r.depth {
		x := Reshape(top, r.bands, 1, -1, r.n, r.lanes)
		if j < r.depth-1 {
			x = Reshape(gs[j], r.bands, r.depth-j, -1, r.n, r.lanes)
		}
		for k := range r.depth - j {
			g := Squeeze(SliceAxis(x, 1, AxisElem(k)), 1)
			if j == 0 {
				low = plus(low, scale(Squeeze(g, 1), 1/float64(k+1)))
				continue
			}
			f := Reshape(SliceAxis(u[j-1], 1, AxisElem(k)), r.bands, -1, 1, r.lanes)
			words := g.Shape().Dimensions[1]
			if j < r.middle {
				for i := range words {
					word := AxisElem(i)
					low = plus(low, Squeeze(Mul(SliceAxis(g, 1, word), SliceAxis(f, 1, word)), 1))
				}
				continue
			}
			alike := 1
			for range j - r.middle {
				alike *= r.n
			}
			g = Reshape(g, r.bands, -1, alike, r.n, r.lanes)
			f = Reshape(f, r.bands, -1, alike, 1, r.lanes)
			for i := range alike {
				word := AxisElem(i)
				high = plus(high, Squeeze(Mul(SliceAxis(g, 2, word), SliceAxis(f, 2, word)), 2))
			}
		}
	}
	return high, low
}

// sum returns the gradient by a step, [bands, n, lanes], from what [reverse.products]
// made.
func (r reverse) sum(high, low *Node) *Node {
	for i := range high.Shape().Dimensions[1] {
		low = plus(low, Squeeze(SliceAxis(high, 1, AxisElem(i)), 1))
	}
	return low
}

// write returns a table with a row in place of row i.
func write(table, x, i *Node) *Node {
	g := table.Graph()
	if g.Backend().Capabilities().Operations[compute.OpTypeDynamicUpdateSlice] {
		zero := Const(g, int32(0))
		return DynamicUpdateSlice(table, ExpandAxes(x, 0), []*Node{i, zero, zero, zero})
	}
	rows := table.Shape().Dimensions[0]
	here := OneHot(Reshape(i, 1), rows, table.DType())
	here = Reshape(here, rows, 1, 1, 1)
	return Add(table, Mul(here, Sub(ExpandAxes(x, 0), table)))
}

// plus returns a + b, where a nil a is zero.
func plus(a, b *Node) *Node {
	if a == nil {
		return b
	}
	return Add(a, b)
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
