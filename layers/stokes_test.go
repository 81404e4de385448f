package layers_test

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior/laws"
)

// TestStokesByDefault: forms whose activation nobody named obey Stokes'
// theorem, the better the smaller the simplices. With ReLU dω jumps within
// them, and three points a direction see little of that at any size.
func TestStokesByDefault(t *testing.T) {
	backend := backendtest.Get(t, "go")
	stokes := func(n, k int, size, tolerance float64, activation func(*Node) *Node) error {
		store := model.NewStore()
		store.SetParam(model.ParamInitialSeed, int64(1))
		forms := layers.KForm(store.RootScope(), n, k, 3)
		if activation != nil {
			forms.Activation(activation)
		}
		return laws.Stokes(laws.Subject{
			Backend: backend, Store: store, Form: forms.Done(), Simplices: 64, Size: size,
			Tolerance: tolerance,
		})
	}
	for n := 2; n <= 3; n++ {
		for k := 1; k < n; k++ {
			// Measured: 4.2e-2, 7.3e-4 and 1.3e-3; at a quarter of the size 9.9e-5, 3.9e-6 and 3.8e-6.
			require.NoError(t, stokes(n, k, 0.4, 0.1, nil))
			require.NoError(t, stokes(n, k, 0.1, 3e-4, nil))
			// Measured: 0.71, 0.20 and 0.083, at both sizes.
			require.ErrorIs(t, stokes(n, k, 0.1, 0.05, activation.Relu), laws.ErrViolated)
		}
	}
}
