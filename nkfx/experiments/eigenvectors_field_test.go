package experiments

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/simplicial"
	"github.com/neuralkforms/nkf/datasets/synthetic"
)

// The integrals of a constant form say what it is, wherever there are edges; far from all there is nothing.
func TestIntegralsExplainConstantForms(t *testing.T) {
	points, err := synthetic.NewCircles().Sample(1)
	require.NoError(t, err)
	c, err := simplicial.Rips(2, points, 0.5, 1)
	require.NoError(t, err)
	constants := [][2]float64{{1, 0}, {-2, 3}}
	var integrals []float32
	edges := c.Simplices(1)
	for e := 0; e < len(edges); e += 2 {
		from, to := 2*edges[e], 2*edges[e+1]
		for _, v := range constants {
			integrals = append(integrals,
				float32(v[0]*(points[to]-points[from])+v[1]*(points[to+1]-points[from+1])))
		}
	}
	f := Field{Low: -1.6, High: 1.6, Side: 9}
	f.explain(points, edges, integrals, 0.25)
	require.Len(t, f.Values, 9*9*2*2)
	for i := 0; i < len(f.Values); i += 4 {
		for j, v := range constants {
			// Single precision, and edges that are nearly parallel far out.
			require.InDelta(t, v[0], f.Values[i+j], 1e-3)
			require.InDelta(t, v[1], f.Values[i+2+j], 1e-3)
		}
	}
	far := Field{Low: 90, High: 100, Side: 2}
	far.explain(points, edges, integrals, 0.25)
	require.Equal(t, make([]float32, 16), far.Values)
}

// One edge says nothing of what is across it.
func TestOneEdgeIsExplainedByTheLeastVector(t *testing.T) {
	f := Field{Low: 0, High: 1, Side: 2}
	f.explain([]float64{0, 0, 2, 2}, []int32{0, 1}, []float32{4}, 1)
	for _, v := range f.Values {
		require.InDelta(t, 1, v, 1e-6)
	}
	f.explain(nil, nil, nil, 1)
	require.Empty(t, f.Values)
}
