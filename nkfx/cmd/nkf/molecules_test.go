package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/published"
	"github.com/neuralkforms/nkf/datasets/smiles"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// requireFiles: the folder holds these files and no others.
func requireFiles(t *testing.T, folder string, names ...string) {
	t.Helper()
	entries := sure(os.ReadDir(folder))
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	require.Equal(t, names, got)
}

// TestRunMoleculeNet trains for an epoch on BBBP, and again from what was kept. Three of the rows that are no
// molecules are shown with their text, the others counted.
func TestRunMoleculeNet(t *testing.T) {
	workshop(t)
	const line = "run moleculenet --dataset bbbp --runs 1 --epochs 1 --workers 1 --out ."
	stdout, stderr := done(t, line, "--json")
	require.Contains(t, stderr, "BBBP: 11 of 2,050 rows left out, with no molecule\n"+
		"  row 59, line 61: \"O=N([O-])C1=C(CN=C1NCCSCc2ncccc2)Cc3cccc…\": smiles: valence: atom 1 ")
	require.Equal(t, 3, strings.Count(stderr, "\n  row "))
	require.Contains(t, stderr, "\n  and 8 more\n")
	r := rows[experiments.Result](t, stdout)
	require.Len(t, r, 1)
	require.Equal(t, "moleculenet", r[0].Experiment)
	require.Equal(t, "auroc", r[0].Metric)
	require.Equal(t, 8560, r[0].Parameters)
	require.Equal(t, "86.41 ± 3.64", r[0].Paper.String())
	require.Equal(t, sure(published.Open(t.Context(), "BBBP"))[0].SHA256, r[0].DataSHA256)
	require.Len(t, r[0].Folds, 1)

	stdout, _ = done(t, line)
	require.Contains(t, stdout, "86.41 ± 3.64")
	require.Contains(t, stdout, string(sure(json.Marshal(r[0].Mean)))[:4])
}

// TestTrainOnMolecules: the whole way on molecules of one's own.
func TestTrainOnMolecules(t *testing.T) {
	workshop(t)
	const line = "train molecules --smiles smiles --label p_np --epochs 1 --out ."
	stdout, _ := done(t, line, drugs, "--json", "--features", "one-hot", "--split", "scaffold")
	r := rows[experiments.Result](t, stdout)
	require.Len(t, r, 1)
	require.Equal(t, "train", r[0].Experiment)
	require.Equal(t, "one-hot", r[0].Features)
	require.Len(t, r[0].Folds, 1)
	require.Nil(t, r[0].Paper)

	stdout, stderr := done(t, line, drugs, "--folds", "2")
	require.Contains(t, stderr, "excerpt: 2 of 71 rows left out, with no molecule")
	require.Contains(t, stdout, "the model is in")

	const model = " --model models/excerpt-p_np-nkf "
	stdout, _ = done(t, "predict molecules --smiles smiles"+model, drugs)
	require.Equal(t, 70, strings.Count(stdout, "\n"))
	require.True(t, strings.HasPrefix(stdout, "row\tp_np\tP(0)\tP(1)\n0\t"), stdout)
	fails(t, "predicts molecules, not graphs", "predict graphs"+model, excerpt)
	fails(t, `called "activity"`, "train molecules --smiles smiles --label activity", drugs)
}

// taught is a table of the molecules of the excerpt with columns computed from them: the number of atoms,
// and whether there are nitrogen, oxygen and a ring, of which every third is missing.
func taught() string {
	m := sure(moleculenet.Open(drugs, moleculenet.Columns{SMILES: "smiles"}))
	var text strings.Builder
	text.WriteString("smiles,atoms,nitrogen,oxygen,ring\nC(,1,0,0,0\nC,,,,\n")
	gap := 0
	answer := func(yes bool) string {
		gap++
		if gap%3 == 0 {
			return ""
		}
		return map[bool]string{true: "1", false: "0"}[yes]
	}
	for g, s := range m.SMILES {
		gap++ // of another column than in the row before
		atoms := m.Graphs[g].Atoms
		has := func(number uint8) bool {
			return slices.ContainsFunc(atoms, func(a smiles.Atom) bool { return a.Number == number })
		}
		ring := slices.ContainsFunc(atoms, func(a smiles.Atom) bool { return a.InRing })
		fmt.Fprintf(&text, "%q,%d,%s,%s,%s\n", s, len(atoms), answer(has(7)), answer(has(8)),
			answer(ring))
	}
	return text.String()
}

// TestTrainOnTargets: numbers and several answers with gaps, from the file to predictions.
func TestTrainOnTargets(t *testing.T) {
	workshop(t)
	put(t, "taught.csv", taught())
	const train = "train molecules taught.csv --smiles smiles --folds 2 --epochs 2 --out . --label "
	stdout, stderr := done(t, train+"atoms --json")
	require.Contains(t, stderr, "taught: 1 of 71 rows left out, with no molecule")
	require.Contains(t, stderr, "1 of 71 rows left out, with no label\n  row 1, line 3: \"")
	require.Contains(t, stderr, `taught: regression, to learn numbers: "atoms" (--task takes other choices)`)
	r := rows[experiments.Result](t, stdout)[0]
	require.Equal(t, "rmse", r.Metric)
	require.Equal(t, []string{"atoms"}, r.Tasks)
	require.Equal(t, r.Mean, r.Means.RMSE)
	require.Positive(t, r.Means.MAE)
	require.LessOrEqual(t, r.Means.MAE, r.Mean)
	stdout, stderr = done(t, train+"atoms --task regression")
	require.Contains(t, stdout, "RMSE, last epoch")
	require.NotContains(t, stderr, "other choices")

	const predict = "predict molecules taught.csv --smiles smiles --model models/taught-"
	stdout, _ = done(t, predict+"atoms-nkf")
	require.True(t, strings.HasPrefix(stdout, "row\tatoms\n1\t"), stdout)
	require.Equal(t, 71, strings.Count(stdout, "\n"))

	stdout, stderr = done(t, train+"nitrogen,oxygen,ring --json")
	require.Contains(t, stderr, `classification, to learn 0 or 1 of each of "nitrogen", "oxygen", "ring"`)
	require.Contains(t, stderr, "taught: 69 of 207 labels are missing and are ignored")
	r = rows[experiments.Result](t, stdout)[0]
	require.Equal(t, "auroc", r.Metric)
	require.Equal(t, []string{"nitrogen", "oxygen", "ring"}, r.Tasks)
	require.Positive(t, r.Mean)
	stdout, _ = done(t, predict+"nitrogen+oxygen+ring-nkf --json")
	p := rows[models.Prediction](t, stdout)[0]
	require.NotContains(t, stdout, "classes")
	require.Len(t, p.Values, 3)
	require.Empty(t, p.Class)
	for _, value := range p.Values {
		require.Greater(t, value, 0.0)
		require.Less(t, value, 1.0)
	}
	fails(t, `column "atoms": the label`, train+"atoms,ring --task classification")
}

// TestUndefinedAreas: a training whose test part has one class has no area under a curve. The mean is without
// it, which is told, in text and in JSON; the model is saved all the same.
func TestUndefinedAreas(t *testing.T) {
	workshop(t)
	text := "smiles,rare\n"
	for i := range 30 {
		text += fmt.Sprintf("%sO,%t\n", strings.Repeat("C", i+1), i == 3)
	}
	put(t, "rare.csv", text)
	const train = "train molecules rare.csv --smiles smiles --folds 2 --epochs 1 --out . --label rare "
	stdout, _ := done(t, train+"--json")
	require.Contains(t, stdout, `"auroc":null`)
	require.Contains(t, stdout, `"undefined":{"auroc":2,`)
	r := rows[experiments.Result](t, stdout)[0]
	require.Equal(t, 1, r.Undefined)
	require.Equal(t, 1, r.Means.Undefined["auroc"])
	var defined []float64
	for _, f := range r.Folds {
		if f.Last.AUROC.Defined() {
			defined = append(defined, float64(f.Last.AUROC))
		}
	}
	require.Equal(t, []float64{float64(r.Mean)}, defined)
	require.False(t, r.Std.Defined(), "one score has no deviation")
	stdout, _ = done(t, train)
	require.Contains(t, stdout, "rare nkf: trainings without AUROC: 1 of 2")
	require.Equal(t, r.Mean, sure(models.Read("models/rare-rare-nkf")).Mean)
}

// TestWriteInto: a file is made whole with its folder, what is no file is
// written to, and what is read is not lost.
func TestWriteInto(t *testing.T) {
	workshop(t)
	put(t, "in.csv", rings())
	done(t, "train molecules in.csv --smiles smiles --label ring --folds 2 --epochs 1 --out . --name m")
	const line = "predict molecules --model models/m in.csv --smiles smiles --out "
	fails(t, "is the file that is read", line+"in.csv")
	text := sure(os.ReadFile("in.csv"))
	require.Equal(t, rings(), string(text))

	want, _ := done(t, strings.TrimSuffix(line, "--out "))
	stdout, _ := done(t, line+"new/out.tsv")
	require.Empty(t, stdout)
	text = sure(os.ReadFile("new/out.tsv"))
	require.Equal(t, want, string(text))
	done(t, line+os.DevNull)
	require.NotZero(t, sure(os.Stat(os.DevNull)).Mode()&os.ModeDevice)
	fails(t, "is a directory", line+"new")
}
