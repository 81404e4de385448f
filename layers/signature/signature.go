package signature

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
)

// Signature returns the signatures of paths [..., T, n] to a depth, [..., entries]:
// the iterated integrals of dx_1, …, dx_n along each path for all words of 1 to
// depth letters, in the order of [Words]. Level 0, the number one, is left out.
//
// Chen's identity makes it a product of exponentials of the steps v_t of the
// path, S = exp(v_1) ⊗ … ⊗ exp(v_{T-1}), exp(v) = Σ_k v^⊗k/k!, taken from the left
// in a loop that runs on the device, each by Horner's scheme (Kidger and Lyons,
// Signatory, ICLR 2021): level k of S ⊗ exp(v) is
//
//	S_k + ((… ((v/k + S_1) ⊗ v/(k-1) + S_2) ⊗ v/(k-2) + …) + S_{k-1}) ⊗ v.
//
// Fewer than 32 paths are cut into parts, whose loops run side by side and whose
// signatures are multiplied.
//
// The gradient with respect to the paths is computed backwards: S ⊗ exp(-v) removes the last step, so that no
// signature of a part of the path is kept, and the memory beyond the paths does not depend on T. Rounding
// errors accumulate: in float32 expect 1e-4 of the largest entry after a thousand steps. GoMLX (v0.28.3) has
// no nested loops: within a loop, such as an epoch of training that is one program, signatures are computed
// level by level instead, and the gradient keeps all but the largest level at every point.
func Signature(paths *Node, depth int) *Node {
	dims := pathDims("Signature", paths)
	n := dims[len(dims)-1]
	entries := Entries(n, max(0, depth))
	if depth < 1 {
		exceptions.Panicf("signature.Signature: depth %d: want 1 or more", depth)
	}
	from, to := ends(paths)
	steps := Reshape(Sub(to, from), -1, dims[len(dims)-2]-1, n)
	out := append(slices.Clone(dims[:len(dims)-2]), entries)
	if depth == 1 || steps.Function().IsClosure() {
		levels := byLevels(steps, depth, func(edges *Node) *Node { return ReduceSum(edges, 1) })
		for k := range levels[:depth-1] {
			levels[k] = Squeeze(SliceAxis(levels[k], 1, AxisElem(-1)), 1)
		}
		return Reshape(Concatenate(levels, -1), out...)
	}
	parts := sideBySide(steps.Shape().Dimensions[0], steps.Shape().Dimensions[1])
	x := walkAlong(inParts(steps, parts), depth)
	for ; parts > 1; parts /= 2 {
		x = Reshape(x, -1, 2, entries)
		half := func(i int) *Node { return Squeeze(SliceAxis(x, 1, AxisElem(i)), 1) }
		x = product(half(0), half(1), n, depth)
	}
	return Reshape(x, out...)
}

// sideBySide returns the number of parts, a power of two, into which paths are
// cut. A turn of the loop takes a step on each part of each path, one in each of
// the lanes of a processor: with few paths there are fewer turns, and lanes are
// not empty.
func sideBySide(paths, edges int) int {
	const (
		lanes    = 32
		shortest = 8 // edges of a part
	)
	parts := 1
	for parts*paths < lanes && 2*parts*shortest <= edges {
		parts *= 2
	}
	return parts
}

// inParts cuts paths with steps [paths, edges, n] into parts of as many edges,
// [paths·parts, …, n]. The last stands still where they do not divide them.
func inParts(steps *Node, parts int) *Node {
	dims := steps.Shape().Dimensions
	edges := (dims[1] + parts - 1) / parts
	if still := parts*edges - dims[1]; still > 0 {
		end := Zeros(steps.Graph(), shapes.Make(steps.DType(), dims[0], still, dims[2]))
		steps = Concatenate([]*Node{steps, end}, 1)
	}
	return Reshape(steps, -1, edges, dims[2])
}

// walkAlong returns the signatures of paths with steps [paths, edges, n], with a
// gradient that walks back.
func walkAlong(steps *Node, depth int) *Node {
	count, n := steps.Shape().Dimensions[0], steps.Shape().Dimensions[2]
	steps = inBands(steps, depth)
	fixed := StopGradient(steps)
	levels := ascend(fixed, depth)
	bands, lanes := steps.Shape().Dimensions[1], steps.Shape().Dimensions[3]
	flat := func(levels []*Node) *Node {
		rows := make([]*Node, depth)
		for k, x := range levels {
			rows[k] = Reshape(x, bands, -1, lanes)
		}
		return Concatenate(rows, 1)
	}
	value := withGradient(flat(levels), steps, func(v *Node) *Node {
		adjoint := split(Transpose(v, 1, 2), n, depth)
		for k, x := range adjoint {
			adjoint[k] = Reshape(Transpose(x, 1, 2), levels[k].Shape().Dimensions...)
		}
		return descend(fixed, levels, adjoint)
	})
	value = Reshape(Transpose(value, 1, 2), bands*lanes, -1)
	return SliceAxis(value, 0, AxisRangeFromStart(count))
}

// inBands returns steps [edges, bands, n, lanes] of paths with steps [paths, edges, n]: the last axis has the
// lanes of a processor, which take the same step of different paths. XLA's CPU compiler writes the loop over
// lanes out, up to some number of instructions. Beyond, at 80 lanes to depth 6 or 64 to depth 8, a step takes
// three times as long. Paths that fill up the last band stand still.
func inBands(steps *Node, depth int) *Node {
	dims := steps.Shape().Dimensions
	most := max(16, min(64, 384/depth))
	bands := (dims[0] + most - 1) / most
	lanes := (dims[0] + bands - 1) / bands
	if still := bands*lanes - dims[0]; still > 0 {
		more := Zeros(steps.Graph(), shapes.Make(steps.DType(), still, dims[1], dims[2]))
		steps = Concatenate([]*Node{steps, more}, 0)
	}
	return TransposeAllAxes(Reshape(steps, bands, lanes, dims[1], dims[2]), 2, 0, 3, 1)
}

// ascend returns the levels of the signatures of paths whose steps are
// [T-1, bands, n, lanes]: level k is [bands, n, …, n, lanes].
func ascend(steps *Node, depth int) []*Node {
	dims := steps.Shape().Dimensions
	state := make([]*Node, depth)
	for k := range state {
		axes := slices.Concat(dims[1:2], slices.Repeat(dims[2:3], k+1), dims[3:])
		state[k] = Zeros(steps.Graph(), shapes.Make(steps.DType(), axes...))
	}
	first := Const(steps.Graph(), int32(0))
	// The step is a part of the state: taken from its table where it is used, the
	// index would be read anew for every number, and XLA's CPU loops not be
	// vectorized.
	out := loop(dims[0], append(state, row(steps, first), steps), func(i *Node, s []*Node) []*Node {
		steps := s[depth+1]
		next := row(steps, Add(i, Const(i.Graph(), int32(1))))
		return append(extend(s[:depth], s[depth]), next, steps)
	})
	return out[:depth]
}

// extend returns the levels of S ⊗ exp(v) for levels [bands, n, …, n, lanes] of S
// and a step v [bands, n, lanes], by Horner's scheme.
func extend(levels []*Node, v *Node) []*Node {
	next := make([]*Node, len(levels))
	for k := range levels {
		h := scale(v, 1/float64(k+1))
		for j := range k {
			// The letters of the new factor come last, before the lanes.
			u := ExpandAxes(Add(levels[j], h), -2)
			h = Mul(u, expandWords(scale(v, 1/float64(k-j)), u.Rank()))
		}
		next[k] = Add(levels[k], h)
	}
	return next
}

// expandWords gives x axes of length 1 after the first up to a rank.
func expandWords(x *Node, rank int) *Node {
	for x.Rank() < rank {
		x = ExpandAxes(x, 1)
	}
	return x
}

// scale returns c·x. GoMLX's MulScalar keeps one node for a number in a graph,
// and a loop cannot use what another made.
func scale(x *Node, c float64) *Node { return Mul(x, ConstAsDType(x.Graph(), x.DType(), c)) }

// row returns row i of a table. Rows past an end are those at the end.
func row(table, i *Node) *Node { return Squeeze(Gather(table, Reshape(i, 1, 1)), 0) }

// loop runs the body count times on a state, with the number of the turn from
// 0, on the device.
func loop(count int, state []*Node, body func(i *Node, state []*Node) []*Node) []*Node {
	g := state[0].Graph()
	state = append([]*Node{Const(g, int32(0))}, state...)
	parameters := func(g *Graph) []*Node {
		out := make([]*Node, len(state))
		for i, x := range state {
			out[i] = Parameter(g, fmt.Sprintf("state_%d", i), x.Shape())
		}
		return out
	}
	left := NewClosure(g, func(g *Graph) []*Node {
		return []*Node{LessThan(parameters(g)[0], Const(g, int32(count)))}
	})
	turn := NewClosure(g, func(g *Graph) []*Node {
		s := parameters(g)
		return append([]*Node{Add(s[0], Const(g, int32(1)))}, body(s[0], s[1:])...)
	})
	return While(left, turn, state...)[1:]
}

// byLevels returns the levels of signatures from steps [..., T-1, n]: each is the
// running sum of what the steps add to it, which the levels before tell for all
// steps at once; the last is what total makes of these.
func byLevels(steps *Node, depth int, total func(edges *Node) *Node) []*Node {
	levels, before := make([]*Node, depth), make([]*Node, depth)
	for k := range levels {
		h := MulScalar(steps, 1/float64(k+1))
		for j := range k {
			h = tensor(Add(before[j], h), MulScalar(steps, 1/float64(k-j)))
		}
		if k == depth-1 {
			levels[k] = total(h)
			break
		}
		levels[k] = running(h)
		before[k] = SliceAxis(levels[k], -2, AxisRangeFromStart(-1))
	}
	return levels
}
