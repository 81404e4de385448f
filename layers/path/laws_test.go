package path

import (
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// small is a network of everything but chance.
var small = Config{
	Points: 37, Width: 4, Forms: 4, Hidden: 5, Layers: 2, Windows: []int{1, 3, 0},
}

// networks are all of this package.
var networks = []func(scope *model.Scope, batch *layers.Batch, config Config, outputs int) *Node{
	of(ofIntegrals), of(ofConstant), of(ofDifferences), CNN,
}

// of returns the network of a kind.
func of(kind string) func(scope *model.Scope, batch *layers.Batch, config Config, outputs int) *Node {
	return func(scope *model.Scope, batch *layers.Batch, config Config, outputs int) *Node {
		config.Kind = kind
		return Network(scope, batch, config, outputs)
	}
}

// TestPaddingDoesNotMatter has paths that the mask drops, in training: on every backend the outcome is that
// of the Go backend without them.
func TestPaddingDoesNotMatter(t *testing.T) {
	for i, network := range networks {
		store := seeded(t) // one, since each backend draws other weights
		outcome := func(backend compute.Backend, padding int) [][]float64 {
			for v := range store.IterVariables() {
				require.NoError(t, v.MustValue().ToLocal()) // it may be on another backend
			}
			return values(t, backend, store, true, func(scope *model.Scope, g *Graph) []*Node {
				logits := network(scope, flat(Const(g, walks(4, 37, 2)), padding), small, 3)
				logits = SliceAxis(logits, 0, AxisRange(0, 4))
				weights := Reshape(Const(g, walks(1, 12, 1)), 4, 3)
				return []*Node{logits, gradients(store, ReduceAllSum(Mul(logits, weights)))}
			})
		}
		want := outcome(backendtest.Get(t, "go"), 0)
		backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
			got := outcome(backend, 2)
			// Sums over the batch in its norm, in another order.
			closeTo(t, want[0], got[0], 1e-10, "logits", i)
			closeTo(t, want[1], got[1], 1e-9, "gradients", i)
		})
	}
}

// TestWindow compares with sums over the edges of every window.
func TestWindow(t *testing.T) {
	const points = 7
	running := walks(1, points, 2)
	running[0][0] = []float64{0, 0} // as running integrals begin
	for w := range points + 2 {
		got := values(t, backendtest.Get(t, "go"), model.NewStore(), false,
			func(_ *model.Scope, g *Graph) []*Node {
				before, after := window(ExpandAxes(Const(g, running), 0), w)
				return []*Node{before, after}
			})
		reach := w
		if w == 0 {
			reach = points
		}
		for v := range points {
			for j := range 2 {
				at := func(v int) float64 { return running[0][v][j] }
				wantBefore, wantAfter := at(v)-at(max(v-reach, 0)), at(min(v+reach, points-1))-at(v)
				require.InDelta(t, wantBefore, got[0][2*v+j], 1e-14, "%d edges before vertex %d", w, v)
				require.InDelta(t, wantAfter, got[1][2*v+j], 1e-14, "%d edges after vertex %d", w, v)
			}
		}
	}
}

// TestReversal turns paths around: without dt the integrals over edges change
// their sign and order. Networks of places alone have no dt.
func TestReversal(t *testing.T) {
	backendtest.All(t, func(t *testing.T, backend compute.Backend) {
		for _, config := range []Config{{Kind: ofIntegrals}, {Kind: ofConstant}, {Place: true, Rank: 2}} {
			there := walks(1, 9, 4)
			back := [][][]float64{slices.Clone(there[0])}
			slices.Reverse(back[0])
			config.Width, config.Forms = 4, 3
			integrals := func(paths [][][]float64) []float64 {
				store := seeded(t)
				if !config.Place {
					store.RootScope().VariableWithValue("time", []float64{0, 0, 0})
				}
				return values(t, backend, store, false, func(scope *model.Scope, g *Graph) []*Node {
					return []*Node{config.integrals(scope, ExpandAxes(Const(g, paths), 0))}
				})[0]
			}
			want, got := integrals(there), integrals(back)
			for e := range 8 {
				for j := range 3 {
					require.InDelta(t, -want[3*(7-e)+j], got[3*e+j], 1e-14)
				}
			}
		}
	})
}

// TestPathsThatRest compares the derivative by a shift of paths with differences, where many points have the
// largest of what is read. The tolerance is that of differences of second order.
func TestPathsThatRest(t *testing.T) {
	paths, config := walks(3, 37, 2), small
	for p := range 37 {
		paths[0][p], paths[1][p] = paths[0][0], paths[1][min(p, 5)]
	}
	for _, config.Kind = range []string{ofIntegrals, ofDifferences} {
		config.Place = true
		at := func(shift float64) [][]float64 {
			return values(t, backendtest.Get(t, "go"), seeded(t), false,
				func(scope *model.Scope, g *Graph) []*Node {
					by := Const(g, shift)
					logits := Network(scope, flat(Add(Const(g, paths), by), 0), config, 3)
					loss := ReduceAllSum(Square(logits))
					return []*Node{loss, Gradient(loss, by)[0]}
				})
		}
		const step = 1e-5
		require.InEpsilon(t, (at(step)[0][0]-at(-step)[0][0])/(2*step), at(0)[1][0], 1e-7)
	}
}

// TestVelocity compares with its definition, on a path shorter than the reach
// on both sides too.
func TestVelocity(t *testing.T) {
	for _, points := range []int{2, 5, 12} {
		x := walks(2, points, 3)
		got := values(t, backendtest.Get(t, "go"), model.NewStore(), false,
			func(_ *model.Scope, g *Graph) []*Node {
				return []*Node{velocity(Const(g, x))}
			})[0]
		for i, v := range got {
			b, p, j := i/(3*points), i/3%points, i%3
			from, to := max(p-reach, 0), min(p+reach, points-1)
			require.InDelta(t, (x[b][to][j]-x[b][from][j])/float64(to-from), v, 1e-12)
		}
	}
}

// augmented returns what becomes of paths of 33 points from 0 to 1, and their
// mirror images from 1 to 0, [paths, 33] for each channel. A third channel is the number of the path, which
// none takes for another.
func augmented(t *testing.T, a Augment, paths int, training bool) (rising, falling [][]float64) {
	t.Helper()
	x := make([][][]float64, paths)
	for b := range x {
		for p := range 33 {
			u := float64(p) / 32
			x[b] = append(x[b], []float64{u, 1 - u, float64(b)})
		}
	}
	got := values(t, backendtest.Get(t, "go"), seeded(t), training,
		func(scope *model.Scope, g *Graph) []*Node {
			return []*Node{a.apply(scope, Const(g, x))}
		})[0]
	require.Len(t, got, paths*33*3)
	for path := range slices.Chunk(got, 99) {
		var r, f []float64
		for p := range 33 {
			r, f = append(r, path[3*p]), append(f, path[3*p+1])
			if a.Scale == 0 && a.Shift == 0 {
				require.InDelta(t, len(rising), path[3*p+2], 1e-9)
			}
		}
		rising, falling = append(rising, r), append(falling, f)
	}
	return rising, falling
}

func TestWarp(t *testing.T) {
	rising, falling := augmented(t, Augment{Warp: 0.3}, 100, true)
	differ := 0.0
	for i, path := range rising {
		require.True(t, slices.IsSorted(path), "time goes on")
		require.InDelta(t, 0, path[0], 1e-12)
		require.InDelta(t, 1, path[32], 1e-12)
		for p, u := range path {
			require.InDelta(t, 1-u, falling[i][p], 1e-12, "channels have one time")
		}
		differ = max(differ, math.Abs(path[16]-rising[(i+50)%100][16]))
	}
	require.Greater(t, differ, 0.1, "paths have times of their own")
}

func TestCut(t *testing.T) {
	rising, _ := augmented(t, Augment{Cut: 0.2}, 200, true)
	shortest, first := 1.0, 0.0
	for _, path := range rising {
		length := path[32] - path[0]
		shortest, first = min(shortest, length), max(first, path[0])
		require.True(t, path[0] >= -1e-12 && path[32] <= 1+1e-12 && length >= 0.8-1e-12)
		for p := range 33 {
			require.InDelta(t, path[0]+length*float64(p)/32, path[p], 1e-12, "evenly")
		}
	}
	// Among 200 uniform numbers one is in the last tenth but for a chance of 1e-9.
	require.Less(t, shortest, 0.82)
	require.Greater(t, first, 0.05)
}

func TestScaleAndShift(t *testing.T) {
	rising, falling := augmented(t, Augment{Scale: 0.2, Shift: 0.3}, 1000, true)
	var scales, shifts float64
	for i, path := range rising {
		for p := range 33 {
			require.InDelta(t, path[0]+(path[32]-path[0])*float64(p)/32, path[p], 1e-12)
		}
		scale := path[32] - path[0]
		require.NotEqual(t, scale, falling[i][0]-falling[i][32], "each channel has its own")
		scales += (scale - 1) * (scale - 1) / 1000
		shifts += path[0] * path[0] / 1000
	}
	// The deviation of 1000 numbers is off by 1/√2000 of itself: four times that.
	require.InEpsilon(t, 0.2, math.Sqrt(scales), 0.09)
	require.InEpsilon(t, 0.3, math.Sqrt(shifts), 0.09)
}

func TestNoAugmentationInEvaluation(t *testing.T) {
	all := Augment{Warp: 0.3, Cut: 0.2, Scale: 0.2, Shift: 0.2}
	for _, a := range []Augment{all, {}} {
		rising, _ := augmented(t, a, 6, a == Augment{})
		for _, path := range rising {
			for p, u := range path {
				require.Equal(t, float64(p)/32, u)
			}
		}
	}
}

// TestConvolve compares with sums over the points that a kernel covers.
func TestConvolve(t *testing.T) {
	const points, in, out, k = 6, 2, 3, 5
	backendtest.All(t, func(t *testing.T, backend compute.Backend) {
		x, w := walks(2, points, in), walks(1, k*in, out)[0]
		store := model.NewStore()
		store.RootScope().VariableWithValue("weights", w)
		got := values(t, backend, store, false, func(scope *model.Scope, g *Graph) []*Node {
			return []*Node{convolve(scope, Const(g, x), k, out)}
		})[0]
		for e := range 2 {
			for p := range points {
				for j := range out {
					want := 0.0
					for i := range k * in {
						if at := p + i/in - k/2; at >= 0 && at < points {
							want += x[e][at][i%in] * w[i][j]
						}
					}
					require.InDelta(t, want, got[(e*points+p)*out+j], 1e-13)
				}
			}
		}
	})
}

// TestConfigsThatCannotBe: a misspelled kind was a network of integrals, without a word.
func TestConfigsThatCannotBe(t *testing.T) {
	for want, change := range map[string]func(c *Config){
		`no kind "constants" of networks on paths`: func(c *Config) { c.Kind = "constants" },
		"windows of 0 or more":                     func(c *Config) { c.Windows = []int{-1} },
		"widths of 1 or more":                      func(c *Config) { c.Width = 0 },
	} {
		config := Config{Points: 4, Width: 2, Forms: 2, Hidden: 2, Windows: []int{0}}
		change(&config)
		_, err := model.CallOnce(backendtest.Get(t, "go"), model.NewStore(),
			func(scope *model.Scope, g *Graph) *Node {
				return Network(scope, flat(Const(g, walks(2, 4, 2)), 0), config, 2)
			})
		require.ErrorContains(t, err, want)
	}
}
