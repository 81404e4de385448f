package datasets

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFoldsOfScikitLearn compares with what scikit-learn 1.9.1 gives on small, lopsided and impossible cases.
func TestFoldsOfScikitLearn(t *testing.T) {
	var golden struct {
		Cases []struct {
			Labels []int32
			Folds  int
			Seed   uint32
			Result []Fold
			Error  string
		}
		Permutation struct {
			Seed  uint32
			N     int
			Twice [][]int32
		}
		Randint struct {
			Seed          uint32
			Limits, Draws []uint32
		}
	}
	text, err := os.ReadFile("testdata/sklearn.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &golden))
	for i, c := range golden.Cases {
		folds, err := StratifiedFolds(c.Labels, c.Folds, c.Seed)
		if c.Error != "" {
			require.Error(t, err, "case %d: scikit-learn says %s", i, c.Error)
			require.Nil(t, folds)
			continue
		}
		require.NoError(t, err, "case %d", i)
		require.Equal(t, c.Result, folds, "case %d", i)
	}
	random := NewRandom(golden.Permutation.Seed)
	for _, want := range golden.Permutation.Twice {
		require.Equal(t, want, random.Permutation(golden.Permutation.N))
	}
	random = NewRandom(golden.Randint.Seed)
	for i, limit := range golden.Randint.Limits {
		require.Equal(t, golden.Randint.Draws[i], random.interval(limit), "limit %d", limit)
	}
}

func TestFoldErrors(t *testing.T) {
	for _, c := range []struct {
		labels []int32
		folds  int
		want   string
	}{
		{nil, 5, "5 folds of 0 complexes"},
		{[]int32{0, 1, 0}, 1, "at least 2"},
		{[]int32{0, 1, 2, 0}, 3, "no class has more than 2 members"},
		{[]int32{0, 0}, 2, "fold 0 of 2 over 2 complexes"},
	} {
		_, err := StratifiedFolds(c.labels, c.folds, 1)
		require.ErrorContains(t, err, c.want)
	}
	_, _, err := holdOut(nil, 1)
	require.ErrorContains(t, err, "it takes 2")
}

func ExampleStratifiedFolds() {
	labels := []int32{0, 0, 0, 0, 0, 0, 1, 1, 1, 1}
	folds, err := StratifiedFolds(labels, 2, 42)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, fold := range folds {
		fmt.Println("train", fold.Train, "validation", fold.Validation, "test", fold.Test)
	}
	// Output:
	// train [5 2 7] validation [4 8] test [0 1 3 6 9]
	// train [3 0 6] validation [1 9] test [2 4 5 7 8]
}

// TestSplits: parts are disjoint, together everything, as large as asked for, and those of the seed.
func TestSplits(t *testing.T) {
	labels := make([]int32, 1000)
	for i := range labels {
		if i%10 == 0 {
			labels[i] = 7
		}
	}
	split := func(labels []int32, seed uint32) Fold {
		f, err := StratifiedSplit(labels, seed)
		require.NoError(t, err)
		return f
	}
	for name, labels := range map[string][]int32{"random": make([]int32, 1000), "stratified": labels} {
		f := split(labels, 1)
		require.Len(t, f.Train, 800, name)
		require.Len(t, f.Validation, 100, name)
		all := slices.Concat(f.Train, f.Validation, f.Test)
		slices.Sort(all)
		require.Equal(t, numbers(1000), all)
		require.Equal(t, f, split(labels, 1))
		require.NotEqual(t, f, split(labels, 2))
	}
	f := split(labels, 1)
	rare := 0
	for _, g := range f.Test {
		rare += int(labels[g] / 7)
	}
	require.Equal(t, 10, rare)

	for _, count := range []int{0, 1, 5} {
		_, err := StratifiedSplit(make([]int32, count), 1)
		require.ErrorContains(t, err, "each part takes at least one")
	}
}
