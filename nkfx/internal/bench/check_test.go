package bench

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
)

// TestCheck: all laws and reference values hold, and a wrong reference is reported.
func TestCheck(t *testing.T) {
	holds := func(t *testing.T, backend compute.Backend) {
		results := Check(backend)
		require.Len(t, results, 2*6+2*2)
		for _, r := range results {
			require.Empty(t, r.Error, r.Name)
		}
	}
	backend := backendtest.Get(t, "go")
	holds(t, backend)
	if backendtest.Long() { // a program is compiled for every law
		t.Run("xla", func(t *testing.T) { holds(t, backendtest.Get(t, "xla:cpu")) })
	}
	right := reference
	defer func() { reference = right }()
	reference = append([]byte(nil), right...)
	at := 0
	for i := range reference { // the first digit of the first integral
		if string(reference[i:i+14]) == `"integrals": [` {
			at = i + 14
			break
		}
	}
	for reference[at] < '1' || reference[at] > '8' {
		at++
	}
	reference[at]++
	failed := 0
	for _, r := range Check(backend) {
		if r.Error != "" {
			failed++
			require.Contains(t, r.String(), "FAILS")
		}
	}
	require.Equal(t, 2, failed, "in both types")
}
