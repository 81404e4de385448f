package main

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
)

// TestMethod: Stokes' theorem holds to the rounding of sums of numbers below 1.
func TestMethod(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		out, err := model.CallOnceN(backend, model.NewStore(), method)
		require.NoError(t, err)
		require.InDeltaSlice(t, out[1].Value(), out[2].Value(), 1e-6)
	})
}
