package series

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/neuralkforms/nkf/datasets"
)

// Readings are what can be made of paths with observations missing: these are interpolated in time, or the
// others close up, as if nothing were missing, or the last value is held until the next is known. Paths that
// close up and are then resampled by time are those that are interpolated: one reading.
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
	add := func(g int32, t track) {
		b.AddPath(t.points, s.Target(int(g))...)
		if t.times != nil {
			b.SetCochain(0, t.times)
		}
	}
	for g := range int32(s.Len()) {
		add(g, s.track(int(g)))
	}
	out.Split.Others = make([][]int32, len(Readings))
	next := int32(s.Len())
	for r := range Readings {
		for _, g := range s.Split.Test {
			whole := s.track(int(g))
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

// read returns what one of the [Readings] makes of the observations that are kept.
func (t track) read(reading int, kept []int) track {
	if Readings[reading] == "closed up" {
		return t.pick(kept)
	}
	clock := func(i int) float64 {
		if t.times != nil {
			return t.times[i]
		}
		return float64(i)
	}
	out := track{points: slices.Clone(t.points), times: t.times, n: t.n}
	for k, a := range kept[:max(0, len(kept)-1)] {
		z := kept[k+1]
		for i := a + 1; i < z; i++ {
			for j, x := range t.row(a) {
				if Readings[reading] == "interpolated" && clock(z) > clock(a) {
					x += (clock(i) - clock(a)) / (clock(z) - clock(a)) * (t.row(z)[j] - x)
				}
				out.row(i)[j] = x
			}
		}
	}
	return out
}

// Resample returns the set with another split: as many paths of each class to train on as the default split
// has, drawn at random from all, and the rest to test with. The number is the seed of the draw, which is that
// of aeon's stratified_resample, so that results compare with those published on the archive's resamples;
// number 0 is the default split. Of numbers to be learned, one draw is from all. It is an error if the number
// is negative, or if there is no test part.
func (s *Set) Resample(number int) (*Set, error) {
	switch {
	case number < 0:
		return nil, fmt.Errorf("%q has no resample %d: they are numbered from 0, the default split", s.Name,
			number)
	case len(s.Split.Test) == 0:
		return nil, fmt.Errorf("%q has no test part, and so no split to draw another like", s.Name)
	case number == 0:
		return s, nil
	}
	members, count := map[string][]int32{}, map[string]int{} // by class
	for i, g := range slices.Concat(s.Split.Train, s.Split.Test) {
		name := ""
		if s.Classes != nil {
			name = s.Classes[s.Labels[g]]
		}
		members[name] = append(members[name], g)
		if i < len(s.Split.Train) {
			count[name]++
		}
	}
	out := *s
	out.Split = datasets.Fold{}
	random := datasets.NewRandom(uint32(number))
	for _, name := range slices.Sorted(maps.Keys(members)) { // as text, as numpy.unique has them
		ids := members[name]
		random.Shuffle(ids)
		out.Split.Train = append(out.Split.Train, ids[:count[name]]...)
		out.Split.Test = append(out.Split.Test, ids[count[name]:]...)
	}
	return &out, nil
}
