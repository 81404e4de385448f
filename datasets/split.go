package datasets

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/dustin/go-humanize/english"
)

// Fold is one split of a collection into complexes to train on, to validate with and to test with, by their
// numbers from 0.
type Fold struct {
	Train, Validation, Test []int32
}

// StratifiedFolds splits complexes with the given labels into folds, exactly as scikit-learn does.
//
// Test parts are those of StratifiedKFold(folds, shuffle=True, random_state=seed): disjoint, together all
// complexes, each class spread over them as evenly as possible; they are ascending. The rest of every fold is
// split by train_test_split(rest, random_state=seed): a quarter is for validation, not stratified. Numbers in
// a [Fold] are places in labels, which may be any integers. A class with fewer members than folds is absent
// from some test parts.
//
// It is an error to ask for fewer than two folds, for more folds than complexes, for more folds than the
// largest class has members, or for folds that leave fewer than two complexes to train and validate on.
func StratifiedFolds(labels []int32, folds int, seed uint32) ([]Fold, error) {
	part, err := testParts(labels, folds, seed)
	if err != nil {
		return nil, err
	}
	result := make([]Fold, folds)
	rest := make([]int32, 0, len(labels))
	for f := range result {
		rest = rest[:0]
		for i, p := range part {
			if int(p) == f {
				result[f].Test = append(result[f].Test, int32(i))
			} else {
				rest = append(rest, int32(i))
			}
		}
		result[f].Train, result[f].Validation, err = holdOut(rest, seed)
		if err != nil {
			return nil, fmt.Errorf("fold %d of %d over %s: %w", f, folds,
				english.Plural(len(labels), "complex", ""), err)
		}
	}
	return result, nil
}

// testParts returns for every label the number of the fold that tests with it.
//
// This is StratifiedKFold._make_test_folds of scikit-learn since version 0.22: classes are numbered in order
// of first appearance; dealing the labels, sorted by class, to the folds in turn says how many of a class
// each fold gets; the fold numbers of each class are shuffled among its members.
func testParts(labels []int32, folds int, seed uint32) ([]int32, error) {
	if folds < 2 {
		return nil, fmt.Errorf("%s: cross-validation takes at least 2", english.Plural(folds, "fold", ""))
	}
	if folds > len(labels) {
		return nil, fmt.Errorf("%s of %s: ask for at most as many folds as complexes",
			english.Plural(folds, "fold", ""), english.Plural(len(labels), "complex", ""))
	}
	members := membersOf(labels)
	largest := 0
	for _, ids := range members {
		largest = max(largest, len(ids))
	}
	if folds > largest {
		return nil, fmt.Errorf("%s, but no class has more than %s: ask for fewer folds",
			english.Plural(folds, "fold", ""), english.Plural(largest, "member", ""))
	}
	random := NewRandom(seed)
	part := make([]int32, len(labels))
	dealt := 0 // position of the class in the sorted labels: card i goes to fold i mod folds
	for _, ids := range members {
		deck := make([]int32, 0, len(ids))
		for f := range folds {
			first := ((f-dealt)%folds + folds) % folds // card of this class that fold f gets first
			for i := first; i < len(ids); i += folds {
				deck = append(deck, int32(f))
			}
		}
		dealt += len(ids)
		random.Shuffle(deck)
		for i, id := range ids {
			part[id] = deck[i]
		}
	}
	return part, nil
}

// membersOf returns the places of each number, in order of first appearance.
func membersOf(numbers []int32) (members [][]int32) {
	known := map[int32]int{}
	for i, number := range numbers {
		at, seen := known[number]
		if !seen {
			at = len(members)
			known[number] = at
			members = append(members, nil)
		}
		members[at] = append(members[at], int32(i))
	}
	return members
}

// holdOut splits ids at random into three quarters to train on and a quarter (rounded up) that is held out,
// exactly as scikit-learn's train_test_split(ids, random_state=seed) does, order included.
//
// It is an error to give fewer than two ids, which leave nothing to train on.
func holdOut(ids []int32, seed uint32) (train, held []int32, err error) {
	if len(ids) < 2 {
		return nil, nil, fmt.Errorf("%s cannot be split into training and validation: it takes 2",
			english.Plural(len(ids), "complex", ""))
	}
	order := NewRandom(seed).Permutation(len(ids))
	for i, at := range order {
		order[i] = ids[at]
	}
	quarter := (len(ids) + 3) / 4
	return order[quarter:], order[:quarter:quarter], nil
}

// StratifiedSplit splits complexes with the given labels at random, each class in the same proportions as far
// as possible, those of MoleculeNet: 80 % to train on, 10 % to validate with, and the rest to test with. With
// equal labels it is MoleculeNet's random split. It is an error if a part is empty.
func StratifiedSplit(labels []int32, seed uint32) (Fold, error) {
	order := NewRandom(seed).Permutation(len(labels))
	// Stable, so that the order within a class stays random.
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(labels[a], labels[b]) })
	var f Fold
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

// GroupedSplit splits complexes in the proportions of [StratifiedSplit] such that those of one group stay
// together, as DeepChem does with the scaffolds of molecules: the largest groups come first, of equal ones
// that with the later first complex; a group goes to training if it fits there, else to validation if it fits
// into both parts together, else to testing. It is an error if a part is empty.
func GroupedSplit(groups []int32) (Fold, error) {
	members := membersOf(groups)
	slices.SortFunc(members, func(a, b []int32) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(b[0], a[0]))
	})
	var f Fold
	train, validation := ends(len(groups))
	for _, group := range members {
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

// ends returns where the training and the validation part of count complexes end.
func ends(count int) (train, validation float64) { return 0.8 * float64(count), 0.9 * float64(count) }

// whole returns the fold, or an error if a part of it is empty.
func whole(f Fold) (Fold, error) {
	if len(f.Train) == 0 || len(f.Validation) == 0 || len(f.Test) == 0 {
		return Fold{}, fmt.Errorf("a split into %s to train on, %d to validate with and %d to test with: "+
			"each part takes at least one", english.Plural(len(f.Train), "complex", ""), len(f.Validation),
			len(f.Test))
	}
	return f, nil
}
