package cochain

import (
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"

	"github.com/neuralkforms/nkf/layers/backendtest"
)

// Comparisons, see package backendtest.
var (
	closeTo   = backendtest.Close
	seeded    = backendtest.Seeded
	compute64 = backendtest.Values
)

// tolerances of comparisons, relative to the largest value: what rounding
// costs in a few hundred operations, a digit left.
var tolerances = map[dtypes.DType]float64{dtypes.Float64: 1e-11, dtypes.Float32: 1e-4}

// rows makes a float64 matrix.
func rows(g *Graph, data []float64, width int) *Node { return Reshape(Const(g, data), -1, width) }
