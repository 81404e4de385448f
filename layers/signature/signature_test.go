package signature

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
)

// TestGoldenSignatures compares with values that signax, pysiglib and esig
// agree on to 2e-13, in float64 to 1e-12. In float32 rounding is 6e-8 for each
// of up to 50 factors of up to 8 levels: at most 2e-5 of the largest entry.
func TestGoldenSignatures(t *testing.T) {
	precisions := []backendtest.Precision{{DType: dtypes.Float64, Tolerance: 1e-12},
		{DType: dtypes.Float32, Tolerance: 2e-5}}
	backendtest.All(t, func(t *testing.T, backend compute.Backend) {
		for i, c := range golden(t) {
			// What XLA takes to compile grows with the depth.
			if c.Depth > 4 && backend.Name() == "xla" && !backendtest.Long() {
				continue
			}
			for _, p := range backendtest.Compiled(backend, precisions) {
				dtype, tolerance, n := p.DType, p.Tolerance, len(c.Path[0])
				got := values(t, backend, func(g *Graph) []*Node {
					x := on(g, dtype, c.Path)
					s := Signature(x, c.Depth)
					return []*Node{s, logarithm(s, n, c.Depth), LogSignature(x, c.Depth)}
				})
				near(t, c.Signature, got[0], tolerance, i, dtype)
				if c.Logsignature != nil {
					near(t, c.Logsignature, got[1], tolerance, i, dtype)
				}
				if c.Lyndon != nil {
					near(t, c.Lyndon, got[2], tolerance, i, dtype)
				}
			}
		}
	})
}

// TestSignatureGradient compares derivatives by the path with differences: at
// step 1e-4 their error is 1e-8 times third derivatives of order one.
func TestSignatureGradient(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		for _, c := range [][2]int{{3, 1}, {1, 4}, {2, 2}, {3, 3}, {2, 5}} {
			n, depth := c[0], c[1]
			rng := rand.New(rand.NewPCG(uint64(n), uint64(depth)))
			paths := [][][]float64{walk(rng, 5, n), walk(rng, 5, n), walk(rng, 5, n)}
			direction := [][][]float64{walk(rng, 5, n), walk(rng, 5, n), walk(rng, 5, n)}
			got := values(t, backend, func(g *Graph) []*Node {
				x, d := Const(g, paths), Const(g, direction)
				loss := func(x *Node) *Node { return ReduceAllSum(Sin(Signature(x, depth))) }
				slope := ReduceAllSum(Mul(Gradient(loss(x), x)[0], d))
				up, down := loss(Add(x, scale(d, 1e-4))), loss(Sub(x, scale(d, 1e-4)))
				return []*Node{slope, scale(Sub(up, down), 0.5e4)}
			})
			near(t, got[1], got[0], 1e-6, n, depth)
		}
	})
}

// TestLongGradient: in float32 the way back over a thousand points loses no more
// than 1e-4 of the largest entry against float64.
func TestLongGradient(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	path := walk(rng, 1000, 2)
	gradient := func(backend compute.Backend, dtype dtypes.DType) []float64 {
		return value(t, backend, func(g *Graph) *Node {
			x := on(g, dtype, path)
			return Gradient(ReduceAllSum(Square(Signature(x, 6))), x)[0]
		})
	}
	want := gradient(backendtest.Get(t, "go"), dtypes.Float64)
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		near(t, want, gradient(backend, dtypes.Float32), 1e-4)
	})
}

// TestParts: a few long paths, which are cut into parts, have the signatures and gradients that are found
// level by level, also where parts do not divide them.
func TestParts(t *testing.T) {
	for _, points := range []int{17, 18, 100, 301} {
		require.Greater(t, sideBySide(3, points-1), 1)
		byLevelsToo(t, 3, points, 4)
	}
}

// TestBands: so do many paths, which are cut into bands, also where bands do not divide them.
func TestBands(t *testing.T) {
	for _, paths := range []int{65, 66, 150} {
		byLevelsToo(t, paths, 4, 3)
	}
}

// byLevelsToo compares signatures of plane paths, and their gradients, with those that the Go backend finds
// level by level.
func byLevelsToo(t *testing.T, count, points, depth int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 4))
	paths := make([][][]float64, count)
	for i := range paths {
		paths[i] = walk(rng, points, 2)
	}
	outcome := func(backend compute.Backend, signature func(x *Node) *Node) [][]float64 {
		return values(t, backend, func(g *Graph) []*Node {
			x := Const(g, paths)
			s := signature(x)
			return []*Node{s, Gradient(ReduceAllSum(Sin(s)), x)[0]}
		})
	}
	want := outcome(backendtest.Get(t, "go"), func(x *Node) *Node {
		from, to := ends(x)
		levels := byLevels(Sub(to, from), depth, running)
		return Reshape(last(Concatenate(levels, -1)), count, -1)
	})
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		got := outcome(backend, func(x *Node) *Node { return Signature(x, depth) })
		near(t, want[0], got[0], 1e-13, count, points)
		near(t, want[1], got[1], 1e-11, count, points)
	})
}

// TestAugmentations spells them out, and finds the quadratic variation in the
// area of the lead and the lag.
func TestAugmentations(t *testing.T) {
	path := [][]float64{{1, 5}, {2, 7}, {4, 4}}
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		got := values(t, backend, func(g *Graph) []*Node {
			x := Const(g, path)
			return []*Node{WithTime(x), WithBasepoint(x), LeadLag(x), Signature(LeadLag(x), 2)}
		})
		near(t, []float64{1, 5, 0, 2, 7, 0.5, 4, 4, 1}, got[0], 0)
		near(t, []float64{0, 0, 1, 5, 2, 7, 4, 4}, got[1], 0)
		near(t, []float64{1, 5, 1, 5, 2, 7, 1, 5, 2, 7, 2, 7, 4, 4, 2, 7, 4, 4, 4, 4}, got[2], 0)
		area := func(i, j int) float64 { return got[3][place(Word{i, j}, 4)] - got[3][place(Word{j, i}, 4)] }
		// The steps are (1, 2) and (2, -3).
		near(t, []float64{1 + 4, 4 + 9}, []float64{area(0, 2), area(1, 3)}, 1e-14)
	})
}

// TestWords: numbers of words and of Lyndon words (Witt's formula).
func TestWords(t *testing.T) {
	for _, c := range []struct{ n, depth, words, lyndon int }{
		{1, 4, 4, 1}, {2, 8, 510, 71}, {3, 6, 1092, 196}, {5, 3, 155, 55},
	} {
		words := Words(c.n, c.depth)
		require.Len(t, words, c.words)
		require.Len(t, Lyndon(c.n, c.depth), c.lyndon)
		require.Equal(t, c.words, Entries(c.n, c.depth))
		for i, w := range words {
			require.Equal(t, i, place(w, c.n))
		}
	}
	for _, c := range [][2]int{{2, 40}, {1 << 40, 2}, {10, 1 << 40}} { // some would overflow an integer
		require.Panics(t, func() { Words(c[0], c[1]) })
		require.Panics(t, func() { Lyndon(c[0], c[1]) })
	}
	require.Empty(t, Words(0, 40))
	for i, c := range golden(t) {
		for j, w := range Lyndon(len(c.Path[0]), c.Depth) {
			var name string
			for _, a := range w {
				name += string(rune('1' + a))
			}
			require.Equal(t, c.LyndonWords[j], name, "case %d", i)
		}
	}
}

// TestSignatureInLoops: signatures and their gradients are part of loops, as in
// an epoch of training that is one program. Three steps of gradient descent there
// and outside are the same. The Go backend has no gradients in loops (compute
// v0.1.3).
func TestSignatureInLoops(t *testing.T) {
	backend := backendtest.Get(t, "xla:cpu")
	rng := rand.New(rand.NewPCG(6, 4))
	path := walk(rng, 7, 2)
	descent := func(x *Node) *Node {
		loss := ReduceAllSum(Square(Signature(x, 3)))
		return Sub(x, scale(Gradient(loss, x)[0], 0.01))
	}
	inside := value(t, backend, func(g *Graph) *Node {
		return loop(3, []*Node{Const(g, path)}, func(_ *Node, s []*Node) []*Node {
			return []*Node{descent(s[0])}
		})[0]
	})
	outside := value(t, backend, func(g *Graph) *Node {
		return descent(descent(descent(Const(g, path))))
	})
	near(t, outside, inside, 1e-13)
}

// TestGradientMemory: what 7,000 more points take are a few copies of the paths,
// 96 bytes a point. Signatures up to each of them would take 4 kB a point, 27
// MB.
func TestGradientMemory(t *testing.T) {
	backendtest.NeedLong(t)
	if _, ok := backendtest.NativeBytes(); !ok {
		t.Skip("the C library does not count its memory")
	}
	backend := backendtest.Get(t, "xla:cpu")
	const batch, n, depth = 4, 3, 4
	peak := func(points int) int64 {
		exec, err := NewExec(backend, func(x *Node) *Node {
			return Gradient(ReduceAllSum(Square(Signature(x, depth))), x)[0]
		})
		require.NoError(t, err)
		defer exec.Finalize()
		path := slices.Concat(walk(rand.New(rand.NewPCG(1, 1)), points, n)...)
		x := tensors.FromFlatDataAndDimensions(slices.Repeat(path, batch), batch, points, n)
		run := func() {
			out, err := exec.Call(x)
			require.NoError(t, err)
			out[0].MustFinalizeAll()
		}
		run() // compiles
		most := int64(0)
		for range 20 { // a run may be over before the first look
			before, _ := backendtest.NativeBytes()
			done := make(chan struct{})
			go func() {
				defer close(done)
				run()
			}()
			for running := true; running; {
				now, _ := backendtest.NativeBytes()
				most = max(most, now-before)
				select {
				case <-done:
					running = false
				case <-time.After(50 * time.Microsecond):
				}
			}
		}
		return most
	}
	short, long := peak(1000), peak(8000)
	t.Logf("peak of 1,000 points %d bytes, of 8,000 %d", short, long)
	require.Positive(t, short)
	require.Less(t, long-short, int64(6*7000*96))
}
