package simplicial

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/internal/modular"
)

// At every value the intervals that are open there are the Betti numbers of the sublevel set.
func TestPersistenceCountsBettiNumbers(t *testing.T) {
	for seed := range uint64(6) {
		c := embedded(t, randomComplex(t, newRand(seed), 12, 30, 3), 3, seed)
		if seed == 0 {
			c = embedded(t, kleinBottle(t), 3, 1)
		}
		values := must(c.Diameters())
		for _, p := range []uint64{2, 3, uint64(modular.Prime)} {
			intervals := must(c.Persistence(values, p))
			for _, at := range []float64{0, 0.5, 1, 1.5, 2, 2.5, 3, 10} {
				sub := must(c.Sublevel(values, at))
				want := sub.betti(modular.Field(p))
				got := make([]int, c.Dim()+1)
				for _, x := range intervals {
					if x.Birth <= at && at < x.Death {
						got[x.Degree]++
					}
				}
				require.Equal(t, want, got[:len(want)], "seed %d modulo %d at %v", seed, p, at)
			}
		}
	}
}

// Of points on a circle the loop is born with the longest gap of neighbors, and dies with the largest
// triangle around the center, whose side is √3 for a multiple of three points.
func TestPersistenceOfACircle(t *testing.T) {
	var coords []float64
	for i := range 30 {
		angle := 2 * math.Pi * float64(i) / 30
		coords = append(coords, math.Cos(angle), math.Sin(angle))
	}
	c := must(Rips(2, coords, 2, 2))
	values := must(c.Diameters())
	intervals := must(c.Persistence(values, 2))
	var loops []Interval
	for _, x := range intervals {
		if x.Degree == 1 {
			loops = append(loops, x)
		}
	}
	require.Len(t, loops, 1)
	require.InDelta(t, 2*math.Sin(math.Pi/30), loops[0].Birth, 1e-12)
	require.InDelta(t, math.Sqrt(3), loops[0].Death, 1e-12)
	require.Equal(t, values[1][loops[0].Creator], loops[0].Birth)
	require.Equal(t, values[2][loops[0].Killer], loops[0].Death)
	components := 0
	for _, x := range intervals {
		if x.Degree == 0 && x.Killer < 0 {
			components++
		}
	}
	require.Equal(t, 1, components)
}

func TestPersistenceOfNothing(t *testing.T) {
	require.Empty(t, must(must(New(0, nil)).Persistence([][]float64{}, 2)))
}
