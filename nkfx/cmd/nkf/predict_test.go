package main

import (
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
func writeGraphs(t *testing.T, name string, files map[string]string) {
	t.Helper()
	for kind, text := range files {
		put(t, filepath.Join(name, name+"_"+kind+".txt"), text)
	}
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
	workshop(t)
	var nodes, classes []int
	for g := range 40 {
		nodes, classes = append(nodes, 1+4*(g%2)), append(classes, g%2) // labels 1 and 5
	}
	writeGraphs(t, "OWN", chains(nodes, classes))
	done(t, "train graphs OWN --folds 2 --epochs 1 --out .")
	const predict = "predict graphs --model models/OWN-nkf "
	const told = "graphs with a label are right"
	writeGraphs(t, "SAME", chains([]int{1, 5}, []int{0, 1}))
	_, stderr := done(t, predict+"SAME")
	require.Equal(t, 1, strings.Count(stderr, "nkf: "), "nothing to say but the score: %s", stderr)
	require.Contains(t, stderr, told)

	// 3 lies between the labels of the model and has a column, 9 has none.
	writeGraphs(t, "NEW", chains([]int{9, 3, 1}, []int{0, 1, 1}))
	stdout, stderr := done(t, predict+"NEW --json")
	require.Contains(t, stderr, "NEW: 2 of 6 nodes have node labels that no graph in training had (3, 9)")
	require.Contains(t, stderr, told)
	for i, p := range rows[models.Prediction](t, stdout) {
		require.Equal(t, []int{1, 1, 0}[i], p.Unseen)
	}

	more := chains([]int{1, 5}, []int{0, 1})
	more["node_attributes"] = "1\n2\n3\n4\n"
	writeGraphs(t, "MORE", more)
	_, stderr = done(t, predict+"MORE")
	require.Contains(t, stderr, "MORE: there is node attributes, which the model does not read")

	writeGraphs(t, "OTHER", chains([]int{1, 5, 1}, []int{1, 7, -2}))
	stderr = fails(t, "2 of the 3 graphs of OTHER are of classes that the model of OWN does not "+
		`know ("-2", "7"; it knows "0", "1")`, predict+"OTHER")
	require.Contains(t, stderr, "--no-score")
	stdout, stderr = done(t, predict+"OTHER --no-score")
	require.Equal(t, 4, strings.Count(stdout, "\n"))
	require.Empty(t, stderr, "no score")
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
// files with any separator and from standard input.
func TestPredictOutput(t *testing.T) {
	workshop(t)
	put(t, "own.csv", alcohols(","))
	_, stderr := done(t, "train molecules own.csv --smiles smiles --label kind --folds 2 --epochs 1 --out .")
	require.Contains(t, stderr, "1 of 25 rows left out, with no molecule\n  row 0, line 2: ")
	const model = "models/own-kind-nkf"
	const file, predict = model + "/model.json", "predict molecules --smiles smiles --model " + model
	want, _ := done(t, predict+" own.csv --id id")
	lines := strings.Split(strings.TrimSpace(want), "\n")
	require.Len(t, lines, 25)
	require.Equal(t, "row\tid\tkind\tP(0)\tP(1)", lines[0])
	for i, row := range lines[1:] {
		fields := strings.Split(row, "\t")
		require.Equal(t, []string{strconv.Itoa(i + 1), fmt.Sprint("m-", i)}, fields[:2])
		p := sure(strconv.ParseFloat(fields[3], 64))
		q := sure(strconv.ParseFloat(fields[4], 64))
		require.InDelta(t, 1, p+q, 1e-5, "six digits")
		require.Equal(t, map[bool]string{true: "0", false: "1"}[p > q], fields[2])
	}

	// The same molecules in other ways.
	for _, separator := range []string{";", "\t", "|", ","} {
		said := ""
		if separator == "|" {
			said = "sep=|\n"
		}
		_, got, stderr, _ := call(said+alcohols(separator), predict+" - --id ID")
		if separator != "|" { // a line more
			require.Contains(t, stderr, "nkf: stdin: 1 of 25 rows left out, with no molecule")
		}
		require.Equal(t, strings.Replace(want, "\tid\t", "\tID\t", 1), got, separator)
	}
	stdout, _ := done(t, predict+" own.csv --id id --json")
	type named struct {
		models.Prediction
		ID      string
		Classes []string
	}
	p := rows[named](t, stdout)[0]
	require.Equal(t, "m-0", p.ID)
	require.Equal(t, []string{"0", "1"}, p.Classes)
	require.Len(t, p.Probabilities, 2)

	// Atoms that the model has not seen are counted and told.
	put(t, "new.csv", "smiles\nCCO\nBrCBr\nCCSCBr\n")
	stdout, stderr = done(t, predict+" new.csv --json")
	require.Contains(t, stderr, "new: 2 of 3 molecules hold elements that no molecule in training had (S, ")
	for i, p := range rows[models.Prediction](t, stdout) {
		require.Equal(t, []int{0, 2, 2}[i], p.Unseen)
	}

	// A model is its folder, or its file; neither is written over, as little as what is read.
	stdout, _ = done(t, predict+"/model.json own.csv --id id")
	require.Equal(t, want, stdout)
	for _, line := range []string{predict, predict + "/model.json"} {
		for _, kept := range []string{"own.csv", file} {
			fails(t, "--out "+kept+" is the file that is read", line+" own.csv --out", kept)
		}
	}
	sure(models.Read(model))
	fails(t, `no column is called "name"`, predict+" own.csv --id name")
}

// words are a kind of data of a user's own: lines of a class and a text, which becomes the path of its
// letters.
type words struct{ classes, texts []string }

func (w *words) Kind() string { return "words" }
func (w *words) Len() int     { return len(w.texts) }

func (w *words) Describe() datasets.Info {
	return datasets.Info{Name: "words", SHA256: strings.Join(w.texts, " "), Classes: []string{"a", "b"},
		Notes: []string{fmt.Sprintf("%d lines", len(w.texts))}}
}

func (w *words) Row(g int) []datasets.Field {
	return []datasets.Field{{Name: "word", Column: "word", Value: w.texts[g]}}
}

func (w *words) Encoder(string, []int32) (datasets.Encoder, error) { return alphabet{First: 'a'}, nil }

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

// TestPredictInParts: a file of several parts has a line for each molecule, in its order, as molecules alone
// have, and the notes of a whole; after an error in the last part there is no output.
func TestPredictInParts(t *testing.T) {
	workshop(t)
	put(t, "a.csv", alcohols(","))
	done(t, "train molecules a.csv --smiles smiles --label kind --folds 2 --epochs 1 --out .")
	const predict = " --smiles smiles --model models/a-kind-nkf "
	some := []string{"CCO", "CBr", "C(", "CCCCO", "CCBr"}
	put(t, "few.csv", "smiles\n"+strings.Join(some, "\n")+"\n")
	put(t, "many.csv", "smiles\n"+strings.Repeat(strings.Join(some, "\n")+"\n", 2000))
	few, _ := done(t, "predict molecules few.csv --json"+predict)
	many, stderr := done(t, "predict molecules many.csv --json"+predict)
	require.Contains(t, stderr,
		"many: 2000 of 10,000 rows left out, with no molecule\n  row 2, line 4")
	require.Contains(t, stderr,
		"many: 4000 of 8000 molecules hold elements that no molecule in training had (Br)")
	type row struct {
		Row    int
		SMILES string
		models.Prediction
	}
	want, got := rows[row](t, few), rows[row](t, many)
	require.Len(t, got, 8000)
	for i, r := range got {
		alone := want[i%4]
		alone.Row += i / 4 * 5
		require.Equal(t, []any{alone.Row, alone.SMILES, alone.Unseen}, []any{r.Row, r.SMILES, r.Unseen})
		require.InDeltaSlice(t, alone.Probabilities, r.Probabilities, 1e-5)
	}
	put(t, "bad.csv", "smiles\n"+strings.Repeat("CCO\n", 9000)+"\"CC\n")
	fails(t, "bad.csv", "predict molecules bad.csv --out bad.tsv"+predict)
	require.NoFileExists(t, "bad.tsv")
}

// TestPredictManyInParts: graphs, series and the paths of a table of several parts are predicted as few are,
// and counted together.
func TestPredictManyInParts(t *testing.T) {
	workshop(t)
	many := func(count int) {
		var nodes, classes []int
		ts, table := "@classLabel true a b\n@data\n", "id,x,y\n"
		for g := range count {
			nodes, classes = append(nodes, 1+4*(g%2)), append(classes, g%2)
			ts += fmt.Sprintf("%d,2,%d:%c\n", g%2, g%3, "ab"[g%2])
			table += fmt.Sprintf("p%d,%d,%c\np%d,%d,%[3]c\n", g, g%2, "ab"[g%2], g, g%3)
		}
		writeGraphs(t, fmt.Sprint("G", count), chains(nodes, classes))
		put(t, fmt.Sprint(count, ".ts"), ts)
		put(t, fmt.Sprint(count, ".csv"), table)
	}
	many(36)
	many(9000)
	const columns = " --id id --coordinates x --label y"
	for kind, c := range map[string]struct{ place, more, model string }{
		"graphs": {"G%d", "", "G36-nkf"}, "paths ": {"%d.ts", "", "36-nkf"},
		"paths": {"%d.csv", columns, "36-y-nkf"},
	} {
		data := func(count int) string { return kind + " " + fmt.Sprintf(c.place, count) + c.more }
		done(t, "train "+data(36)+" --model nkf --folds 2 --epochs 1 --out .")
		predict := "predict " + data(36) + " --json --model models/" + c.model
		few, _ := done(t, predict)
		out, stderr := done(t, strings.Replace(predict, data(36), data(9000), 1))
		require.Contains(t, stderr, "of 9000 "+strings.TrimSpace(kind)+" with a label are right")
		type row struct {
			Graph, Path int
			ID          string
			models.Prediction
		}
		want, got := rows[row](t, few), rows[row](t, out)
		require.Len(t, got, 9000)
		for i, r := range got {
			alone := want[i%36]
			require.Equal(t, i, r.Graph+r.Path)
			require.Equal(t, alone.Label, r.Label)
			require.InDeltaSlice(t, alone.Probabilities, r.Probabilities, 1e-5)
		}
	}
}

// TestOwnKind: one more kind of data takes a line: it can be trained on, and predicted.
func TestOwnKind(t *testing.T) {
	workshop(t)
	before := models.Kinds
	defer func() { models.Kinds = before }()
	models.Kinds = append(before[:len(before):len(before)], models.Kind{Name: "words", Place: "FILE",
		Help: "has words", Model: "nkf", Metric: "accuracy",
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
	put(t, "words.txt", text)
	_, stderr := done(t, "train words words.txt --folds 2 --epochs 20 --out .")
	require.Contains(t, stderr, "nkf: words: 20 lines\n")
	const model = " --model models/words-nkf"
	stdout, stderr := done(t, "predict words words.txt --json"+model)
	require.Contains(t, stderr, "of 20 words with a label are right")
	predicted := rows[struct{ Word, Class, Label string }](t, stdout)
	require.Len(t, predicted, 20)
	require.Equal(t, []string{"xxx", "a"}, []string{predicted[0].Word, predicted[0].Label})
	fails(t, "trained on the words of words, and predicts words, not graphs",
		"predict graphs words.txt"+model)
}

// TestPredictionsInSpreadsheets: formulas become text, numbers stay, and no two columns have one name.
func TestPredictionsInSpreadsheets(t *testing.T) {
	model := &models.Saved{}
	model.Label, model.Classes = "y", []string{"-1", "@SUM(A1)"}
	name := []datasets.Field{{Column: "row", Value: -3}, {Column: "y", Value: "=1+1"}}
	prediction := models.Prediction{Class: "@SUM(A1)", Probabilities: []float64{0.25, 0.75}}
	head, row := columns(model, name, prediction)
	var out strings.Builder
	writeRow(&out, head)
	writeRow(&out, row)
	require.Equal(t, "row\ty\tpredicted y\tP(-1)\tP(@SUM(A1))\n-3\t'=1+1\t'@SUM(A1)\t0.25\t0.75\n",
		out.String())
	out.Reset()
	writeRow(&out, []string{"-1e-05", "+2", "-Inf", "=cmd|'/c calc'!A1", "\t=1", "+a", "-b", "a=b", ""})
	require.Equal(t, "-1e-05\t+2\t-Inf\t'=cmd|'/c calc'!A1\t\\t=1\t'+a\t'-b\ta=b\t\n", out.String())
}
