package experiments

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/published"
	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// shipped is the comparison that the notebook shows.
const shipped = "../../notebooks/cochain-networks.json"

// TestShippedComparison: what the notebook shows is whole, and follows from trainings on the published data.
func TestShippedComparison(t *testing.T) {
	r := must(ReadResults(shipped))
	x := must(NewTable("cochain"))
	require.Equal(t, x.Seed, r.Seed)
	require.Zero(t, r.Missing)
	require.NotContains(t, r.Versions.NKF, "dirty", "made from a commit")
	require.Len(t, r.Columns, len(x.Benchmarks))
	require.Len(t, r.Rows, len(x.Models))
	past := make([]int, len(r.Rows)) // data sets of the paper on which a model beats its best
	for i, c := range r.Columns {
		b := x.Benchmarks[i]
		require.Equal(t, b.Name, c.Dataset)
		require.Equal(t, b.Published["nkf"].Mean, c.Published["nkf"].Mean)
		require.Len(t, c.Published, len(b.Published))
		for j, row := range r.Rows {
			require.Equal(t, x.Models[j], row.Model)
			cell := row.Cells[i]
			if c.Best() != nil && float64(cell.Mean) > c.Best().Mean {
				past[j]++
			}
			require.Len(t, cell.Folds, 5*max(1, cell.Seeds))
			files := must(published.Open(t.Context(), c.Dataset))
			require.Equal(t, files[0].SHA256, cell.DataSHA256)
			again := *cell
			again.summarize()
			// Sums in another order differ in the last digits.
			require.InDelta(t, float64(again.Mean), float64(cell.Mean), 1e-9)
			require.InDelta(t, float64(again.StdBest), float64(cell.StdBest), 1e-9)
			require.Equal(t, c.Seeds, cell.Seeds)
			m := must(models.Lookup(row.Model, b.Size))
			complexes := map[bool]int{true: 2 * models.Large, false: 400}[b.Name == "HIV"]
			epochs := m.Protocol(b.Protocol, models.Counts{All: complexes}, "").Epochs
			for _, f := range cell.Folds {
				require.Equal(t, epochs, f.Epochs, "%s on %s", cell.Model, c.Name)
			}
		}
	}
	require.Equal(t, []int{9, 9, 9}, past, "the notebook says so")
}

// TestDivergedRunsAreWritten: what is undefined or infinite is null in JSON, and
// undefined again when it is read.
func TestDivergedRunsAreWritten(t *testing.T) {
	c := Classification{Losses: []float64{1, math.NaN()}, TrainLoss: train.Score(math.NaN()),
		Train: Embedding{Points: []float32{float32(math.Inf(-1)), 2}}}
	text := must(json.Marshal(c))
	var again Classification
	require.NoError(t, json.Unmarshal(text, &again))
	require.Equal(t, 1.0, again.Losses[0])
	require.True(t, math.IsNaN(again.Losses[1]))
	require.False(t, again.TrainLoss.Defined())
	require.Equal(t, float32(2), again.Train.Points[1])
}

// byFold is a result with a test score by seed and fold.
func byFold(dataset string, bySeed ...[]train.Score) *Result {
	r := &Result{Dataset: dataset, Metric: "accuracy"}
	for seed, scores := range bySeed {
		for fold, v := range scores {
			last := train.Scores{Accuracy: v}
			r.Folds = append(r.Folds, train.Fit{Fold: fold, Seed: uint32(seed), Last: last})
		}
	}
	return r
}

// TestCompareFolds: trainings of one fold count as one, and the interval is the corrected one.
func TestCompareFolds(t *testing.T) {
	a := byFold("BZR", []train.Score{80, 82, 84, 90}, []train.Score{81, 83, 85, 91})
	b := byFold("BZR", []train.Score{79, 80, 81, 86}, []train.Score{80, 81, 82, 87})
	c := CompareFolds(a, b, LastEpoch)
	require.Equal(t, []float64{1, 2, 3, 4}, c.Differences)
	require.Equal(t, 2.5, c.Mean)
	// Student's t with 3 degrees of freedom at 97.5 % is 3.18245 (any table); the variance 5/3 counts
	// 1/4 + 1/3 times.
	require.InDelta(t, 3.18245*math.Sqrt(5.0/3*7/12), c.High-c.Mean, 1e-5)
	require.InDelta(t, c.Mean-c.Low, c.High-c.Mean, 1e-12)
	require.True(t, math.IsNaN(c.P))

	// More seeds with the same differences leave everything as it is: they are no further data.
	one := CompareFolds(byFold("", []train.Score{80, 82, 84, 90}), byFold("", []train.Score{79, 80, 81, 86}),
		LastEpoch)
	require.Equal(t, c.Low, one.Low)

	undefined := train.Score(math.NaN())
	c = CompareFolds(byFold("", []train.Score{80, 82, undefined}), byFold("", []train.Score{79, 80, 81}),
		LastEpoch)
	require.Equal(t, []float64{1, 2}, c.Differences)
	// With a score missing, a test part is still half as large as the rest: t with one degree of freedom.
	require.InDelta(t, 12.7062*math.Sqrt(0.5*(1.0/2+1.0/2)), c.High-c.Mean, 1e-3)
	other := byFold("", []train.Score{79, 80, 81})
	other.Folds[2].Fold = 3
	require.Nil(t, CompareFolds(byFold("", []train.Score{80, 82, 84}), other, LastEpoch), "other folds")
	other = byFold("", []train.Score{79, 80})
	other.DataSHA256 = "another"
	require.Nil(t, CompareFolds(byFold("", []train.Score{80, 82}), other, LastEpoch), "other data")
	require.Nil(t, CompareFolds(byFold("", []train.Score{80}, []train.Score{82}),
		byFold("", []train.Score{79}, []train.Score{70}), LastEpoch), "seeds on one test part")
	require.Nil(t, CompareFolds(byFold("", []train.Score{80, 82}), &Result{}, LastEpoch))
}

// TestCompareSets: each data set counts once, and one that lacks a model not at all.
func TestCompareSets(t *testing.T) {
	first := []*Result{byFold("BZR", []train.Score{90, 92}), byFold("BZR", []train.Score{10}),
		byFold("COX2", []train.Score{80}), byFold("DHFR", []train.Score{70})}
	second := []*Result{byFold("BZR", []train.Score{88, 88}), byFold("BZR", []train.Score{90}),
		byFold("COX2", []train.Score{79}), nil}
	c := CompareSets(first, second, LastEpoch)
	require.Equal(t, []float64{3, 1}, c.Differences)
	require.Equal(t, 2.0, c.Mean)
	// Student's quantile for one degree of freedom, 12.7062, times √2/√2.
	require.InDelta(t, 2-12.7062, c.Low, 1e-4)
	require.Equal(t, 0.5, c.P, "of four signs two are as extreme")
	require.Nil(t, CompareSets(first[2:], second[2:], LastEpoch))

	// The same scores in other folds have the same mean, but for rounding: that is no difference.
	equal, other := byFold("", []train.Score{82.1, 83.3, 84.7}), byFold("", []train.Score{83.3, 84.7, 82.1})
	equal.Dataset, other.Dataset = "AIDS", "AIDS"
	c = CompareSets(append(first, equal), append(second, other), LastEpoch)
	require.Equal(t, []float64{3, 1, 0}, c.Differences)
	require.False(t, math.Signbit(c.Differences[2]))
	require.Equal(t, 0.5, c.P, "zero has no sign")
}

// TestWilcoxon compares with the p-values that scipy.stats.wilcoxon gives by its exact method.
func TestWilcoxon(t *testing.T) {
	// Heights of cross- and self-fertilized corn plants (Darwin), as in SciPy's documentation.
	darwin := []float64{6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75}
	require.InDelta(t, 0.041259765625, wilcoxon(darwin), 1e-15)
	require.InDelta(t, 2.0/64, wilcoxon([]float64{1, 2, 3, 4, 5, 6, 0}), 1e-15)
	// With mean ranks 1.5, 1.5 and 3: of eight signs, {}, {1.5}, {1.5} and their complements.
	require.InDelta(t, 6.0/8, wilcoxon([]float64{1, -1, 2}), 1e-15)
	require.Equal(t, 1.0, wilcoxon(nil))
}

// TestCochainLevels: what the vertices are told is the codifferential of the
// integrals, and the forms are drawn where the vertices are.
func TestCochainLevels(t *testing.T) {
	backend := backendtest.Get(t, "go")
	x := NewRun(graphs(excerpt), "cochain-small")
	x.Folds, x.Protocol = 2, func(p *train.Protocol) { p.Epochs, p.Batch = 1, 4 }
	_, m, err := x.Train(t.Context(), backend, nil)
	require.NoError(t, err)
	const graph, side = 3, 5
	data := must(m.Encoder.Encode(must(tu.Open(excerpt))))
	weights := must(m.Store())
	config := must(models.Lookup("cochain-small", models.Size{})).Model.(*models.Cochain).Config
	levels := must(CochainLevels(backend, weights, config, data, graph, side))
	require.Len(t, levels, config.Layers+1)
	for i, level := range levels {
		vertices := len(level.Points) / 2
		require.Len(t, level.Integrals, len(level.Edges)/2*level.Forms)
		require.Len(t, level.Field.Values, side*side*2*level.Forms)
		require.Greater(t, level.Share, 0.0)
		require.LessOrEqual(t, level.Share, 1+1e-9)
		for _, v := range level.Points {
			require.Greater(t, v, level.Field.Low)
			require.Less(t, v, level.Field.High)
		}
		if i == config.Layers {
			require.Nil(t, level.Messages)
			break
		}
		want := make([]float64, vertices*level.Forms)
		for e := range len(level.Edges) / 2 {
			for j := range level.Forms {
				x := level.Integrals[e*level.Forms+j]
				want[int(level.Edges[2*e])*level.Forms+j] -= x
				want[int(level.Edges[2*e+1])*level.Forms+j] += x
			}
		}
		// The integrals are float32.
		require.InDeltaSlice(t, want, level.Messages, 1e-5)
	}

	_, err = CochainLevels(backend, weights, config, data, 40, side)
	require.ErrorContains(t, err, "there are graphs 0 to 39")
	config.Forms = 0
	_, err = CochainLevels(backend, weights, config, data, 0, side)
	require.ErrorContains(t, err, "want one or more forms")
}

// TestPlane: points of a plane in space keep their distances in it.
func TestPlane(t *testing.T) {
	var points []float64
	for _, uv := range [][2]float64{{0, 0}, {3, 1}, {-1, 2}, {2, -2}, {5, 5}} {
		u, v := uv[0], uv[1]
		points = append(points, 1+u, 2+v, 3+u-v)
	}
	p := newPlane(points, 3)
	require.InDelta(t, 1, p.share, 1e-12)
	flat := p.project(points)
	for i := range 5 {
		for j := range i {
			want, got := 0.0, 0.0
			for k := range 3 {
				want += math.Pow(points[3*i+k]-points[3*j+k], 2)
			}
			for k := range 2 {
				got += math.Pow(flat[2*i+k]-flat[2*j+k], 2)
			}
			require.InDelta(t, want, got, 1e-10)
		}
	}
}

// TestFileNames: whatever columns are called, the name can be read, and every file system takes it.
func TestFileNames(t *testing.T) {
	for want, columns := range map[string][]string{
		"rings-nkf": nil, "rings-a_b-nkf": {"a b"}, "rings-a+b-nkf": {"a", "b"},
		"rings-.._.._x-nkf": {"../../x"}, "rings-__31m-nkf": {"\x1b[31m"},
		"rings-" + strings.Repeat("漢", 31) + "-nkf": {strings.Repeat("漢", 100)},
	} {
		name := fileName("rings", columns, "nkf")
		require.Equal(t, want, name)
		require.NoError(t, ValidName(name))
	}
	require.Equal(t, "path_layers_2", plain("path:layers=2"))
}
