package backendtest

import (
	"strings"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
)

// TestEachComputes: the Go backend runs everywhere, and all run what is to run on all, or where NKF_LONG is
// set.
func TestEachComputes(t *testing.T) {
	var ran []string
	computes := func(t *testing.T, backend compute.Backend) {
		ran = append(ran, t.Name()[len("TestEachComputes/"):])
		sum, err := CallOnce(backend, func(g *Graph) *Node { return Add(Const(g, 2.0), Const(g, 3.0)) })
		require.NoError(t, err)
		require.Equal(t, 5.0, sum.Value())
		name, _, _ := strings.Cut(ran[len(ran)-1], "#")
		require.Same(t, backend, Get(t, name), "a backend is made once")
	}
	t.Setenv("NKF_LONG", "")
	Each(t, computes)
	require.Equal(t, []string{"go"}, ran)
	All(t, computes)
	require.Equal(t, []string{"go", "go#01"}, ran[:2])
	all := len(ran) - 1
	t.Setenv("NKF_LONG", "1")
	Each(t, computes)
	require.Len(t, ran, 1+2*all)
}

func TestUnknownBackendSkips(t *testing.T) {
	skipped := false
	t.Run("none", func(t *testing.T) {
		defer func() { skipped = t.Skipped() }()
		Get(t, "no such backend")
	})
	require.True(t, skipped)
}
