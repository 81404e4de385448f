package moleculenet

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/dustin/go-humanize/english"

	"github.com/neuralkforms/nkf/datasets"
)

// Parts are the shares of the molecules to train on and to validate with; the rest tests.
type Parts struct{ Train, Validation float64 }

// Usual are the parts of MoleculeNet.
var Usual = Parts{Train: 0.8, Validation: 0.1}

// ends returns where the training and the validation part of so many molecules end, or an error unless each
// part has a share.
func (p Parts) ends(count int) (train, validation float64, err error) {
	if !(p.Train > 0 && p.Validation > 0 && p.Train+p.Validation < 1) {
		return 0, 0, fmt.Errorf("parts of %v to train and %v to validate: both must be above 0, and below 1 "+
			"together", p.Train, p.Validation)
	}
	return p.Train * float64(count), (p.Train + p.Validation) * float64(count), nil
}

// whole returns the fold, or an error if a part of it is empty.
func whole(f datasets.Fold) (datasets.Fold, error) {
	if len(f.Train) == 0 || len(f.Validation) == 0 || len(f.Test) == 0 {
		return datasets.Fold{}, fmt.Errorf("a split into %s to train on, %d to validate with and "+
			"%d to test with: each part takes at least one", english.Plural(len(f.Train), "molecule", ""),
			len(f.Validation), len(f.Test))
	}
	return f, nil
}

// RandomSplit splits so many molecules at random. It is an error if a part is empty.
func RandomSplit(count int, parts Parts, seed uint32) (datasets.Fold, error) {
	return StratifiedSplit(make([]int32, max(0, count)), parts, seed)
}

// StratifiedSplit splits molecules with the given labels at random, each class by the same parts as far as it
// goes. It is an error if a part is empty.
func StratifiedSplit(labels []int32, parts Parts, seed uint32) (datasets.Fold, error) {
	order := datasets.NewRandom(seed).Permutation(len(labels))
	// Stable, so that the order within a class stays random.
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(labels[a], labels[b]) })
	var f datasets.Fold
	for start := 0; start < len(order); {
		end := start
		for end < len(order) && labels[order[end]] == labels[order[start]] {
			end++
		}
		class := order[start:end]
		train, validation, err := parts.ends(len(class))
		if err != nil {
			return f, err
		}
		f.Train = append(f.Train, class[:int(train)]...)
		f.Validation = append(f.Validation, class[int(train):int(validation)]...)
		f.Test = append(f.Test, class[int(validation):]...)
		start = end
	}
	return whole(f)
}

// ScaffoldSplit splits the molecules such that those with the same scaffold stay together, as DeepChem does:
// the largest groups come first, of equal ones that with the later first molecule; a group goes to training
// if it fits there, else to validation if both parts together have room, else to testing. It is an error if
// a part is empty.
func (m *Molecules) ScaffoldSplit(parts Parts) (datasets.Fold, error) {
	var groups [][]int32
	for g, scaffold := range m.Scaffolds() {
		if int(scaffold) == len(groups) {
			groups = append(groups, nil)
		}
		groups[scaffold] = append(groups[scaffold], int32(g))
	}
	slices.SortFunc(groups, func(a, b []int32) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(b[0], a[0]))
	})
	var f datasets.Fold
	train, validation, err := parts.ends(m.Len())
	if err != nil {
		return f, err
	}
	for _, group := range groups {
		switch {
		case float64(len(f.Train)+len(group)) <= train:
			f.Train = append(f.Train, group...)
		case float64(len(f.Train)+len(f.Validation)+len(group)) <= validation:
			f.Validation = append(f.Validation, group...)
		default:
			f.Test = append(f.Test, group...)
		}
	}
	return whole(f)
}
