package experiments

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/synthetic"
	"github.com/neuralkforms/nkf/layers/backends/xla"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

var search = flag.Bool("search", false, "do the search for how to train on paths again and write its log: "+
	"20 minutes of a core")

// searchLog has every training of the search for how to train 1-forms and 0-forms on paths: where it was done
// in the first line, and then one a line.
const searchLog = "testdata/paths-search.jsonl"

// searched is one training, with the scores of paths that are neither for training nor for testing.
type searched struct {
	Degree             int      `json:"degree"`
	Adam               bool     `json:"adam"`
	Anneal             bool     `json:"anneal"`
	Rate               float64  `json:"rate"`
	Epochs             int      `json:"epochs"`
	Seed               uint32   `json:"seed"`
	TrainLoss          *float64 `json:"train_loss"` // null where it is no number
	TrainAccuracy      float64  `json:"train_accuracy"`
	ValidationLoss     *float64 `json:"validation_loss"`
	ValidationAccuracy float64  `json:"validation_accuracy"`
}

// setting is what is searched for; the rest is as published.
type setting struct {
	adam, anneal bool
	rate         float64
	epochs       int
}

// setting returns the setting of a network.
func (n Network) setting() setting { return setting{n.Adam, n.Anneal, n.Rate, n.Epochs} }

// searchGrid returns the settings, the same for 1-forms and 0-forms: gradient descent and Adam at nine rates,
// constant and falling, for as many epochs as published; and what is best for 0-forms then for longer.
func searchGrid() (grid []setting) {
	for _, adam := range []bool{false, true} {
		for _, anneal := range []bool{false, true} {
			for _, rate := range []float64{1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5} {
				grid = append(grid, setting{adam, anneal, rate, 50})
			}
		}
	}
	for _, epochs := range []int{200, 800} {
		for _, rate := range []float64{1e-2, 3e-3, 1e-3, 3e-4, 1e-4} {
			grid = append(grid, setting{true, true, rate, epochs})
		}
	}
	return grid
}

// searchSeeds are those of data, weights and orders.
var searchSeeds = []uint32{1, 2, 3}

// try trains forms of a degree and scores them.
func (s setting) try(t *testing.T, degree int, seed uint32) searched {
	t.Helper()
	backend, err := xla.OneThread(backendtest.Get(t, "xla:cpu"))
	require.NoError(t, err)
	p := PublishedPaths()
	network := []Network{p.Functions, p.Forms}[degree]
	network.Adam, network.Anneal, network.Rate, network.Epochs = s.adam, s.anneal, s.rate, s.epochs
	p.Data.Degree = degree
	data, err := p.Data.Sample(p.Train, uint64(seed), synthetic.Train)
	require.NoError(t, err)
	validation, err := p.Data.Sample(p.Train, uint64(seed), synthetic.Validation)
	require.NoError(t, err)
	search := classifier{Network: network, name: "search", seed: seed, see: integrals}
	c, err := search.on(context.Background(), backend, data, validation, nil, nil)
	require.NoError(t, err)
	finite := func(x float64) *float64 {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil
		}
		return &x
	}
	return searched{degree, s.adam, s.anneal, s.rate, s.epochs, seed,
		finite(float64(c.TrainLoss)), c.TrainAccuracy, finite(float64(c.TestLoss)), c.TestAccuracy}
}

// readSearch returns where the search was done and the trainings by degree and setting.
func readSearch(t *testing.T) (Origin, [2]map[setting][]searched) {
	t.Helper()
	text, err := os.ReadFile(searchLog)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	var where Origin
	require.NoError(t, json.Unmarshal([]byte(lines[0]), &where))
	all := [2]map[setting][]searched{{}, {}}
	for _, line := range lines[1:] {
		var r searched
		require.NoError(t, json.Unmarshal([]byte(line), &r))
		s := setting{r.Adam, r.Anneal, r.Rate, r.Epochs}
		all[r.Degree][s] = append(all[r.Degree][s], r)
	}
	return where, all
}

// accuracyOf returns the mean accuracy of validation paths.
func accuracyOf(trainings []searched) float64 {
	sum := 0.0
	for _, r := range trainings {
		sum += r.ValidationAccuracy
	}
	return sum / float64(len(trainings))
}

// TestPathsAreTrainedAsTheSearchChose: by the accuracy of validation paths, from the same settings for
// 1-forms and 0-forms; where the published setting is among the best, it stays.
func TestPathsAreTrainedAsTheSearchChose(t *testing.T) {
	_, all := readSearch(t)
	published, chosen := PublishedPaths(), NewPaths()
	for degree, network := range []Network{chosen.Functions, chosen.Forms} {
		trainings := all[degree]
		require.Len(t, trainings, len(searchGrid()))
		best := slices.MaxFunc(searchGrid(), func(a, b setting) int {
			return cmp.Compare(accuracyOf(trainings[a]), accuracyOf(trainings[b]))
		})
		for _, s := range searchGrid() {
			require.Len(t, trainings[s], len(searchSeeds), "%d-forms, %v", degree, s)
		}
		was := []Network{published.Functions, published.Forms}[degree].setting()
		if accuracyOf(trainings[was]) == accuracyOf(trainings[best]) {
			best = was
		}
		require.Equal(t, best, network.setting(), "%d-forms", degree)
		t.Logf("%d-forms: %v, %.1f %% of validation paths; as published %.1f %%", degree, best,
			accuracyOf(trainings[best]), accuracyOf(trainings[was]))
	}
}

// TestSearchOfPaths does the search again with -search, and else the trainings that it chose. These are the
// same to the last bit on the same backend and kind of processor; on another they are as those of other
// seeds, which the log has up to 10 points apart.
func TestSearchOfPaths(t *testing.T) {
	if *search {
		writeSearch(t)
	}
	backendtest.NeedLong(t)
	where, all := readSearch(t)
	here := origin(where.Experiment, where.Seed, backendtest.Get(t, "xla:cpu"), time.Now())
	same := here.Backend == where.Backend && here.Processor == where.Processor && here.GoXLA == where.GoXLA
	p := NewPaths()
	for degree, network := range []Network{p.Functions, p.Forms} {
		for _, want := range all[degree][network.setting()] {
			got := network.setting().try(t, degree, want.Seed)
			if same {
				require.Equal(t, want, got)
			}
			require.InDelta(t, want.ValidationAccuracy, got.ValidationAccuracy, 10)
		}
	}
}

// writeSearch does the search.
func writeSearch(t *testing.T) {
	t.Helper()
	var out strings.Builder
	add := func(value any) {
		data, err := json.Marshal(value)
		require.NoError(t, err)
		fmt.Fprintf(&out, "%s\n", data)
	}
	begin := time.Now()
	where := origin("paths, search", searchSeeds[0], backendtest.Get(t, "xla:cpu"), begin)
	var trainings []searched
	for degree := range 2 {
		for _, s := range searchGrid() {
			for _, seed := range searchSeeds {
				trainings = append(trainings, s.try(t, degree, seed))
			}
		}
	}
	where.Seconds = time.Since(begin).Seconds()
	add(where)
	for _, r := range trainings {
		add(r)
	}
	require.NoError(t, os.WriteFile(searchLog, []byte(out.String()), 0o644))
}
