package backendtest

import (
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
)

func TestEachComputes(t *testing.T) {
	ran := 0
	Each(t, func(t *testing.T, backend compute.Backend) {
		ran++
		sum, err := CallOnce(backend, func(g *Graph) *Node { return Add(Const(g, 2.0), Const(g, 3.0)) })
		require.NoError(t, err)
		require.Equal(t, 5.0, sum.Value())
		require.Same(t, backend, Get(t, t.Name()[len("TestEachComputes/"):]), "a backend is made once")
	})
	require.NotZero(t, ran, "the Go backend runs everywhere")
}

func TestUnknownBackendSkips(t *testing.T) {
	skipped := false
	t.Run("none", func(t *testing.T) {
		defer func() { skipped = t.Skipped() }()
		Get(t, "no such backend")
	})
	require.True(t, skipped)
}
