package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// prediction is what the command predict is asked for.
type prediction struct {
	kind    models.Kind
	source  *source
	model   string
	noScore bool
	out     string // file, or "" for standard output
}

// predict returns the commands that apply a saved model.
func (a *app) predict() *cobra.Command {
	return a.group("predict", "Predict classes or numbers with a model that `nkf train` saved",
		kindCommands(a.predictKind)...)
}

// predictKind returns the command that applies a saved model to data of a kind.
func (a *app) predictKind(kind models.Kind) *cobra.Command {
	x := &prediction{kind: kind}
	cmd := a.command(kind.Name+" "+kind.Place, "Predict the classes or numbers of "+kind.Name,
		kind.Place+" "+kind.Help+".\n\n"+
			"There is a line for each of them: columns separated by tabs, with the most probable class and\n"+
			"the probability of each, or the number or probability of each column that the model learned.",
		func(ctx context.Context, args []string) error { return a.predictWith(ctx, x, args[0]) })
	addText(cmd, &x.model, "model", "DIR", "folder of the model, or its model.json")
	must(cmd.RegisterFlagCompletionFunc("model", completeModels))
	must(cmd.MarkFlagRequired("model"))
	if kind.Name != "molecules" { // whose columns name no classes
		cmd.Flags().BoolVar(&x.noScore, "no-score", false,
			"do not compare with the classes of the data, which may differ from the model's")
	}
	x.source = newSource(a, cmd, kind, nil)
	addText(cmd, &x.out, "out", "FILE", "write to this `FILE` instead of standard output")
	return a.withJSON(cmd)
}

// predictWith writes the predictions of a model, after checking everything that can be checked before.
func (a *app) predictWith(ctx context.Context, x *prediction, place string) error {
	file := modelFile(x.model)
	model, err := models.Read(filepath.Dir(file))
	if err != nil {
		return err
	}
	if kind := model.Encoder.Kind; kind != x.kind.Name {
		return fmt.Errorf("%s was trained on the %s of %s, and predicts %[2]s, not %[4]s",
			x.model, kind, fileio.Printable(model.Dataset), x.kind.Name)
	}
	t := &telling{app: a, model: model, noScore: x.noScore}
	err = a.writeTo(x.out, []string{place, file}, func(w io.Writer) error {
		t.to = w
		line := a.progress()
		defer line.close()
		return x.source.each(place, model, line, func(data datasets.Source, share func(int) float64) error {
			if err := t.begin(data); err != nil {
				return err
			}
			g := 0
			for p, err := range t.predictor.Each(ctx, data) {
				if err == nil {
					err = t.write(data.Row(g), p)
				}
				if err != nil {
					return err
				}
				g++
				line.done(share(g))
			}
			return t.unknown()
		})
	})
	for _, note := range t.novelty.Sentences() {
		if err == nil {
			a.note(t.name, "%s", note)
		}
	}
	if err == nil && t.score {
		t.report()
	}
	return err
}

// telling writes predictions, and compares them with the data where these have classes or numbers.
type telling struct {
	app       *app
	model     *models.Saved
	predictor *models.Predictor // nil before the first data
	noScore   bool
	to        io.Writer
	rows      int // that were written

	name, kind          string // of the data
	novelty             datasets.Novelty
	score               bool
	right, known, count int
	squares             float64
	strange             []string // classes that the model does not know, of each complex
}

// begin begins with some data: all that can be checked before predictions are made.
func (t *telling) begin(data datasets.Source) (err error) {
	info := data.Describe()
	t.name, t.kind = info.Name, data.Kind()
	t.score = !t.noScore && (info.Classes != nil || info.Tasks != nil)
	if t.score && (info.Tasks != nil) != (t.model.Tasks != nil) {
		return fmt.Errorf("%s and the model of %s: one has classes, the other numbers "+
			"(--no-score does not compare)", info.Name, fileio.Printable(t.model.Dataset))
	}
	novelty, err := t.model.Compare(data)
	if err != nil {
		return err
	}
	if t.novelty.Add(novelty); t.predictor != nil {
		return nil
	}
	backend, err := t.app.backend()
	if err == nil {
		t.predictor, err = t.model.On(backend)
	}
	return err
}

// write writes a line for a prediction, as JSON or below the names of columns.
func (t *telling) write(name []datasets.Field, p models.Prediction) error {
	t.compare(p)
	if t.app.asJSON {
		return writeJSON(t.to, predicted{name, p, t.model.Classes})
	}
	head, row := columns(t.model, name, p)
	if t.rows == 0 {
		writeRow(t.to, head)
	}
	t.rows++
	writeRow(t.to, row)
	return nil
}

// compare counts what is right of a prediction.
func (t *telling) compare(p models.Prediction) {
	if p.Label != "" {
		t.known++
		if p.Label == p.Class {
			t.right++
		}
		if t.model.Tasks == nil && !slices.Contains(t.model.Classes, p.Label) {
			t.strange = append(t.strange, p.Label)
		}
	}
	for i, y := range p.Truth {
		if !math.IsNaN(float64(y)) {
			t.count++
			t.squares += math.Pow(p.Values[t.model.Tasks[i]]-float64(y), 2)
		}
	}
}

// unknown returns an error for classes that are none of the model's, unless nothing is compared.
func (t *telling) unknown() error {
	if len(t.strange) == 0 || !t.score {
		return nil
	}
	slices.Sort(t.strange)
	return fmt.Errorf("%d of the %d %s of %s are of classes that the model of %s does not know (%s; "+
		"it knows %s): give it other %[3]s, or --no-score to predict without comparing", len(t.strange),
		t.known, t.kind, fileio.Printable(t.name), fileio.Printable(t.model.Dataset),
		fileio.Quoted(slices.Compact(t.strange)), fileio.Quoted(t.model.Classes))
}

// report reports the accuracy of predictions, or the error of numbers.
func (t *telling) report() {
	switch {
	case t.known > 0 && t.model.Tasks == nil:
		fmt.Fprintf(t.app.stderr, "nkf: %d of %d %s with a label are right, %.2f %%\n", t.right, t.known,
			t.kind, 100*float64(t.right)/float64(t.known))
	case t.count > 0 && t.model.Regression:
		fmt.Fprintf(t.app.stderr, "nkf: root mean square error %.6g\n",
			math.Sqrt(t.squares/float64(t.count)))
	}
}

// columns returns the fields of a prediction, and their names.
func columns(model *models.Saved, name []datasets.Field, p models.Prediction) (head, row []string) {
	add := func(column string, value any) {
		for slices.Contains(head, column) { // a name in the data that is also that of a label
			column = "predicted " + column
		}
		head, row = append(head, column), append(row, fmt.Sprint(value))
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	for _, field := range name {
		if field.Column != "" {
			add(field.Column, field.Value)
		}
	}
	if model.Tasks == nil {
		add(cmp.Or(model.Label, "class"), p.Class)
		for c, class := range model.Classes {
			add("P("+class+")", number(p.Probabilities[c]))
		}
	}
	for _, task := range model.Tasks {
		if model.Regression { // all digits that a number of the network has
			add(task, strconv.FormatFloat(p.Values[task], 'g', -1, 32))
			continue
		}
		add(task, number(p.Values[task]))
	}
	return head, row
}

// writeRow writes fields; the buffer of writeTo keeps an error. What a spreadsheet would take for a formula
// gets an apostrophe before it, which makes it text there.
func writeRow(w io.Writer, fields []string) {
	for i, field := range fields {
		fields[i] = fileio.Printable(field)
		if _, err := strconv.ParseFloat(field, 64); err != nil && strings.IndexAny(field, "=+-@") == 0 {
			fields[i] = "'" + fields[i]
		}
	}
	fmt.Fprintln(w, strings.Join(fields, "\t"))
}

// predicted is a prediction as JSON: what the complex is called, before what the model says of it.
type predicted struct {
	name    []datasets.Field
	p       models.Prediction
	classes []string
}

// MarshalJSON returns one object.
func (x predicted) MarshalJSON() ([]byte, error) {
	text := []byte("{")
	for _, field := range x.name {
		value, err := json.Marshal(map[string]any{field.Name: field.Value})
		if err != nil {
			return nil, err
		}
		text = append(append(text, value[1:len(value)-1]...), ',')
	}
	rest, err := json.Marshal(struct {
		models.Prediction
		Classes []string `json:"classes,omitempty"` // of the probabilities
	}{x.p, x.classes})
	return append(text, rest[1:]...), err
}

// modelFile returns the file of a model, which can be given as well as the folder that it is in.
func modelFile(path string) string {
	info, err := os.Stat(path)
	if err == nil && info.Mode().IsRegular() && filepath.Base(path) == models.File {
		return path
	}
	return filepath.Join(path, models.File)
}

// completeModels offers the models in the usual folder for results, and else files.
func completeModels(_ *cobra.Command, _ []string, text string) ([]cobra.Completion,
	cobra.ShellCompDirective) {
	paths, _ := filepath.Glob(filepath.Join("results", "models", "*", models.File))
	var found []cobra.Completion
	for _, path := range paths {
		if folder := filepath.Dir(path); strings.HasPrefix(folder, text) {
			found = append(found, folder)
		}
	}
	return found, cobra.ShellCompDirectiveDefault
}
