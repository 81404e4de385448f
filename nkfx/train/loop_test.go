package train

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/stretchr/testify/require"

	nkf "github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// circles returns batches of points of the plane and whether each lies in the
// unit circle: [steps, size, 2] and [steps, size].
func circles(steps, size int) (points, inside *tensors.Tensor) {
	rng := rand.New(rand.NewPCG(1, 2))
	var x []float32
	var y []int32
	for range steps * size {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		x = append(x, float32(a), float32(b))
		label := int32(0)
		if a*a+b*b < 1 {
			label = 1
		}
		y = append(y, label)
	}
	return tensors.FromFlatDataAndDimensions(x, steps, size, 2),
		tensors.FromFlatDataAndDimensions(y, steps, size)
}

// circleLoss is that of a small network that is no collection's.
func circleLoss(dropout float64) func(scope *model.Scope, batch, data []*Node) *Node {
	return func(scope *model.Scope, batch, _ []*Node) *Node {
		h := nkf.MLP(scope.In("net"), batch[0], 16)
		if dropout > 0 {
			h = layers.DropoutStatic(scope.At("dropout"), h, dropout)
		}
		everyone := GreaterOrEqual(batch[1], ZerosLike(batch[1]))
		return nkf.CrossEntropy(nkf.MLP(scope.In("head"), h, 2), batch[1], everyone, nil)
	}
}

func seeded() *model.Store {
	store := model.NewStore()
	store.SetParam(model.ParamInitialSeed, int64(3))
	return store
}

// values returns all values of a store by the paths of their variables.
func values(store *model.Store) map[string][]float64 {
	out := map[string][]float64{}
	for v := range store.IterVariables() {
		if v.DType() == dtypes.Float32 {
			for _, x := range tensors.MustCopyFlatData[float32](v.MustValue()) {
				out[v.Path()] = append(out[v.Path()], float64(x))
			}
		}
	}
	return out
}

// TestLoopIsItsSteps: what many steps do in one program, they do in one
// program each, as always on the Go backend, for an optimizer of ours and one of
// GoMLX, with random numbers in the model.
func TestLoopIsItsSteps(t *testing.T) {
	backend := backendtest.Get(t, "xla:cpu")
	for name, opt := range map[string]optimizer.Interface{
		"Adam": Protocol{Rate: 1e-2}.Optimizer(), "GoMLX": optimizer.Adam().LearningRate(1e-2).Done(),
	} {
		if name == "GoMLX" && !backendtest.Long() {
			continue // XLA takes seconds to compile it
		}
		t.Run(name, func(t *testing.T) {
			x, y := circles(12, 32)
			var stores []*model.Store
			var losses []float64
			for _, whole := range []bool{true, false} {
				store := seeded()
				l := must(NewLoop(backend, store, opt, circleLoss(0.2)))
				defer l.Close()
				l.device = whole
				stores, losses = append(stores, store), append(losses, must(l.Run(x, y)))
			}
			// float32, compiled two ways.
			require.InDelta(t, losses[1], losses[0], 1e-5)
			want, got := values(stores[1]), values(stores[0])
			require.Len(t, got, len(want))
			for path, x := range want {
				require.InDeltaSlice(t, x, got[path], 1e-4, path)
			}
		})
	}
}

// TestLoopRefuses: what is wrong is an error that says so.
func TestLoopRefuses(t *testing.T) {
	backend := backendtest.Get(t, "go")
	x, y := circles(4, 8)
	_, five := circles(5, 8)
	for _, tables := range [][]*tensors.Tensor{nil, {x, five}, {tensors.FromValue(float32(1))}} {
		l := must(NewLoop(backend, seeded(), Protocol{Rate: 1e-2}.Optimizer(), circleLoss(0)))
		_, err := l.Run(tables...)
		require.ErrorContains(t, err, "steps")
		l.Close()
	}
	panics := func(*model.Scope, []*Node, []*Node) *Node { panic(fmt.Errorf("no such model")) }
	l := must(NewLoop(backend, seeded(), Protocol{Rate: 1e-2}.Optimizer(), panics))
	defer l.Close()
	_, err := l.Run(x, y)
	require.ErrorContains(t, err, "no such model")
}

// BenchmarkLoop times the steps of a small network, all in one program and
// each in one of its own.
func BenchmarkLoop(b *testing.B) {
	const steps = 64
	x, y := circles(steps, 32)
	for name, device := range map[string]bool{"together": true, "one-by-one": false} {
		b.Run(name, func(b *testing.B) {
			backend, opt := backendtest.Get(b, "xla:cpu"), Protocol{Rate: 1e-2}.Optimizer()
			l := must(NewLoop(backend, seeded(), opt, circleLoss(0)))
			defer l.Close()
			l.device = device
			epoch := func() {
				must(l.Run(x, y))
			}
			epoch()
			for b.Loop() {
				epoch()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/steps, "ns/step")
		})
	}
}

// A step of rate r on (w - x)² takes w the share 2r of the way to x. All numbers are exact.
func TestLoopRepeats(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		store := model.NewStore()
		descent := optimizer.StochasticGradientDescent().WithLearningRate(0.25).WithDecay(false).Done()
		loop := must(NewLoop(backend, store, descent, func(scope *model.Scope, batch, data []*Node) *Node {
			w := scope.VariableWithValue("w", float32(1)).NodeValue(batch[0].Graph())
			return Square(Sub(w, Squeeze(Gather(data[0], Reshape(batch[0], 1, 1)))))
		}, tensors.FromValue([]float32{3, 4})))
		defer loop.Close()
		loss, err := loop.Repeat(2) // w is 2, then 3
		require.NoError(t, err)
		require.InDelta(t, (4+4)/2., loss, 0)
		require.NoError(t, loop.SetRate(0.5))
		loss, err = loop.Repeat(2) // 3 is there, and then 4
		require.NoError(t, err)
		require.InDelta(t, (0+1)/2., loss, 0)
		w := must(store.RootScope().GetVariable("w").Value())
		require.Equal(t, float32(4), w.Value())
		_, err = loop.Repeat(0)
		require.ErrorContains(t, err, "no steps")
	})
}
