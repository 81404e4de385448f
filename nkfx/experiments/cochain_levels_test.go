package experiments

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/cochain"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// TestCochainLevels: what the vertices are told is the codifferential of the
// integrals, and the forms are drawn where the vertices are.
func TestCochainLevels(t *testing.T) {
	backend := backendtest.Get(t, "go")
	x := NewRun(Graphs(excerpt), "cochain-small")
	x.Folds, x.Protocol = 2, func(p *train.Protocol) { p.Epochs, p.Batch = 1, 4 }
	_, m, err := x.Train(t.Context(), backend, nil)
	require.NoError(t, err)
	const graph, side = 3, 5
	archive, err := tu.Open(excerpt)
	require.NoError(t, err)
	data, err := m.Encoder.Encode(archive)
	require.NoError(t, err)
	weights, err := m.Store()
	require.NoError(t, err)
	network, err := models.Lookup("cochain-small", models.Size{})
	require.NoError(t, err)
	config := network.Options.(cochain.Config)
	levels, err := CochainLevels(backend, weights, config, data, graph, side)
	require.NoError(t, err)
	require.Len(t, levels, config.Layers+1)
	for i, level := range levels {
		vertices := len(level.Points) / 2
		require.Len(t, level.Integrals, len(level.Edges)/2*level.Forms)
		require.Len(t, level.Field.Values, side*side*2*level.Forms)
		require.Greater(t, level.Share, 0.0)
		require.LessOrEqual(t, level.Share, 1+1e-9)
		for _, v := range level.Points {
			require.Greater(t, v, level.Field.Low)
			require.Less(t, v, level.Field.High)
		}
		if i == config.Layers {
			require.Nil(t, level.Messages)
			break
		}
		want := make([]float64, vertices*level.Forms)
		for e := range len(level.Edges) / 2 {
			for j := range level.Forms {
				x := level.Integrals[e*level.Forms+j]
				want[int(level.Edges[2*e])*level.Forms+j] -= x
				want[int(level.Edges[2*e+1])*level.Forms+j] += x
			}
		}
		// The integrals are float32.
		require.InDeltaSlice(t, want, level.Messages, 1e-5)
	}

	_, err = CochainLevels(backend, weights, config, data, 40, side)
	require.ErrorContains(t, err, "there are graphs 0 to 39")
	config.Forms = 0
	_, err = CochainLevels(backend, weights, config, data, 0, side)
	require.ErrorContains(t, err, "want one or more forms")
}

// TestPlane: points of a plane in space keep their distances in it.
func TestPlane(t *testing.T) {
	var points []float64
	for _, uv := range [][2]float64{{0, 0}, {3, 1}, {-1, 2}, {2, -2}, {5, 5}} {
		u, v := uv[0], uv[1]
		points = append(points, 1+u, 2+v, 3+u-v)
	}
	p := newPlane(points, 3)
	require.InDelta(t, 1, p.share, 1e-12)
	flat := p.project(points)
	for i := range 5 {
		for j := range i {
			want, got := 0.0, 0.0
			for k := range 3 {
				want += math.Pow(points[3*i+k]-points[3*j+k], 2)
			}
			for k := range 2 {
				got += math.Pow(flat[2*i+k]-flat[2*j+k], 2)
			}
			require.InDelta(t, want, got, 1e-10)
		}
	}
}
