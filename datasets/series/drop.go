package series

import (
	"fmt"
	"math"
	"slices"

	"github.com/neuralkforms/nkf/datasets"
)

// Readings are what can be made of paths with observations missing: these are interpolated in time, or the
// others close up, as if nothing were missing, or the last value is held until the next is known. Paths that
// close up and are then resampled by time ([PrepareByTime]) are those that are interpolated: one reading.
var Readings = []string{"interpolated", "closed up", "held"}

// Drop returns the set with further paths to test with: those of the test part without a share of their
// observations, the same ones in each of the [Readings], for which Split.Others has a part each. Which are
// missing is drawn at random and the same for every call; the first and the last never are. It is an error
// if the share is not from 0 to less than 1, or if there is no test part.
func (s *Set) Drop(share float64) (*Set, error) {
	if !(share >= 0 && share < 1) {
		return nil, fmt.Errorf("%q: a share of %v of the observations is to be dropped: take one from 0 to "+
			"less than 1", s.Name, share)
	}
	if len(s.Split.Test) == 0 {
		return nil, fmt.Errorf("%q has no test part, from which observations could be dropped", s.Name)
	}
	b := datasets.NewBuilder(s.Dim)
	b.Info = s.Info
	b.Features += fmt.Sprintf("; %.15g %% dropped", 100*share) // no two shares are called the same
	out := *s
	out.IDs = slices.Clone(s.IDs)
	add := func(g int32, o observations) {
		b.AddPath(o.points, s.Target(int(g))...)
		if o.times != nil {
			b.SetCochain(0, o.times)
		}
	}
	for g := range int32(s.Len()) {
		add(g, s.observations(int(g)))
	}
	out.Split.Others = make([][]int32, len(Readings))
	next := int32(s.Len())
	for r := range Readings {
		for _, g := range s.Split.Test {
			whole := s.observations(int(g))
			add(g, whole.read(r, kept(s.Count(0, int(g)), share, uint32(g))))
			out.Split.Others[r] = append(out.Split.Others[r], next)
			if s.IDs != nil {
				out.IDs = append(out.IDs, s.IDs[g])
			}
			next++
		}
	}
	var err error
	out.Collection, err = b.Collection()
	return &out, err
}

// kept returns the numbers of the observations that stay, ascending.
func kept(count int, share float64, seed uint32) []int {
	missing := max(0, min(int(math.Round(share*float64(count))), count-2))
	gone := make([]bool, count)
	for _, i := range datasets.NewRandom(seed).Permutation(max(0, count-2))[:missing] {
		gone[i+1] = true
	}
	var stay []int
	for i, g := range gone {
		if !g {
			stay = append(stay, i)
		}
	}
	return stay
}

// observations are those of a path.
type observations struct {
	points, times []float64 // [N, n], [N] or nil
	n             int
}

func (s *Set) observations(g int) observations {
	o := observations{n: s.Dim, points: s.Points(g)}
	if s.Simplices[0].Width == 1 {
		o.times = s.Simplices[0].Cochain[s.VertexStart[g]:s.VertexStart[g+1]]
	}
	return o
}

// read returns what one of the [Readings] makes of the observations that are kept.
func (o observations) read(reading int, kept []int) observations {
	row := func(i int) []float64 { return o.points[i*o.n : (i+1)*o.n] }
	if Readings[reading] == "closed up" {
		out := observations{n: o.n}
		for _, i := range kept {
			out.points = append(out.points, row(i)...)
			if o.times != nil {
				out.times = append(out.times, o.times[i])
			}
		}
		return out
	}
	clock := func(i int) float64 {
		if o.times != nil {
			return o.times[i]
		}
		return float64(i)
	}
	out := observations{points: slices.Clone(o.points), times: o.times, n: o.n}
	for k, a := range kept[:max(0, len(kept)-1)] {
		z := kept[k+1]
		for i := a + 1; i < z; i++ {
			for j := range o.n {
				x := row(a)[j]
				if Readings[reading] == "interpolated" && clock(z) > clock(a) {
					x += (clock(i) - clock(a)) / (clock(z) - clock(a)) * (row(z)[j] - x)
				}
				out.points[i*o.n+j] = x
			}
		}
	}
	return out
}
