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
	data, score, err := x.open(place, model)
	if err != nil {
		return err
	}
	novelty, err := model.Compare(data)
	if err != nil {
		return err
	}
	backend, err := a.backend()
	if err != nil {
		return err
	}
	predictor, err := model.On(backend)
	if err != nil {
		return err
	}
	end := a.during("predicting")
	predictions, err := predictor.Predict(ctx, data)
	end()
	if err == nil && score {
		err = unknownClasses(model, data, predictions)
	}
	if err != nil {
		return err
	}
	for _, note := range novelty.Notes {
		a.note(data.Describe().Name, "%s", note)
	}
	err = a.writeTo(x.out, []string{place, file}, func(w io.Writer) error {
		return a.writePredictions(w, model, data, predictions)
	})
	if err == nil && score {
		a.reportScore(model, data, predictions)
	}
	return err
}

// open reads the data for a model, and reports whether predictions are compared with them.
func (x *prediction) open(place string, model *models.Saved) (_ datasets.Source, score bool, err error) {
	if kind := model.Encoder.Kind; kind != x.kind.Name {
		return nil, false, fmt.Errorf("%s was trained on the %s of %s, and predicts %[2]s, not %[4]s",
			x.model, kind, fileio.Printable(model.Dataset), x.kind.Name)
	}
	data, err := x.source.open(place, model)
	if err != nil {
		return nil, false, err
	}
	info := data.Describe()
	score = !x.noScore && (info.Classes != nil || info.Tasks != nil)
	if score && (info.Tasks != nil) != (model.Tasks != nil) {
		return nil, false, fmt.Errorf("%s and the model of %s: one has classes, the other numbers "+
			"(--no-score does not compare)", info.Name, fileio.Printable(model.Dataset))
	}
	return data, score, nil
}

// unknownClasses returns an error for classes that are none of the model's.
func unknownClasses(model *models.Saved, data datasets.Source, predictions []models.Prediction) error {
	var strange []string
	count := 0
	for _, p := range predictions {
		if p.Label != "" && !slices.Contains(model.Classes, p.Label) {
			count++
			strange = append(strange, p.Label)
		}
	}
	if count == 0 || model.Tasks != nil {
		return nil
	}
	slices.Sort(strange)
	return fmt.Errorf("%d of the %d %s of %s are of classes that the model of %s does not know (%s; "+
		"it knows %s): give it other %[3]s, or --no-score to predict without comparing", count, data.Len(),
		data.Kind(), fileio.Printable(data.Describe().Name), fileio.Printable(model.Dataset),
		fileio.Quoted(slices.Compact(strange)), fileio.Quoted(model.Classes))
}

// reportScore reports the accuracy of predictions, or the error of numbers.
func (a *app) reportScore(model *models.Saved, data datasets.Source, predictions []models.Prediction) {
	right, known, count, squares := 0, 0, 0, 0.0
	for _, p := range predictions {
		if p.Label != "" {
			known++
			if p.Label == p.Class {
				right++
			}
		}
		for t, y := range p.Truth {
			if !math.IsNaN(float64(y)) {
				count++
				squares += math.Pow(p.Values[model.Tasks[t]]-float64(y), 2)
			}
		}
	}
	switch {
	case known > 0 && model.Tasks == nil:
		fmt.Fprintf(a.stderr, "nkf: %d of %d %s with a label are right, %.2f %%\n", right, known, data.Kind(),
			100*float64(right)/float64(known))
	case count > 0 && model.Regression:
		fmt.Fprintf(a.stderr, "nkf: root mean square error %.6g\n", math.Sqrt(squares/float64(count)))
	}
}

// writePredictions writes a line for each prediction, as JSON or below the names of columns.
func (a *app) writePredictions(w io.Writer, model *models.Saved, data datasets.Source,
	predictions []models.Prediction) error {
	for i, p := range predictions {
		name := data.Row(i)
		if a.asJSON {
			if err := writeJSON(w, predicted{name, p, model.Classes}); err != nil {
				return err
			}
			continue
		}
		head, row := columns(model, name, p)
		if i == 0 {
			writeRow(w, head)
		}
		writeRow(w, row)
	}
	return nil
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

// writeRow writes fields; the buffer of writeTo keeps an error. What a spreadsheet would take for a formula gets
// an apostrophe before it, which makes it text there.
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
