package exterior

import (
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
)

// RandomNetwork returns a network with random weights in float64, the same on
// every graph.
func RandomNetwork(seed uint64, n, k, count, rank int, activation string, hidden ...int) func(g *Graph) MLP {
	return RandomNetworkOf(dtypes.Float64, seed, n, k, count, rank, activation, hidden...)
}

// RandomNetworkOf is RandomNetwork with weights of a type.
func RandomNetworkOf(dtype dtypes.DType, seed uint64, n, k, count, rank int, activation string,
	hidden ...int) func(g *Graph) MLP {
	net := randomNetwork(rand.New(rand.NewPCG(seed, 1)), n, k, count, rank, activation, hidden...)
	return func(g *Graph) MLP { return net.mlp(g, dtype) }
}

// These are the helpers of the same name.
var (
	Normals = normals
	CloseTo = closeTo
	Run     = run
	Flat    = flat
	By      = by
	Plain   = plain
	Wedge   = wedge
	Blade   = blade
)

// Form returns the forms of a network whose weights are on a graph already.
func (m MLP) Form() Form {
	return Neural(m.dim, m.degree, m.count, func(*Node) MLP { return m })
}
