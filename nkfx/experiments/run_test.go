package experiments

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/internal/nkftest"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Excerpts of two data sets, with node labels and without.
const (
	excerpt = "../../datasets/tu/testdata/BZR.zip"
	letters = "../../datasets/tu/testdata/Letter-high"
)

// someMolecules is a short training on an excerpt of BBBP.
func someMolecules(model string) Run {
	x := NewRun(must(Lookup("bbbp")), model)
	x.Data = must(moleculenet.Open("../../datasets/moleculenet/testdata/excerpt.csv",
		moleculenet.Columns{SMILES: "smiles", Labels: []string{"p_np"}}))
	x.Data.(*moleculenet.Molecules).Name = "BBBP"
	x.Seeds, x.Protocol = 2, epochs(2)
	return x
}

// epochs changes the number of epochs.
func epochs(n int) func(*train.Protocol) { return func(p *train.Protocol) { p.Epochs = n } }

// TestMoleculeNet: a result has the numbers of its trainings, and says which they are. (An interrupted run
// continues: see TestTable1.)
func TestMoleculeNet(t *testing.T) {
	backend := backendtest.Get(t, "go")
	x := someMolecules("nkf")
	whole := must(x.Run(t.Context(), backend, nil))
	require.Equal(t, uint32(42), whole.Seed)
	require.Len(t, whole.Folds, 2)
	for i, f := range whole.Folds {
		require.Zero(t, f.Fold)
		require.Equal(t, uint32(42+i), f.Seed)
	}
	accuracy := []float64{float64(whole.Folds[0].Last.Accuracy), float64(whole.Folds[1].Last.Accuracy)}
	mean, std := stat.MeanStdDev(accuracy, nil)
	require.Equal(t, train.Score(mean), whole.Means.Accuracy)
	require.Equal(t, train.Score(std), whole.Stds.Accuracy)
	require.Equal(t, whole.Mean, whole.Means.AUROC)
	require.Positive(t, whole.Means.AveragePrecision)
}

// TestMoleculeSplits: every split trains on other molecules.
func TestMoleculeSplits(t *testing.T) {
	x := someMolecules("nkf")
	seen := map[string]bool{}
	for _, x.Split = range Splits {
		folds := must(x.Prepare(t.Context())).task.Folds
		for _, f := range folds {
			require.Equal(t, x.Data.Len(), len(f.Train)+len(f.Validation)+len(f.Test))
		}
		if x.Split == "folds" {
			require.Len(t, folds, 5)
			continue
		}
		require.Len(t, folds, 1)
		test := fmt.Sprint(folds[0].Test)
		require.False(t, seen[test], x.Split)
		seen[test] = true
	}
}

func TestRunsThatCannotBe(t *testing.T) {
	for want, change := range map[string]func(*Run){
		`no model "mlp"`:               func(x *Run) { x.Model = "mlp" },
		`no split "time": want one of`: func(x *Run) { x.Split = "time" },
		"0 seeds from 42":              func(x *Run) { x.Seeds = 0 },
		"take 1 to 65536":              func(x *Run) { x.Seeds = math.MaxInt },
		"5 seeds from 4294967292":      func(x *Run) { x.Seeds, x.Seed = 5, math.MaxUint32-3 },
		`no features "color"`:          func(x *Run) { x.Features = "color" },
		"Epochs 0":                     func(x *Run) { x.Protocol = epochs(0) },
		"cannot be split by scaffold": func(x *Run) {
			x.Benchmark, x.Data, x.Split = graphs(excerpt), nil, "scaffold"
		},
		"needs a folder for results": func(x *Run) { x.Shard = &Shard{Count: 2} },
		"settings of nkf": func(x *Run) {
			x.Out, x.Protocol = t.TempDir(), func(p *train.Protocol) { p.Rate = math.NaN() }
		},
	} {
		x := someMolecules("nkf")
		change(&x)
		_, err := x.Run(t.Context(), backendtest.Get(t, "go"), nil)
		require.ErrorContains(t, err, want)
	}
	_, err := Lookup("tox21")
	require.ErrorContains(t, err, `no benchmark "tox21": want one of BZR, COX2`)
	require.Equal(t, []string{"BACE", "BBBP", "HIV"}, Names("moleculenet"))
	require.Len(t, Names("tu"), 7)
}

// TestNothingToLearn: values of a kind that is all the same, and those that 32 bits cannot standardize, are
// refused before anything is trained, by a sentence about them.
func TestNothingToLearn(t *testing.T) {
	unknown := math.NaN()
	for want, column := range map[string]struct {
		task datasets.Task
		of   func(g int) float64
	}{
		`all known values of "b" are 7: there`: {datasets.Regression, func(g int) float64 {
			return []float64{7, unknown}[g%2]
		}},
		`no value of "b" is known: there is`:   {datasets.Regression, func(int) float64 { return unknown }},
		`all known values of "b" are 1: there`: {datasets.Classification, func(int) float64 { return 1 }},
		`of "b" are from -3e+38 to 3e+38, wh`: {datasets.Regression, func(g int) float64 {
			return []float64{-3e38, 3e38}[g%2]
		}},
		`from 0 to 2.9e-39, which 32 bits can`: {datasets.Regression, func(g int) float64 {
			return 1e-40 * float64(g)
		}},
	} {
		m := must(nkftest.Molecules(column.task))
		for g := range m.Targets {
			m.Targets[g][1] = column.of(g)
		}
		x := someMolecules("nkf")
		x.Data = m
		_, err := x.Prepare(t.Context())
		require.ErrorContains(t, err, want)
	}
	b := datasets.NewBuilder(1)
	b.Classes = []string{"a", "b"} // declared, as in time series
	for range 10 {
		b.AddPath([]float64{1, 2}, 1)
	}
	_, err := NewRun(Own(must(b.Collection())), "nkf").Prepare(t.Context())
	require.ErrorContains(t, err, `is of class "b": there is nothing to learn`)
}

// TestFarNumbers: numbers with a spread of one a million from 0 are learned as those about 0.
func TestFarNumbers(t *testing.T) {
	x := someMolecules("nkf")
	x.Seeds, x.Protocol = 1, epochs(20)
	var errors []float64
	for _, far := range []float64{0, 1e6} {
		m := must(nkftest.Molecules(datasets.Regression))
		for g := range m.Targets {
			m.Targets[g][0] += far
			m.Targets[g][1] += far
		}
		x.Data = m
		errors = append(errors, float64(must(x.Run(t.Context(), backendtest.Get(t, "go"), nil)).Mean))
	}
	require.Less(t, errors[0], 1.0)
	require.InDelta(t, errors[0], errors[1], 0.05, "32 bits round by 1/32")
}

// TestOnlyWhatIsSetChanges: of the protocol of a model, whatever that is.
func TestOnlyWhatIsSetChanges(t *testing.T) {
	for model, own := range map[string]int{"nkf": 100, "cochain": 100, "cochain-small": 60} {
		x := NewRun(graphs(excerpt), model)
		usual := must(x.Prepare(t.Context()))
		require.Equal(t, own, usual.task.Protocol.Epochs, model)
		x.Protocol = func(p *train.Protocol) { p.Epochs, p.Clip = 60, 7 } // 60 is usual for one of them
		changed := must(x.Prepare(t.Context()))
		want := usual.task.Protocol
		want.Epochs, want.Clip = 60, 7
		require.Equal(t, want, changed.task.Protocol, model)
	}
}

// TestFeatures: models that the paper does not have take labels where there are
// any, and atoms one-hot, and what is asked for where something is.
func TestFeatures(t *testing.T) {
	features := func(x Run, model, asked string) string {
		x.Model, x.Features = model, asked
		return must(x.Prepare(t.Context())).task.Data.Features
	}
	labeled, plain := NewRun(graphs(excerpt), ""), NewRun(graphs(letters), "")
	plain.Folds = 2
	require.Equal(t, "labels", features(labeled, "cochain", ""))
	require.Equal(t, "labels", features(labeled, "cochain", "automatic"))
	require.Equal(t, "attributes+labels", features(labeled, "nkf", "automatic"))
	require.Equal(t, "degree", features(labeled, "cochain", "degree"))
	require.Equal(t, "attributes", features(plain, "cochain", ""))
	molecules := someMolecules("")
	require.Equal(t, "one-hot", features(molecules, "gin-tuned", ""))
	require.Equal(t, "numbers", features(molecules, "gin", ""))
	require.Equal(t, "numbers", features(molecules, "gin-tuned", "numbers"))
}

// TestOwnCollection: complexes of a user's own are a benchmark in a few lines, points without simplices, too.
func TestOwnCollection(t *testing.T) {
	clouds := datasets.NewBuilder(2)
	for g := range 10 {
		clouds.Add([]float64{1, 2, float64(g), 4}[:2+g%2*2], nil, float64(g%2))
	}
	points := must(clouds.Collection())
	for _, name := range []string{"nkf", "cochain-small"} {
		x := NewRun(Own(points), name)
		x.Folds, x.Protocol = 2, epochs(1)
		_, model, err := x.Train(t.Context(), backendtest.Get(t, "go"), nil)
		require.NoError(t, err, name)
		answers, err := must(model.On(backendtest.Get(t, "go"))).Predict(t.Context(), points)
		require.NoError(t, err, name)
		require.Len(t, answers, 10)
		x.Features = "labels"
		_, err = x.Prepare(t.Context())
		require.ErrorContains(t, err, "no choice of features")
	}

	empty := must(datasets.NewBuilder(3).Collection())
	for want, x := range map[string]Run{
		"a run without data":         {Model: "nkf"},
		"is empty: there is nothing": {Model: "nkf", Data: empty},
	} {
		_, err := x.Prepare(t.Context())
		require.ErrorContains(t, err, want)
	}
}

// TestKeys: a key has all that a result depends on.
func TestKeys(t *testing.T) {
	backend := backendtest.Get(t, "go")
	key := func(change func(*Run)) string {
		x := NewRun(graphs(excerpt), "cochain")
		x.Protocol = func(p *train.Protocol) { p.Batch = 4 } // which folds of other sizes do not change
		change(&x)
		key := must(must(x.Prepare(t.Context())).key(backend))
		return key
	}
	usual := key(func(*Run) {})
	require.Contains(t, usual, `"Dropout":0.3`, "settings of the model")
	require.Equal(t, usual, key(func(x *Run) { x.Workers, x.Out, x.Seeds = 7, "elsewhere", 3 }))
	plain := must(graphs(letters).Load(t.Context()))
	seen := map[string]bool{usual: true}
	for _, change := range []func(*Run){
		func(x *Run) { x.Model = "cochain-forms" }, func(x *Run) { x.Folds = 4 },
		func(x *Run) { x.Split = "random" }, func(x *Run) { x.Features = "degree" },
		func(x *Run) { x.Protocol = func(p *train.Protocol) { p.Clip = 0 } },
		func(x *Run) { x.Model = "nkf" }, func(x *Run) { x.Model, x.Benchmark.Size.Hidden = "nkf", 20 },
		func(x *Run) { x.Folds, x.Data = 2, plain },
	} {
		key := key(change)
		require.False(t, seen[key], key)
		seen[key] = true
	}
}

// tori are meshes of two kinds, thin and thick.
func tori(count int) *mesh.Set {
	set := &mesh.Set{Info: datasets.Info{Name: "tori", Classes: []string{"thin", "thick"}}}
	for g := range count {
		m := mesh.Torus(4+g%2, 4, func(a, b float64) (x, y, z float64) {
			radius := 0.2 + 0.2*float64(g%2) + 0.1*math.Sin(2*a+float64(g))
			distance := 1 + radius*math.Cos(b)
			z = radius*math.Sin(b) + 0.1*math.Cos(3*a)
			return distance * math.Cos(a), 1.5 * distance * math.Sin(a), z
		})
		set.Meshes, set.Files = append(set.Meshes, m), append(set.Files, "")
		set.Targets = append(set.Targets, []float64{float64(g % 2)})
	}
	return set
}

// must returns the result of a call that cannot fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
