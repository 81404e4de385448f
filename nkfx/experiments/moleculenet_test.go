package experiments

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// someMolecules is a short training on an excerpt of BBBP.
func someMolecules(t *testing.T, model string) (MoleculeNet, *moleculenet.Molecules) {
	t.Helper()
	x := NewMoleculeNet("BBBP", model)
	x.Path = "../../datasets/moleculenet/testdata/excerpt.csv"
	x.Columns = moleculenet.Columns{SMILES: "smiles", Labels: []string{"p_np"}}
	x.Runs, x.Protocol.Epochs = 2, 2
	m, err := x.Load(t.Context())
	require.NoError(t, err)
	require.Equal(t, "BBBP", m.Name)
	return x, m
}

// TestParametersForMolecules compares all models of Table 2 with the golden
// counts of the paper's code.
func TestParametersForMolecules(t *testing.T) {
	data, err := os.ReadFile("../../layers/testdata/numerics/gnn.json")
	require.NoError(t, err)
	var file struct {
		Counts map[string]struct {
			GCN, GAT, GIN int
			Forms         map[string]struct{ Parameters int } `json:"forms_model"`
		} `json:"parameter_counts"`
	}
	require.NoError(t, json.Unmarshal(data, &file))
	c := file.Counts["BACE"]
	for model, want := range map[string]int{"gcn": c.GCN, "gat": c.GAT, "gin": c.GIN,
		"nkf": c.Forms["num_steps=10,num_cochains=10"].Parameters} {
		require.NotZero(t, want)
		require.Equal(t, want, parametersOf(t, model, MoleculeSize, 9, 2), model)
		// The paper gives thousands, rounded up or down.
		require.InDelta(t, want, paperMoleculeParameters[model], 1000, model)
		require.Equal(t, table2[model]["HIV"], *Paper(model, "HIV"))
	}
}

// TestMoleculeNet: an interrupted run continues, and the numbers are those of
// one that was not disturbed.
func TestMoleculeNet(t *testing.T) {
	backend := backendtest.Get(t, "go")
	x, m := someMolecules(t, "nkf")
	whole, err := x.Run(t.Context(), backend, m, nil)
	require.NoError(t, err)
	require.Equal(t, "moleculenet", whole.Experiment)
	require.Equal(t, "auroc", whole.Metric)
	require.Equal(t, "numbers", whole.Features)
	require.Equal(t, uint32(42), whole.Seed)
	require.Equal(t, 2, whole.Seeds)
	require.Len(t, whole.Folds, 2)
	for i, f := range whole.Folds {
		require.Zero(t, f.Fold)
		require.Equal(t, uint32(42+i), f.Seed)
		require.Equal(t, f.Last.AUROC, f.Test)
		require.Equal(t, f.Best.AUROC, f.TestBest)
	}
	accuracy := []float64{float64(whole.Folds[0].Last.Accuracy), float64(whole.Folds[1].Last.Accuracy)}
	mean, std := stat.PopMeanStdDev(accuracy, nil)
	require.Equal(t, train.Score(mean), whole.Means.Accuracy)
	require.Equal(t, train.Score(std), whole.Stds.Accuracy)
	require.Equal(t, whole.Mean, whole.Means.AUROC)
	require.Positive(t, whole.Means.AveragePrecision)

	x.Out, x.Workers = t.TempDir(), 1
	ctx, cancel := context.WithCancel(t.Context())
	_, err = x.Run(ctx, backend, m, func(p train.Progress) {
		if p.Fits == 1 {
			cancel()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	seen := map[uint32]int{}
	resumed, err := x.Run(t.Context(), backend, m, func(p train.Progress) {
		seen[p.Seed] = p.Epoch.Epoch + 1
	})
	require.NoError(t, err)
	require.Equal(t, map[uint32]int{43: 2}, seen, "epochs of what was left")
	require.FileExists(t, filepath.Join(x.Out, "moleculenet", "BBBP-nkf.jsonl"))
	for i := range whole.Folds {
		whole.Folds[i].Seconds, resumed.Folds[i].Seconds = 0, 0
	}
	require.Equal(t, whole.Folds, resumed.Folds)

	// Other features and splits are other trainings.
	x.Features, x.Split, x.Runs = moleculenet.OneHot, "folds", 5
	other, err := x.Run(t.Context(), backend, m, nil)
	require.NoError(t, err)
	require.Equal(t, "one-hot", other.Features)
	require.Greater(t, other.Parameters, whole.Parameters)
	require.Len(t, other.Folds, 5)
	require.Equal(t, 1, other.Seeds)
	require.Equal(t, 4, other.Folds[4].Fold)
}

// TestMoleculeSplits: every split trains on other molecules.
func TestMoleculeSplits(t *testing.T) {
	x, m := someMolecules(t, "nkf")
	seen := map[int32]string{}
	for _, x.Split = range Splits {
		folds, err := x.folds(m)
		require.NoError(t, err)
		want := 1
		if x.Split == "folds" {
			want = 5
		}
		require.Len(t, folds, want)
		for _, f := range folds {
			require.Equal(t, m.Len(), len(f.Train)+len(f.Validation)+len(f.Test))
		}
		if x.Split != "folds" {
			sum := int32(0)
			for _, g := range folds[0].Test {
				sum = 31*sum + g
			}
			require.Empty(t, seen[sum], "%s is as %s", seen[sum], x.Split)
			seen[sum] = x.Split
		}
	}
}

func TestMoleculesThatCannotBe(t *testing.T) {
	backend := backendtest.Get(t, "go")
	for want, change := range map[string]func(*MoleculeNet){
		`no model "mlp"`:             func(x *MoleculeNet) { x.Model = "mlp" },
		`no split "time": there are`: func(x *MoleculeNet) { x.Split = "time" },
		"3 runs of 5 folds: take a":  func(x *MoleculeNet) { x.Split, x.Runs = "folds", 3 },
		"0 trainings: take one":      func(x *MoleculeNet) { x.Runs = 0 },
		"seeds: take 1 to 65536":     func(x *MoleculeNet) { x.Runs = math.MaxInt },
		"no 5 seeds count up":        func(x *MoleculeNet) { x.Runs, x.Seed = 5, math.MaxUint32-3 },
		"Features(9) are unknown":    func(x *MoleculeNet) { x.Features = 9 },
		"0 epochs":                   func(x *MoleculeNet) { x.Protocol.Epochs = 0 },
	} {
		x, m := someMolecules(t, "nkf")
		change(&x)
		_, err := x.Run(t.Context(), backend, m, nil)
		require.ErrorContains(t, err, want)
	}
	graphs := NewTU("", "nkf")
	graphs.Path, graphs.Seeds = excerpt, math.MaxInt
	_, err := graphs.Run(t.Context(), backend, nil)
	require.ErrorContains(t, err, "seeds: take 1 to 65536")
	x := NewMoleculeNet("BZR", "nkf")
	_, err = x.Load(t.Context())
	require.ErrorContains(t, err, "holds no molecules")

	name, err := MoleculeNetDataset("bace")
	require.NoError(t, err)
	require.Equal(t, "BACE", name)
	_, err = MoleculeNetDataset("tox21")
	require.ErrorContains(t, err, `no data set "tox21" in Table 2: there are BACE, BBBP, HIV`)
}

// TestTrainAndPredictMolecules: what the model says of molecules does not
// depend on the file they come from.
func TestTrainAndPredictMolecules(t *testing.T) {
	backend := backendtest.Get(t, "go")
	x, m := someMolecules(t, "nkf")
	x.Dataset, x.Split, x.Folds, x.Runs = "", "folds", 2, 2
	r, model, err := x.Train(t.Context(), backend, m, nil)
	require.NoError(t, err)
	require.Equal(t, "train", r.Experiment)
	require.Nil(t, r.Paper)
	require.Len(t, r.Folds, 2)
	folder := t.TempDir()
	require.NoError(t, model.Save(folder))
	model, err = LoadModel(folder)
	require.NoError(t, err)
	require.Equal(t, MoleculeSize, model.Size)
	require.Equal(t, "auroc", model.Metric)

	all, err := model.PredictMolecules(backend, m)
	require.NoError(t, err)
	require.Len(t, all, m.Len())
	text := "text\n" + all[5].SMILES + "\nC(\n" + all[9].SMILES + "\n"
	some, err := moleculenet.Read(strings.NewReader(text), "some.csv", moleculenet.Columns{SMILES: "text"})
	require.NoError(t, err)
	few, err := model.PredictMolecules(backend, some)
	require.NoError(t, err)
	require.Len(t, few, 2)
	for i, g := range []int{5, 9} {
		require.Equal(t, int32(2*i), few[i].Row)
		require.Equal(t, all[g].Class, few[i].Class)
		// Sums over a batch of another shape may round otherwise, in float32.
		require.InDeltaSlice(t, all[g].Probabilities, few[i].Probabilities, 1e-5)
	}

	_, err = model.PredictTU(backend, "nothing.zip")
	require.ErrorContains(t, err, "give it a CSV file")
	model.Features = "colour"
	_, err = model.PredictMolecules(backend, some)
	require.ErrorContains(t, err, "colour")
	model.Features = ""
	_, err = model.PredictMolecules(backend, some)
	require.ErrorContains(t, err, "TUDataset")

	_, _, err = x.Train(t.Context(), backend, some, nil)
	require.ErrorContains(t, err, "there is nothing to learn")
	x.Protocol.Epochs = 0
	_, _, err = x.Train(t.Context(), backend, m, nil)
	require.ErrorContains(t, err, "0 epochs")
}
