package gnn

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// pointNet is a PointNet of two members' mean among the networks that obey the laws.
func pointNet(scope *model.Scope, batch *layers.Batch, hidden, _, outputs int) *Node {
	config := PointNetConfig{Members: 2, Hidden: hidden, Features: hidden + 1, Head: hidden}
	return ReduceMean(PointNet(scope, batch, config, outputs), 0)
}

// TestRotations: matrices are orthogonal, of determinant 1, and a quarter turn about the third axis is what
// it should be.
func TestRotations(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		r := rand.New(rand.NewPCG(3, 4))
		quaternions := [][]float64{{math.Sqrt2, 0, 0, math.Sqrt2}}
		for range 5 {
			quaternions = append(quaternions, []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(),
				r.NormFloat64()})
		}
		out, err := model.CallOnce(backend, model.NewStore(), func(_ *model.Scope, g *Graph) *Node {
			return rotations(Const(g, quaternions))
		})
		require.NoError(t, err)
		all := out.Value().([][][]float64)
		// Entries are sums of a few products of numbers of size 1.
		const tolerance = 1e-14
		for i, want := range [][]float64{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}} {
			require.InDeltaSlice(t, want, all[0][i], tolerance)
		}
		for _, m := range all {
			for i := range 3 {
				for j := range 3 {
					dot := 0.0
					for k := range 3 {
						dot += m[i][k] * m[j][k]
					}
					require.InDelta(t, map[bool]float64{true: 1}[i == j], dot, tolerance)
				}
			}
			det := 0.0
			for i := range 3 {
				j, k := (i+1)%3, (i+2)%3
				det += m[0][i] * (m[1][j]*m[2][k] - m[1][k]*m[2][j])
			}
			require.InDelta(t, 1, det, tolerance)
		}
	})
}

// TestPointNetShifts: logits do not change with a shift, and do with a rotation, which training does at
// random.
func TestPointNetShifts(t *testing.T) {
	backend := backendtest.Get(t, "go")
	s := someGraphs()
	moved := func(f func(x []float64)) sample {
		out := s
		out.x = append([]float64{}, s.x...)
		for v := range s.of {
			f(out.x[3*v : 3*v+3])
		}
		return out
	}
	want := apply(t, backend, "PointNet", s)
	shifted := apply(t, backend, "PointNet", moved(func(x []float64) { x[0] += 3; x[2] -= 1 }))
	closeTo(t, want.logits, shifted.logits, rounding, "shifted")
	turned := apply(t, backend, "PointNet", moved(func(x []float64) { x[0], x[1] = x[1], -x[0] }))
	require.NotEqual(t, want.logits, turned.logits)
	logits := func(training bool, seed int64) []float64 {
		store := weights(t, "PointNet")
		require.NoError(t, store.SetRNGStateFromSeed(seed))
		out, err := model.CallOnce(backend, store, func(scope *model.Scope, g *Graph) *Node {
			store.SetTraining(g, training)
			return pointNet(scope, s.graphs(g), width, depth, classes)
		})
		require.NoError(t, err)
		return real(out)
	}
	require.Equal(t, logits(false, 1), logits(false, 2))
	require.NotEqual(t, logits(true, 1), logits(true, 2))
}
