package path

import (
	"math/rand/v2"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// Comparisons, see package backendtest.
var (
	closeTo = backendtest.Close
	seeded  = backendtest.Seeded
	values  = backendtest.Values
)

// walks are random paths in Rⁿ, [count, points, n].
func walks(count, points, n int) [][][]float64 {
	rng := rand.New(rand.NewPCG(3, 4))
	out := make([][][]float64, count)
	for b := range out {
		at := make([]float64, n)
		for range points {
			for i := range at {
				at[i] += 0.3 * rng.NormFloat64()
			}
			out[b] = append(out[b], append([]float64{}, at...))
		}
	}
	return out
}

// flat returns paths as a batch, followed by some that the mask drops.
func flat(paths *Node, padding int) *layers.Batch {
	dims, g := paths.Shape().Dimensions, paths.Graph()
	of, mask := make([]int32, dims[0]*dims[1]), make([]bool, dims[0]+padding)
	for i := range of {
		of[i] = int32(i / dims[1])
	}
	for b := range dims[0] {
		mask[b] = true
	}
	vertices := Reshape(paths, -1, dims[2])
	if padding > 0 {
		of = append(of, make([]int32, padding)...)
		for i := range padding {
			of[len(of)-1-i] = int32(len(mask))
		}
		zeros := BroadcastToDims(ScalarZero(g, paths.DType()), padding, dims[2])
		vertices = Concatenate([]*Node{vertices, zeros}, 0)
	}
	return layers.NewBatch(layers.Parts{Vertices: vertices, VertexOf: Const(g, of), Mask: Const(g, mask)})
}

// gradients returns the derivatives of a scalar by all variables in use, joined.
func gradients(store *model.Store, of *Node) *Node {
	all := backendtest.Gradients(store, of)
	for i, d := range all {
		all[i] = Reshape(d, -1)
	}
	return Concatenate(all, 0)
}
