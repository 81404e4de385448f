package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// writeGraphs writes a data set in the TU format: the contents of its files by the part of their names after
// the data set's.
func writeGraphs(t *testing.T, name string, files map[string]string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.Mkdir(folder, 0o777))
	for kind, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name+"_"+kind+".txt"), []byte(text), 0o666))
	}
	return folder
}

// chains returns the files of a data set of graphs of one edge each, with those labels of the first node and
// of the graph.
func chains(nodeLabels, graphLabels []int) map[string]string {
	files := map[string]string{}
	for g := range nodeLabels {
		files["A"] += fmt.Sprintf("%d, %d\n", 2*g+1, 2*g+2)
		files["graph_indicator"] += fmt.Sprintf("%d\n%d\n", g+1, g+1)
		files["graph_labels"] += fmt.Sprintf("%d\n", graphLabels[g])
		files["node_labels"] += fmt.Sprintf("%d\n1\n", nodeLabels[g])
	}
	return files
}

// TestPredictWhatTheModelCannotKnow: labels of nodes that the model has not seen are counted and told, files
// that it does not read are told, and nothing is scored by classes that are not its own.
func TestPredictWhatTheModelCannotKnow(t *testing.T) {
	onGo(t)
	out := t.TempDir()
	var nodes, classes []int
	for g := range 40 {
		nodes, classes = append(nodes, 1+4*(g%2)), append(classes, g%2) // labels 1 and 5
	}
	own := writeGraphs(t, "OWN", chains(nodes, classes))
	done(t, "train", "--tu", own, "--folds", "2", "--epochs", "1", "--out", out)
	model := filepath.Join(out, "models", "OWN-nkf")
	predict := func(name string, files map[string]string, args ...string) (int, string, string) {
		line := []string{"predict", "--model", model, "--tu", writeGraphs(t, name, files)}
		return nkf(t, append(line, args...)...)
	}
	const told = "graphs with a label are right"
	code, _, stderr := predict("SAME", chains([]int{1, 5}, []int{0, 1}))
	require.Equal(t, exitDone, code, stderr)
	require.Equal(t, 1, strings.Count(stderr, "nkf: "), "nothing to say but the score: %s", stderr)
	require.Contains(t, stderr, told)

	// 3 lies between the labels of the model and has a column, 9 has none.
	code, stdout, stderr := predict("NEW", chains([]int{9, 3, 1}, []int{0, 1, 1}), "--json")
	require.Equal(t, exitDone, code, stderr)
	require.Contains(t, stderr, "NEW: 2 of 6 nodes have node labels that no graph in training had (3, 9)")
	require.Contains(t, stderr, told)
	for i, line := range strings.Split(strings.TrimSpace(stdout), "\n") {
		var p models.Prediction
		require.NoError(t, json.Unmarshal([]byte(line), &p))
		require.Equal(t, []int{1, 1, 0}[i], p.Unseen)
	}

	more := chains([]int{1, 5}, []int{0, 1})
	more["node_attributes"] = "1\n2\n3\n4\n"
	code, _, stderr = predict("MORE", more)
	require.Equal(t, exitDone, code, stderr)
	require.Contains(t, stderr, "MORE: there is node attributes, which the model does not read")

	other := chains([]int{1, 5, 1}, []int{1, 7, -2})
	code, stdout, stderr = predict("OTHER", other)
	require.Equal(t, exitError, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "2 of the 3 graphs of OTHER are of classes that the model of OWN does not "+
		`know ("-2", "7"; it knows "0", "1")`)
	require.Contains(t, stderr, "--no-score")
	code, stdout, stderr = predict("OTHER", other, "--no-score")
	require.Equal(t, exitDone, code, stderr)
	require.Equal(t, 4, strings.Count(stdout, "\n"))
	require.Empty(t, stderr, "no score")

	code, _, stderr = nkf(t, "predict", "--model", model, "--csv", "x", "--smiles", "y", "--no-score")
	require.Equal(t, exitUsage, code, stderr)
}

// TestPredictOtherElements: atoms that the model has not seen are counted and told.
func TestPredictOtherElements(t *testing.T) {
	onGo(t)
	folder, out := t.TempDir(), t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	own := "smiles,kind\n"
	for i := range 24 {
		own += fmt.Sprintf("%s%s,%d\n", strings.Repeat("C", i+1), []string{"O", "N"}[i%2], i%2)
	}
	done(t, "train", "--csv", write("own.csv", own), "--smiles", "smiles", "--label",
		"kind", "--folds", "2", "--epochs", "1", "--out", out)
	predict := func(path string) (stdout, stderr string) {
		stdout, stderr = done(t, "predict", "--model", filepath.Join(out, "models", "own-kind-nkf"),
			"--csv", path, "--smiles", "smiles", "--json")
		return stdout, stderr
	}
	stdout, stderr := predict(write("new.csv", "smiles\nCCO\nBrCBr\nCCSCBr\n"))
	require.Contains(t, stderr, "new: 2 of 3 molecules hold elements that no molecule in training "+
		"had (S, Br)")
	for i, line := range strings.Split(strings.TrimSpace(stdout), "\n") {
		var p models.Prediction
		require.NoError(t, json.Unmarshal([]byte(line), &p))
		require.Equal(t, []int{0, 2, 2}[i], p.Unseen)
	}
	_, stderr = predict(write("same.csv", "smiles\nCCO\nCN\n"))
	require.Empty(t, stderr)
}

// alcohols is a file of molecules with identifiers, of which one is refused.
func alcohols(separator string) string {
	text := "smiles,id,kind\nC(,broken,1\n"
	for i := range 24 {
		text += fmt.Sprintf("%s%s,m-%d,%d\n", strings.Repeat("C", i+1), []string{"O", "N"}[i%2], i, i%2)
	}
	return strings.ReplaceAll(text, ",", separator)
}

// TestPredictOutput: identifiers and probabilities as text and as JSON, from
// files with any separator and from standard input, to files that appear whole.
func TestPredictOutput(t *testing.T) {
	onGo(t)
	folder := t.TempDir()
	path, out := filepath.Join(folder, "own.csv"), filepath.Join(folder, "results")
	require.NoError(t, os.WriteFile(path, []byte(alcohols(",")), 0o600))
	_, stderr := done(t, "train", "--csv", path, "--smiles", "smiles", "--label", "kind", "--folds", "2",
		"--epochs", "1", "--out", out)
	require.Contains(t, stderr, "1 of 25 rows left out, with no molecule\n  row 0, line 2: ")
	model := filepath.Join(out, "models", "own-kind-nkf")
	predict := func(stdin string, args ...string) (stdout, stderr string) {
		t.Helper()
		line := append([]string{"predict", "--model", model, "--smiles", "smiles"}, args...)
		code, stdout, stderr, _ := call(stdin, line...)
		require.Equal(t, exitDone, code, stderr)
		return stdout, stderr
	}
	want, _ := predict("", "--csv", path, "--id", "id")
	rows := strings.Split(strings.TrimSpace(want), "\n")
	require.Len(t, rows, 25)
	require.Equal(t, "row\tid\tkind\tP(0)\tP(1)", rows[0])
	for i, row := range rows[1:] {
		fields := strings.Split(row, "\t")
		require.Equal(t, []string{strconv.Itoa(i + 1), fmt.Sprint("m-", i)}, fields[:2])
		p, err := strconv.ParseFloat(fields[3], 64)
		require.NoError(t, err)
		q, err := strconv.ParseFloat(fields[4], 64)
		require.NoError(t, err)
		require.InDelta(t, 1, p+q, 1e-5, "six digits")
		require.Equal(t, map[bool]string{true: "0", false: "1"}[p > q], fields[2])
	}

	// The same molecules in other ways.
	for separator, name := range map[string]string{";": "semicolon", "\t": "tab", "|": "|", ",": "comma"} {
		args := []string{"--csv", "-", "--id", "ID", "--separator", name}
		got, stderr := predict(alcohols(separator), args...)
		require.Equal(t, strings.Replace(want, "\tid\t", "\tID\t", 1), got, name)
		require.Contains(t, stderr, "nkf: stdin: 1 of 25 rows left out, with no molecule")
		if separator == "|" {
			continue
		}
		got, _ = predict(alcohols(separator), "--csv", "-", "--id", "id")
		require.Equal(t, want, got, "found in the first line: %s", name)
	}
	file := filepath.Join(folder, "new", "out.tsv")
	stdout, _ := predict("", "--csv", path, "--id", "id", "--out", file)
	require.Empty(t, stdout)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, want, string(text))

	stdout, _ = predict("", "--csv", path, "--id", "id", "--json")
	var p struct {
		models.Prediction
		ID      string
		Classes []string
	}
	require.NoError(t, json.Unmarshal([]byte(stdout[:strings.Index(stdout, "\n")]), &p))
	require.Equal(t, "m-0", p.ID)
	require.Equal(t, []string{"0", "1"}, p.Classes)
	require.Len(t, p.Probabilities, 2)

	// A model is its folder, or its file; neither is written over, as little as what is read.
	folderOf := model
	model = filepath.Join(model, "model.json")
	stdout, _ = predict("", "--csv", path, "--id", "id")
	require.Equal(t, want, stdout)
	for _, name := range []string{model, folderOf} {
		for _, kept := range []string{path, model} {
			line := []string{"predict", "--model", name, "--csv", path, "--smiles", "smiles", "--out", kept}
			fails(t, "--out "+kept+" is the file that is read", line...)
		}
	}
	_, err = models.Read(folderOf)
	require.NoError(t, err)
	fails(t, `no column is called "name"`, "predict", "--model", model, "--csv", path, "--smiles",
		"smiles", "--id", "name")
}

// words are a kind of data of a user's own: lines of a class and a text, which becomes the path of its
// letters.
type words struct{ classes, texts []string }

func (w *words) Kind() string { return "words" }
func (w *words) Len() int     { return len(w.texts) }

func (w *words) Describe() datasets.Info {
	return datasets.Info{Name: "words", SHA256: strings.Join(w.texts, " "), Classes: []string{"a", "b"}}
}

func (w *words) Row(g int) []datasets.Field {
	return []datasets.Field{{Name: "word", Column: "word", Value: w.texts[g]}}
}

func (w *words) Encoder(string) (datasets.Encoder, error) { return alphabet{First: 'a'}, nil }

// alphabet is the encoder of words.
type alphabet struct{ First rune }

func (e alphabet) Check() error { return nil }

func (e alphabet) Encode(s datasets.Source) (*datasets.Collection, error) {
	w := s.(*words)
	b := datasets.NewBuilder(2)
	b.Info = w.Describe()
	for g, text := range w.texts {
		var points []float64
		for i, letter := range text {
			points = append(points, float64(i), float64(letter-e.First))
		}
		b.AddPath(points, float64(strings.Index("ab", w.classes[g])))
	}
	return b.Collection()
}

// TestOwnKind: one more kind of data takes a line: it can be trained on, and predicted.
func TestOwnKind(t *testing.T) {
	onGo(t)
	t.Chdir(t.TempDir())
	before := models.Kinds
	defer func() { models.Kinds = before }()
	models.Kinds = append(before[:len(before):len(before)], models.Kind{Name: "words", Flags: "--words",
		Help: "file of words", Model: "nkf", Metric: "accuracy",
		Open: func(place string) (datasets.Source, error) {
			text, err := os.ReadFile(place)
			w := &words{}
			for line := range strings.Lines(string(text)) {
				class, word, _ := strings.Cut(strings.TrimSpace(line), " ")
				w.classes, w.texts = append(w.classes, class), append(w.texts, word)
			}
			return w, err
		},
		Encoder: func() datasets.Encoder { return &alphabet{} }})
	var text string
	for i := range 20 {
		text += fmt.Sprintf("%c %s\n", "ab"[i%2], strings.Repeat("xa"[i%2:i%2+1], 3+i/2))
	}
	require.NoError(t, os.WriteFile("words.txt", []byte(text), 0o666))
	done(t, strings.Fields("train --words words.txt --folds 2 --epochs 20 --out .")...)
	const predict = "predict --model models/words-nkf "
	stdout, stderr := done(t, strings.Fields(predict+"--words words.txt --json")...)
	require.Contains(t, stderr, "of 20 words with a label are right")
	require.Equal(t, 20, strings.Count(stdout, "\n"))
	var p struct{ Word, Class, Label string }
	require.NoError(t, json.Unmarshal([]byte(stdout[:strings.Index(stdout, "\n")]), &p))
	require.Equal(t, []string{"xxx", "a"}, []string{p.Word, p.Label})
	fails(t, "was trained on the words of words: give it --words",
		strings.Fields(predict+"--tu words.txt")...)
}
