package series

import (
	"fmt"
	"math"
	"slices"

	"github.com/neuralkforms/nkf/datasets"
)

// Cuts are other observations of the same path: fewer, or more on the same segments. The first and last
// observation are always kept. On the Earth segments are great circles.
var Cuts = []string{"every fourth", "ten for one", "half four times as dense", "30 % missing",
	"gap of a third"}

// Cut returns [Cuts] and the set with all of its paths in each of them, see [datasets.Cutter]. Missing
// observations are drawn at random, the same in every call. Without times, the number of an observation in
// the original path is its time, so gaps remain visible. Models that read times read these, also of whole
// paths: where paths have different numbers of observations, they are others than those of the set itself.
func (s *Set) Cut() (ways []string, cut datasets.Source, err error) {
	out := *s
	out.numbers = nil
	if out.Time == "" {
		out.Time = "number"
	}
	earth := newChart(s.Collection, s.Header, s.Split.Train)
	b := datasets.NewBuilder(s.Dim)
	b.Info = s.Info
	for c := range len(Cuts) + 1 {
		for g := range s.Len() {
			t := s.track(g)
			if t.times == nil {
				for i := range len(t.points) / t.n {
					t.times = append(t.times, float64(i))
				}
			}
			if c > 0 {
				whole := t
				if t, err = earth.spatial(whole); err != nil {
					return nil, nil, fmt.Errorf("%s, path %d: %w", s.Name, s.number(g), err)
				}
				t = earth.degrees(t.cut(Cuts[c-1], uint32(g)), whole)
			}
			b.AddPath(t.points, target(s.Collection, g)...)
			b.SetCochain(0, t.times)
		}
		if c > 0 {
			out.IDs = slices.Concat(out.IDs, s.IDs)
		}
	}
	out.Collection, err = b.Collection()
	return Cuts, &out, err
}

// cut returns the track by one of the [Cuts].
func (t track) cut(how string, seed uint32) track {
	count := len(t.times)
	switch how {
	case "every fourth":
		return t.pick(every(count, 4))
	case "30 % missing":
		return t.pick(missing(count, 0.3, seed))
	case "gap of a third":
		return t.pick(without(count, seed))
	}
	out := track{n: t.n}
	for i := range count {
		parts := 10
		if how == "half four times as dense" {
			parts = 4 - 3*min(1, 2*i/count)
		}
		if i == count-1 {
			parts = 1
		}
		for k := range parts {
			share, next := float64(k)/float64(parts), min(i+1, count-1)
			for j, x := range t.row(i) {
				out.points = append(out.points, x+share*(t.row(next)[j]-x))
			}
			out.times = append(out.times, t.times[i]+share*(t.times[next]-t.times[i]))
		}
	}
	return out
}

// every returns the numbers of every step-th of count observations, and of the last.
func every(count, step int) (keep []int) {
	for i := 0; i < count-1; i += step {
		keep = append(keep, i)
	}
	return append(keep, count-1)
}

// without returns the numbers of count observations but a third, from a place on that the seed draws. The
// first and the last stay.
func without(count int, seed uint32) []int {
	gap := count / 3
	from := 1
	if places := count - 1 - gap; places > 1 {
		from += int(datasets.NewRandom(seed).Permutation(places)[0])
	}
	from = min(from, count-1)
	return slices.Delete(every(count, 1), from, min(from+gap, count-1))
}

// missing returns the numbers of count observations without a share of them, but with the first and the last.
func missing(count int, share float64, seed uint32) []int {
	gone := max(0, min(int(math.Round(share*float64(count))), count-2))
	stay := every(count, 1)
	for _, i := range datasets.NewRandom(seed).Permutation(max(0, count-2))[:gone] {
		stay[i+1] = -1
	}
	return slices.DeleteFunc(stay, func(i int) bool { return i < 0 })
}
