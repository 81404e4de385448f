package series

import (
	"fmt"
	"slices"

	"github.com/neuralkforms/nkf/datasets"
)

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
	class := func(g int32) string { return "" }
	if s.Classes != nil {
		class = func(g int32) string { return s.Classes[s.Labels[g]] }
	}
	members, count := map[string][]int32{}, map[string]int{}
	var names []string
	for i, g := range slices.Concat(s.Split.Train, s.Split.Test) {
		name := class(g)
		if members[name] == nil {
			names = append(names, name)
		}
		members[name] = append(members[name], g)
		if i < len(s.Split.Train) {
			count[name]++
		}
	}
	slices.Sort(names) // as text, as numpy.unique has them
	out := *s
	out.Split = datasets.Fold{}
	random := datasets.NewRandom(uint32(number))
	for _, name := range names {
		ids := members[name]
		random.Shuffle(ids)
		out.Split.Train = append(out.Split.Train, ids[:count[name]]...)
		out.Split.Test = append(out.Split.Test, ids[count[name]:]...)
	}
	return &out, nil
}
