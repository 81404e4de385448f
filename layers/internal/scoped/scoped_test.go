package scoped_test

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/initializer"
	"github.com/gomlx/gomlx/support/exceptions"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/internal/scoped"
)

// TestVariable has a variable of one shape and one type.
func TestVariable(t *testing.T) {
	g := NewGraph(backendtest.Get(t, "go"), "variables")
	defer g.Finalize()
	store := model.NewStore()
	model.SetStore(g, store)
	x := Parameter(g, "x", shapes.Make(dtypes.Float32, 1))
	variable := func(x *Node, dims ...int) *Node {
		return scoped.Variable(store.RootScope(), x, "weights", initializer.Zero, dims...)
	}
	require.Same(t, variable(x, 2, 3), variable(x, 2, 3))
	const want = "variable /weights is (Float32)[2, 3] and would have to be "
	err := exceptions.TryCatch[error](func() { variable(x, 3, 3) })
	require.ErrorContains(t, err, want+"(Float32)[3, 3]")
	err = exceptions.TryCatch[error](func() { variable(ConvertDType(x, dtypes.Float64), 2, 3) })
	require.ErrorContains(t, err, want+"(Float64)[2, 3]")
}
