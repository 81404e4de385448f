package main

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
)

// TestOneDevice: two devices that share batches have the losses of one with whole batches. A loss is a mean
// of 16 float32 of size 1, which devices add in another order: 16 roundings of 2⁻²⁴.
func TestOneDevice(t *testing.T) {
	runtime.GOMAXPROCS(max(2, runtime.NumCPU())) // XLA has a device for each
	backend := backendtest.Get(t, "xla:cpu")
	one := losses(backend, triangles(backend).BatchSize(16, true))
	two := losses(backend, shared(backend, triangles(backend).BatchSize(8, true), 2))
	require.Len(t, two, 30)
	require.Less(t, two[29], two[0]/10, "it learns")
	require.InDeltaSlice(t, one, two, 16./(1<<24))
}
