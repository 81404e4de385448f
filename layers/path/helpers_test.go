package path

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
)

// values computes some nodes, whose variables are those of the store.
func values(t *testing.T, backend compute.Backend, store *model.Store, training bool,
	build func(scope *model.Scope, g *Graph) []*Node) [][]float64 {
	t.Helper()
	exec, err := model.NewExec(backend, store, func(scope *model.Scope, g *Graph) []*Node {
		store.SetTraining(g, training)
		out := build(scope, g)
		for i, node := range out {
			out[i] = ConvertDType(node, dtypes.Float64)
		}
		return out
	})
	require.NoError(t, err)
	defer exec.Finalize()
	found, err := exec.Call()
	require.NoError(t, err)
	out := make([][]float64, len(found))
	for i, x := range found {
		out[i] = tensors.MustCopyFlatData[float64](x)
	}
	return out
}

// seeded returns a store whose variables and random numbers begin the same
// every time.
func seeded(t *testing.T) *model.Store {
	t.Helper()
	store := model.NewStore()
	require.NoError(t, store.SetRNGStateFromSeed(7))
	return store
}

// closeTo asks that got equals want up to a tolerance relative to the largest
// value.
func closeTo(t *testing.T, want, got []float64, tolerance float64, about string) {
	t.Helper()
	require.Len(t, got, len(want), about)
	scale := 0.0
	for _, w := range want {
		scale = math.Max(scale, math.Abs(w))
	}
	for i := range want {
		// The condition is written so that NaN fails it.
		if !(math.Abs(want[i]-got[i]) <= tolerance*scale) {
			t.Fatalf("%s: entry %d is %.17g, want %.17g within %.1e", about, i, got[i], want[i],
				tolerance*scale)
		}
	}
}

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
	var at []*Node
	for v := range store.IterVariables() {
		if v.Trainable && v.InUseByGraph(of.Graph()) {
			at = append(at, v.NodeValue(of.Graph()))
		}
	}
	all := Gradient(of, at...)
	for i, d := range all {
		all[i] = Reshape(d, -1)
	}
	return Concatenate(all, 0)
}
