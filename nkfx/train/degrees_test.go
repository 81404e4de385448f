package train

import (
	"fmt"
	"math"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/datasets/simplicial"
	nkf "github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// space is the dimension of simplexes.
const space = 8

// simplexes are k-simplices in space with all their faces, one of edge 1 and one of edge 2 in turn: simplices
// repeat themselves, and the size is to be told, by as many tasks as there are degrees.
func simplexes(t *testing.T, count, k int) *datasets.Collection {
	t.Helper()
	top := make([]int, k+1)
	coordinates := make([]float64, (k+1)*space)
	for v := range top {
		top[v] = v
		if v > 0 {
			coordinates[v*space+v-1] = 1
		}
	}
	x, err := simplicial.New(k+1, [][]int{top})
	require.NoError(t, err)
	b := datasets.NewBuilder(space)
	b.Name, b.Faces = "simplexes", true
	for degree := range k + 1 {
		b.Tasks = append(b.Tasks, fmt.Sprint(degree))
	}
	for g := range count {
		scaled, targets := make([]float64, len(coordinates)), make([]float64, k+1)
		for i, c := range coordinates {
			scaled[i] = c*float64(1+g%2) - 0.5 // 0 is not alone in being small
		}
		for degree := range targets {
			targets[degree] = float64(g % 2)
		}
		embedded, err := x.Embed(space, scaled)
		require.NoError(t, err)
		b.AddComplex(embedded, targets...)
	}
	c, err := b.Collection()
	require.NoError(t, err)
	return c
}

// ofEachDegree answers the task of each degree by a form of that degree alone.
func ofEachDegree(degrees int) Model {
	return func(scope *model.Scope, b *nkf.Batch) *Node {
		var read []*Node
		for k := range degrees {
			f := nkf.KForm(scope.In("forms_%d", k), space, k, 1).Hidden(2).Activation(nkf.SiLU).
				Initialization(nkf.FanInUniform).Quadrature(quadrature.Gauss(1)).Done()
			read = append(read, b.Readout(nkf.SquaredL2, f))
		}
		h := nkf.BatchNorm(scope.In("norm"), Concatenate(read, 1), b.Mask())
		slope := scope.VariableWithValue("slope", make([]float32, degrees)).NodeValue(h.Graph())
		return Mul(h, ExpandAxes(slope, 0))
	}
}

// TestEveryDegreeTrains: forms of every degree on simplices that repeat themselves learn what tells them
// apart, however many parts a batch has.
func TestEveryDegreeTrains(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		data := simplexes(t, 16, space)
		all := everything(data)
		p, err := newPlan(data, []datasets.Fold{all}, 8, 1, maxDistinct, 0)
		require.NoError(t, err)
		require.Greater(t, len(p.training[0].Parts), 64)
		e := trainerFor(t, backend, data, ofEachDegree(space+1), p)
		for k := 1; k <= space; k++ {
			part := e.shapes[0].layout.Parts[e.shapes[0].layout.Find(packing.DistinctCounts, k)]
			require.True(t, part.Packed, "degree %d", k)
		}
		require.NoError(t, e.start(7))
		var loss float64
		for range 40 {
			mean, err := e.epoch(all.Train, func(int) float64 { return 0.1 })
			require.NoError(t, err)
			loss = mean
		}
		require.Less(t, loss, math.Ln2/(space+1)/4, "a degree that learns nothing costs four times that")
		if backend.Name() != backendtest.Get(t, "go").Name() {
			return // another program to compile, for nothing new
		}
		logits, err := e.outputs(e.evaluation, all.Test)
		require.NoError(t, err)
		for i, z := range logits {
			require.Equal(t, data.Targets[i] > 0, z > 0, "degree %d of complex %d: %v", i%(space+1),
				i/(space+1), z)
		}
	})
}
