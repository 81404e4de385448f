package experiments

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"
)

// setting is what the search for how to train on paths varied; the rest is as published.
type setting struct {
	Degree int
	Adam   bool
	Anneal bool
	Rate   float64
	Epochs int
}

// TestPathsAreTrainedAsTheSearchChose: by the mean accuracy of validation paths over three seeds, from the
// same settings for 1-forms and 0-forms; where the published setting is among the best, it stays.
func TestPathsAreTrainedAsTheSearchChose(t *testing.T) {
	text, err := os.ReadFile("testdata/paths-search.jsonl")
	require.NoError(t, err)
	accuracies := map[setting][]float64{}
	for _, line := range bytes.Split(bytes.TrimSpace(text),
		[]byte("\n"))[1:] { // the first says where it was done
		var trained struct {
			setting
			ValidationAccuracy float64 `json:"validation_accuracy"`
		}
		require.NoError(t, json.Unmarshal(line, &trained))
		accuracies[trained.setting] = append(accuracies[trained.setting], trained.ValidationAccuracy)
	}
	require.Len(t, accuracies, 2*46)
	mean := func(s setting) float64 {
		require.Len(t, accuracies[s], 3, s)
		return stat.Mean(accuracies[s], nil)
	}
	published, chosen := PublishedPaths(), NewPaths()
	of := func(degree int, n Network) setting { return setting{degree, n.Adam, n.Anneal, n.Rate, n.Epochs} }
	for degree, networks := range [][2]Network{
		{published.Functions, chosen.Functions}, {published.Forms, chosen.Forms},
	} {
		others := slices.DeleteFunc(slices.Collect(maps.Keys(accuracies)),
			func(s setting) bool { return s.Degree != degree })
		best := slices.MaxFunc(others, func(a, b setting) int { return cmp.Compare(mean(a), mean(b)) })
		if was := of(degree, networks[0]); mean(was) == mean(best) {
			best = was
		}
		require.Equal(t, best, of(degree, networks[1]))
	}
}
