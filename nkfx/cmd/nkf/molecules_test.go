package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/published"
	"github.com/neuralkforms/nkf/datasets/smiles"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// moleculeFile is a file of the folder with excerpts of molecules.
func moleculeFile(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("../../../datasets/moleculenet/testdata", name))
	require.NoError(t, err)
	return path
}

// requireFiles: the folder holds these files and no others.
func requireFiles(t *testing.T, folder string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	require.Equal(t, names, got)
}

// TestRunMoleculeNet trains for an epoch on BBBP, and again from what was kept.
func TestRunMoleculeNet(t *testing.T) {
	onGo(t)
	args := strings.Fields("run moleculenet --dataset bbbp --runs 1 --epochs 1 --workers 1 --out")
	args = append(args, t.TempDir())
	stdout, stderr := done(t, append(args, "--json")...)
	require.Contains(t, stderr, "BBBP: 11 of 2,050 rows left out, with no molecule\n  row 59, line 61")
	r := results(t, stdout)
	require.Len(t, r, 1)
	require.Equal(t, "moleculenet", r[0].Experiment)
	require.Equal(t, "auroc", r[0].Metric)
	require.Equal(t, 8560, r[0].Parameters)
	require.Equal(t, "86.41 ± 3.64", r[0].Paper.String())
	files, err := published.Open(t.Context(), "BBBP")
	require.NoError(t, err)
	require.Equal(t, files[0].SHA256, r[0].DataSHA256)
	require.Len(t, r[0].Folds, 1)

	stdout, _ = done(t, args...)
	require.Contains(t, stdout, "86.41 ± 3.64")
	mean, err := json.Marshal(r[0].Mean)
	require.NoError(t, err)
	require.Contains(t, stdout, string(mean)[:4])
}

// TestTrainOnMolecules: the whole way on molecules of one's own.
func TestTrainOnMolecules(t *testing.T) {
	onGo(t)
	out, path := t.TempDir(), moleculeFile(t, "excerpt.csv")
	line := []string{"train", "--csv", path, "--smiles", "smiles", "--label", "p_np", "--epochs", "1",
		"--out", out}
	stdout, _ := done(t, append(line, "--json", "--features", "one-hot", "--split", "scaffold")...)
	r := results(t, stdout)
	require.Len(t, r, 1)
	require.Equal(t, "train", r[0].Experiment)
	require.Equal(t, "one-hot", r[0].Features)
	require.Len(t, r[0].Folds, 1)
	require.Nil(t, r[0].Paper)

	stdout, stderr := done(t, append(line, "--folds", "2")...)
	require.Contains(t, stderr, "excerpt: 2 of 71 rows left out, with no molecule")
	require.Contains(t, stdout, "the model is in")

	folder := filepath.Join(out, "models", "excerpt-p_np-nkf")
	predict := []string{"predict", "--model", folder, "--csv", path, "--smiles", "smiles"}
	stdout, _ = done(t, predict...)
	require.Equal(t, 70, strings.Count(stdout, "\n"))
	require.True(t, strings.HasPrefix(stdout, "row\tp_np\tP(0)\tP(1)\n0\t"), stdout)
	stdout, _ = done(t, append(predict, "--json")...)
	var p models.Prediction
	require.NoError(t, json.Unmarshal([]byte(stdout[:strings.Index(stdout, "\n")]), &p))
	require.Len(t, p.Probabilities, 2)
	require.Contains(t, stdout, `"classes":["0","1"]`)
	require.Contains(t, []string{"0", "1"}, p.Class)

	for want, args := range map[string][]string{
		"give it --csv and --smiles": {"predict", "--model", folder, "--tu", excerpt(t)},
		`no column is called "x"`:    {"predict", "--model", folder, "--csv", path, "--smiles", "x"},
		`called "activity"`:          {"train", "--csv", path, "--smiles", "smiles", "--label", "activity"},
	} {
		fails(t, want, args...)
	}
}

// taught writes a file of the molecules of the excerpt with columns computed from them: the number of atoms,
// and whether there are nitrogen, oxygen and a ring, of which every third is missing.
func taught(t *testing.T) string {
	t.Helper()
	m, err := moleculenet.Open(moleculeFile(t, "excerpt.csv"), moleculenet.Columns{SMILES: "smiles"})
	require.NoError(t, err)
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
	path := filepath.Join(t.TempDir(), "taught.csv")
	require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o600))
	return path
}

// TestTrainOnTargets: numbers and several answers with gaps, from the file to predictions.
func TestTrainOnTargets(t *testing.T) {
	onGo(t)
	path, out := taught(t), t.TempDir()
	folder := func(labels string) string { return filepath.Join(out, "models", "taught-"+labels+"-nkf") }
	train := func(args ...string) (stdout, stderr string) {
		line := append(strings.Fields("train --smiles smiles --folds 2 --epochs 2 --csv"), path, "--out", out)
		stdout, stderr = done(t, append(line, args...)...)
		return stdout, stderr
	}
	stdout, stderr := train("--label", "atoms", "--json")
	require.Contains(t, stderr, "taught: 1 of 71 rows left out, with no molecule")
	require.Contains(t, stderr, "1 of 71 rows left out, with no label\n  row 1, line 3: \"")
	require.Contains(t, stderr, `taught: regression, to learn numbers: "atoms" (--task takes other choices)`)
	r := results(t, stdout)[0]
	require.Equal(t, "rmse", r.Metric)
	require.Equal(t, []string{"atoms"}, r.Tasks)
	require.Equal(t, r.Mean, r.Means.RMSE)
	require.Positive(t, r.Means.MAE)
	require.LessOrEqual(t, r.Means.MAE, r.Mean)
	stdout, stderr = train("--label", "atoms", "--task", "regression")
	require.Contains(t, stdout, "RMSE, last epoch")
	require.NotContains(t, stderr, "other choices")

	predict := []string{"predict", "--csv", path, "--smiles", "smiles", "--json", "--model"}
	stdout, _ = done(t, "predict", "--csv", path, "--smiles", "smiles", "--model", folder("atoms"))
	require.True(t, strings.HasPrefix(stdout, "row\tatoms\n1\t"), stdout)
	require.Equal(t, 71, strings.Count(stdout, "\n"))

	stdout, stderr = train("--label", "nitrogen,oxygen,ring", "--json")
	require.Contains(t, stderr, `classification, to learn 0 or 1 of each of "nitrogen", "oxygen", "ring"`)
	require.Contains(t, stderr, "taught: 69 of 207 labels are missing and are ignored")
	r = results(t, stdout)[0]
	require.Equal(t, "auroc", r.Metric)
	require.Equal(t, []string{"nitrogen", "oxygen", "ring"}, r.Tasks)
	require.Positive(t, r.Mean)
	stdout, _ = done(t, append(predict, folder("nitrogen+oxygen+ring"))...)
	var p models.Prediction
	require.NoError(t, json.Unmarshal([]byte(stdout[:strings.Index(stdout, "\n")]), &p))
	require.NotContains(t, stdout, "classes")
	require.Len(t, p.Values, 3)
	require.Empty(t, p.Class)
	for _, value := range p.Values {
		require.Greater(t, value, 0.0)
		require.Less(t, value, 1.0)
	}

	wrong := append(strings.Fields("train --smiles smiles --label atoms,ring --csv"), path, "--task")
	code, _, stderr := nkf(t, append(wrong, "guess")...)
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, `no task "guess"`)
	fails(t, `column "atoms": the label`, append(wrong, "classification")...)
}

// TestUndefinedAreas: a training whose test part has one class has no area under a curve. The mean is without
// it, which is told, in text and in JSON; the model is saved all the same.
func TestUndefinedAreas(t *testing.T) {
	onGo(t)
	var text strings.Builder
	text.WriteString("smiles,rare,kind\n")
	for i := range 30 {
		rare, kind := "no", string(rune('a'+i%2))
		if i == 3 {
			rare, kind = "yes", "c"
		}
		fmt.Fprintf(&text, "%sO,%s,%s\n", strings.Repeat("C", i+1), rare, kind)
	}
	path, out := filepath.Join(t.TempDir(), "rare.csv"), t.TempDir()
	require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o600))
	train := func(label string, args ...string) (stdout, stderr string) {
		line := []string{"train", "--csv", path, "--smiles", "smiles", "--label", label, "--folds", "2",
			"--epochs", "1", "--out", out}
		stdout, stderr = done(t, append(line, args...)...)
		return stdout, stderr
	}
	stdout, _ := train("rare", "--json")
	require.Contains(t, stdout, `"auroc":null`)
	require.Contains(t, stdout, `"undefined":{"auroc":2,`)
	r := results(t, stdout)[0]
	require.Equal(t, 1, r.Undefined)
	require.Equal(t, 1, r.Means.Undefined["auroc"])
	var defined []float64
	for _, f := range r.Folds {
		if f.Last.AUROC.Defined() {
			defined = append(defined, float64(f.Last.AUROC))
		}
	}
	require.Equal(t, []float64{float64(r.Mean)}, defined)
	require.Zero(t, r.Std)
	stdout, _ = train("rare")
	require.Contains(t, stdout, "rare nkf: trainings without AUROC: 1 of 2")
	model, err := models.Read(filepath.Join(out, "models", "rare-rare-nkf"))
	require.NoError(t, err)
	require.Equal(t, r.Mean, model.Mean)

	stdout, _ = train("kind", "--json")
	r = results(t, stdout)[0]
	require.Zero(t, r.Undefined)
	counts := []int{r.Folds[0].Last.Undefined["auroc"], r.Folds[1].Last.Undefined["auroc"]}
	slices.Sort(counts)
	require.Equal(t, []int{0, 1}, counts)
	stdout, _ = train("kind")
	require.Contains(t, stdout, "rare nkf: trainings with AUROC of some classes only: 1 of 2")
}

// TestWriteInto: a file is made whole with its folder, what is no file is
// written to, and what is read is not lost.
func TestWriteInto(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "in.csv")
	require.NoError(t, os.WriteFile(path, []byte("id,x\na,1\na,2\n"), 0o600))
	write := func(out string) (int, string) {
		code, _, stderr := nkf(t, "signature", "--tracks", path, "--id", "id", "--x", "x", "--out", out)
		return code, stderr
	}
	code, stderr := write(path)
	require.Equal(t, exitError, code)
	require.Contains(t, stderr, "is the file that is read")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "id,x\na,1\na,2\n", string(text))

	out := filepath.Join(folder, "new", "out.tsv")
	code, stderr = write(out)
	require.Equal(t, exitDone, code, stderr)
	require.FileExists(t, out)
	code, stderr = write(os.DevNull)
	require.Equal(t, exitDone, code, stderr)
	info, err := os.Stat(os.DevNull)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&os.ModeDevice)
	code, _ = write(filepath.Dir(out))
	require.Equal(t, exitError, code)
}

// TestSkippedMolecules: three of the rows that are no molecules are shown with their text, the others
// counted.
func TestSkippedMolecules(t *testing.T) {
	onGo(t)
	path := filepath.Join(t.TempDir(), "a.csv")
	text := "smiles,kind\n"
	for i := range 24 {
		text += fmt.Sprintf("%s%s,%d\n", strings.Repeat("C", i+1), []string{"O", "N"}[i%2], i%2)
	}
	text += "C(,0\nF(C)C,0\n" + strings.Repeat("C", 50) + "),1\n" + strings.Repeat("C(C)(C)(C)(C)C,1\n", 2) +
		"c1cc1,1\nC1,0\n"
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	_, stderr := done(t, "train", "--csv", path, "--smiles", "smiles", "--label", "kind", "--folds", "2",
		"--epochs", "1", "--out", t.TempDir())
	require.Contains(t, stderr, "a: 7 of 31 rows left out, with no molecule\n"+
		"  row 24, line 26: \"C(\": smiles: character ")
	require.Contains(t, stderr, "  row 25, line 27: \"F(C)C\": smiles: valence: ")
	require.Contains(t, stderr, "  row 26, line 28: \""+strings.Repeat("C", 40)+"…\": smiles: ")
	require.Contains(t, stderr, "\n  and 4 more\n")
}
