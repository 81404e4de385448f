package signature

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// TestLawsOfPaths checks the laws of iterated integrals: those of Chen (1957), of shuffles (Ree, 1958), of
// reversal, of points added on edges, and of detours there and back (Hambly and Lyons, 2010). Integrals of
// coordinates obey them up to rounding, those of waves up to the error of six Gauss points on edges of size
// 0.3, but for Chen's.
func TestLawsOfPaths(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		obey(t, backend, coordinates(2), 1e-13)
		obey(t, backend, waves(quadrature.Gauss(6)), 1e-7)
	})
}

// obey asks for the laws of two forms in the plane.
func obey(t *testing.T, backend compute.Backend, form exterior.Form, tolerance float64) {
	t.Helper()
	rng, words := rand.New(rand.NewPCG(1, 2)), Words(2, 3)
	step := func(from []float64, share float64) []float64 {
		return []float64{from[0] + share*rng.NormFloat64(), from[1] + share*rng.NormFloat64()}
	}
	path, after := [][]float64{{0.1, 0.2}}, [][]float64(nil)
	for range 4 {
		path = append(path, step(path[len(path)-1], 0.3))
	}
	after = append(after, path[4])
	for range 3 {
		after = append(after, step(after[len(after)-1], 0.3))
	}
	backwards := slices.Clone(path)
	slices.Reverse(backwards)
	between := []float64{0.3*path[1][0] + 0.7*path[2][0], 0.3*path[1][1] + 0.7*path[2][1]}
	aside := step(path[2], 0.3)
	out := values(t, backend, func(g *Graph) (nodes []*Node) {
		for _, p := range [][][]float64{path, after, slices.Concat(path, after[1:]), backwards,
			slices.Insert(slices.Clone(path), 2, between, between),
			slices.Insert(slices.Clone(path), 3, aside, path[2])} {
			nodes = append(nodes, last(Integrals(form, Const(g, p), words)))
		}
		return nodes
	})
	of := func(path int, w Word) float64 {
		if len(w) == 0 {
			return 1
		}
		at := slices.IndexFunc(words, func(v Word) bool { return slices.Equal(v, w) })
		return out[path][at]
	}
	var chen, reversed, shuffled, products []float64
	for _, w := range words {
		sum := 0.0
		for cut := range len(w) + 1 {
			sum += of(0, w[:cut]) * of(1, w[cut:])
		}
		chen = append(chen, sum)
		mirrored := slices.Clone(w)
		slices.Reverse(mirrored)
		reversed = append(reversed, of(0, mirrored)*float64(1-2*(len(w)%2)))
	}
	for _, u := range Words(2, 2) {
		for _, v := range Words(2, 1) {
			sum := 0.0
			for _, w := range shuffles(u, v) {
				sum += of(0, w)
			}
			shuffled, products = append(shuffled, sum), append(products, of(0, u)*of(0, v))
		}
	}
	require.NotEqual(t, out[0], out[3], fmt.Sprint(path))
	near(t, chen, out[2], 1e-13, "Chen")
	near(t, reversed, out[3], tolerance, "reversal")
	near(t, products, shuffled, tolerance, "shuffles")
	near(t, out[0], out[4], tolerance, "points on edges")
	near(t, out[0], out[5], tolerance, "a detour")
}

// shuffles returns the interleavings of two words that keep the order of the letters of each, those that
// occur several times included.
func shuffles(u, v Word) []Word {
	if len(u) == 0 || len(v) == 0 {
		return []Word{slices.Concat(u, v)}
	}
	var words []Word
	for _, w := range shuffles(u[:len(u)-1], v) {
		words = append(words, append(w, u[len(u)-1]))
	}
	for _, w := range shuffles(u, v[:len(v)-1]) {
		words = append(words, append(w, v[len(v)-1]))
	}
	return words
}
