package experiments

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// TestCochainProtocol: networks of package cochain bring their own protocol,
// of which a caller may change the number of epochs, or everything.
func TestCochainProtocol(t *testing.T) {
	published := train.Published(16)
	p := cochainProtocol("cochain", published, published, 400, train.ByAccuracy)
	require.True(t, p.Cosine)
	require.Equal(t, []any{32, 100, 4, train.ByAccuracy}, []any{p.Batch, p.Epochs, p.Validate, p.Select})
	require.Zero(t, p.FrequencyWeight)
	p = cochainProtocol("gin-tuned", published, published, 41_127, train.ByAUROC)
	require.Equal(t, []any{128, 15, 3, train.ByAUROC}, []any{p.Batch, p.Epochs, p.Validate, p.Select})
	require.Equal(t, 60, cochainProtocol("cochain-small", published, published, 400, train.ByLoss).Epochs)

	short := published
	short.Epochs = 3
	p = cochainProtocol("cochain", short, published, 41_127, train.ByAUROC)
	require.Equal(t, []any{true, 3, 128}, []any{p.Cosine, p.Epochs, p.Batch})
	own := short
	own.Batch = 4
	require.Equal(t, own, cochainProtocol("cochain", own, published, 400, train.ByLoss))
	require.Equal(t, published, cochainProtocol("nkf", published, published, 400, train.ByLoss))
}

// TestCochainFeatures: labels where there are any, attributes where there are
// none, and what is asked for where something is.
func TestCochainFeatures(t *testing.T) {
	for path, want := range map[string]tu.Features{
		excerpt: tu.Labels, "../../datasets/tu/testdata/Letter-high": tu.Automatic,
	} {
		archive, err := tu.Open(path)
		require.NoError(t, err)
		require.Equal(t, want, cochainFeatures("cochain", tu.Automatic, archive), path)
		require.Equal(t, tu.Automatic, cochainFeatures("nkf", tu.Automatic, archive), path)
		require.Equal(t, tu.Degree, cochainFeatures("cochain", tu.Degree, archive), path)
	}
	require.Equal(t, moleculenet.OneHot, AtomFeatures("gin-tuned", moleculenet.Numbers))
	require.Equal(t, moleculenet.Numbers, AtomFeatures("gin", moleculenet.Numbers))
}

// TestCochainDegrees: cochain networks are for complexes of any degree, sums
// over neighbours for graphs.
func TestCochainDegrees(t *testing.T) {
	_, err := NewModel("cochain", GraphSize, 2, 2)
	require.NoError(t, err)
	_, err = NewModel("gin-tuned", GraphSize, 2, 2)
	require.ErrorContains(t, err, "is for graphs")
}

// TestCochainParameters has the sizes of the recipe: about 20,000 parameters,
// the small one less than 4,000, on BZR with its 53 kinds of atoms.
func TestCochainParameters(t *testing.T) {
	for name, want := range map[string]int{
		// 53·8+8 to embed; 4 levels with forms, 8·32+32 + 32·64+64, and
		// functions, 8·32+32 + 32·16+16; 3 updates, 16·32+32 + 32·8+8; 128
		// read out and normalised, 128·32+32 + 32·2+2.
		"cochain": 432 + 4*(2400+816) + 3*808 + 2*128 + 4128 + 66,
		// 53·6+6; 3 levels, 6·16+16 + 16·36+36; 2 updates, 12·16+16 + 16·6+6;
		// 36 read out.
		"cochain-small": 324 + 3*724 + 2*310 + 2*36 + 592 + 34,
		// 53·24+24; 4 levels of functions, 24·48+48 + 48·24+24; 3 updates,
		// 48·48+48 + 48·24+24; 96 read out.
		"gin-tuned": 1296 + 4*2376 + 3*3528 + 2*96 + 3104 + 66,
	} {
		require.Equal(t, want, parametersOf(t, name, GraphSize, 53, 2), name)
	}
}

// TestCochainMolecules trains on molecules, and predicts with the saved model.
func TestCochainMolecules(t *testing.T) {
	x, molecules := someMolecules(t, "cochain-small")
	_, m, err := x.Train(t.Context(), backendtest.Get(t, "go"), molecules, nil)
	require.NoError(t, err)
	require.Equal(t, "one-hot", m.Features)
	folder := t.TempDir()
	require.NoError(t, m.Save(folder))
	m, err = LoadModel(folder)
	require.NoError(t, err)
	p, err := m.PredictMolecules(backendtest.Get(t, "go"), molecules)
	require.NoError(t, err)
	require.Len(t, p, molecules.Len())
}

// TestCompare pairs trainings and bounds the mean difference.
func TestCompare(t *testing.T) {
	result := func(tests ...train.Score) *Result {
		r := &Result{Dataset: "BZR", Model: "m"}
		for i, v := range tests {
			r.Folds = append(r.Folds, FoldResult{Fold: i % 2, Seed: uint32(i / 2), TestBest: v, Test: -v})
		}
		return r
	}
	p, err := Compare(result(80, 82, 84, 90), result(79, 80, 81, 86))
	require.NoError(t, err)
	require.Equal(t, []float64{1, 2, 3, 4}, p.Differences)
	require.Equal(t, 2.5, p.Mean)
	// Student's t with 3 degrees of freedom at 97.5 % is 3.18245 (any table);
	// the standard deviation is √(5/3).
	require.InDelta(t, 3.18245*math.Sqrt(5.0/3)/2, p.High-p.Mean, 1e-5)
	require.InDelta(t, p.Mean-p.Low, p.High-p.Mean, 1e-12)

	p, err = CompareLast(result(80, 82, 84, 90), result(79, 80, 81, 86))
	require.NoError(t, err)
	require.Equal(t, []float64{-1, -2, -3, -4}, p.Differences)

	_, err = Compare(result(80, 82), result(80, 82, 84))
	require.ErrorContains(t, err, "nothing to pair")
	other := result(80, 82)
	other.Folds[1].Seed = 9
	_, err = Compare(result(80, 82), other)
	require.ErrorContains(t, err, "fold 1, seed 9")
}

// TestCochainTable trains a little, and assembles what there is.
func TestCochainTable(t *testing.T) {
	backend := backendtest.Get(t, "go")
	x := NewCochainTable()
	x.Datasets, x.Models = []string{"BZR"}, []string{"cochain-small", "gin-tuned"}
	x.Seeds, x.Epochs, x.Out, x.Assemble = 1, 1, t.TempDir(), true
	x.paths = map[string]string{"BZR": excerpt}
	got, err := x.Run(t.Context(), backend, nil)
	require.NoError(t, err)
	require.Equal(t, 2, got.Missing)
	require.Nil(t, got.Rows[0].Pairs)
	require.Equal(t, MeanStd{81.48, 2.90}, *got.Rows[0].PaperBest)

	x.Assemble = false
	trained, err := x.Run(t.Context(), backend, nil)
	require.NoError(t, err)
	x.Assemble = true
	got, err = x.Run(t.Context(), backend, nil)
	require.NoError(t, err)
	require.Zero(t, got.Missing)
	require.Len(t, got.Rows[0].Pairs.Differences, 5)
	require.Equal(t, trained.Rows[0].Pairs, got.Rows[0].Pairs)
	require.Len(t, got.Rows[0].PairsLast.Differences, 5)
	require.Equal(t, trained.Rows[0].PairsLast, got.Rows[0].PairsLast)
	require.Equal(t, "accuracy", got.Rows[0].Metric)

	x.Models = []string{"none"}
	_, err = x.Run(t.Context(), backend, nil)
	require.ErrorContains(t, err, `no model "none"`)
	x.Models, x.Datasets = []string{"cochain"}, []string{"none"}
	_, err = x.Run(t.Context(), backend, nil)
	require.ErrorContains(t, err, `no data set is called "none"`)
}

// TestCochainRegression: a network learns to count atoms, from 57 molecules at
// a time, and several tasks with gaps, by its own protocol.
func TestCochainRegression(t *testing.T) {
	backend := backendtest.Get(t, "xla:cpu")
	x, m := counted(t, "atoms", "aromatic")
	x.Model, x.Protocol = "cochain-small", train.Published(32)
	x.Protocol.Epochs = 300 // of one step
	r, model, err := x.Train(t.Context(), backend, m, nil)
	require.NoError(t, err)
	require.Equal(t, "rmse", r.Metric)
	all, err := model.PredictMolecules(backend, m)
	require.NoError(t, err)
	sum := 0.0
	for g, p := range all {
		d := p.Values["atoms"] - float64(m.Targets[2*g])
		sum += d * d / float64(len(all))
	}
	// Less than a half of what the mean is off by.
	require.Less(t, math.Sqrt(sum), deviation(m, 0)/2)
}

// TestEpochsAskedFor: a number that is asked for holds for every model, also
// the one that is usual for others.
func TestEpochsAskedFor(t *testing.T) {
	for model, own := range map[string]int{"nkf": 100, "cochain": 100, "cochain-small": 60} {
		x := NewTU("BZR", model)
		x.Path = excerpt
		archive, err := x.Load(t.Context())
		require.NoError(t, err)
		for asked, want := range map[int]int{0: own, 1: 1, 60: 60, 100: 100} {
			x.Epochs = asked
			cv, err := x.crossValidation(archive)
			require.NoError(t, err)
			require.Equal(t, want, cv.task.Protocol.Epochs, "%s, %d asked for", model, asked)
		}
	}
}
