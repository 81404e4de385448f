package moleculenet

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/dustin/go-humanize/english"

	"github.com/neuralkforms/nkf/datasets"
)

// ends returns where the training and the validation part of count molecules end: MoleculeNet trains on
// 80 %, validates with 10 % and tests with the rest.
func ends(count int) (train, validation float64) { return 0.8 * float64(count), 0.9 * float64(count) }

// whole returns the fold, or an error if a part of it is empty.
func whole(f datasets.Fold) (datasets.Fold, error) {
	if len(f.Train) == 0 || len(f.Validation) == 0 || len(f.Test) == 0 {
		return datasets.Fold{}, fmt.Errorf("a split into %s to train on, %d to validate with and "+
			"%d to test with: each part takes at least one", english.Plural(len(f.Train), "molecule", ""),
			len(f.Validation), len(f.Test))
	}
	return f, nil
}

// StratifiedSplit splits molecules with the given labels at random, each class in the same proportions as far
// as possible; with equal labels it is MoleculeNet's random split. It is an error if a part is empty.
func StratifiedSplit(labels []int32, seed uint32) (datasets.Fold, error) {
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
		train, validation := ends(len(class))
		f.Train = append(f.Train, class[:int(train)]...)
		f.Validation = append(f.Validation, class[int(train):int(validation)]...)
		f.Test = append(f.Test, class[int(validation):]...)
		start = end
	}
	return whole(f)
}

// scaffoldSplit splits the molecules such that those with the same scaffold stay together, as DeepChem does:
// the largest groups come first, of equal ones that with the later first molecule; a group goes to training
// if it fits there, else to validation if it fits into both parts together, else to testing. It is an error
// if a part is empty.
func (m *Molecules) scaffoldSplit() (datasets.Fold, error) {
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
	train, validation := ends(m.Len())
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
