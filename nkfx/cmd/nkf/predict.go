package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// prediction is what the command predict is asked for.
type prediction struct {
	model   string
	graphs  string  // path, or ""
	meshes  string  // path, or ""
	file    csvFile // of molecules, if there are any
	paths   pathFile
	noScore bool
	out     string // file, or "" for standard output
}

// subject is data to predict, and how what the model says is written.
type subject struct {
	path    string // of the data
	columns []string
	predict func(context.Context, *models.Predictor) ([]models.Prediction, error)
	row     func(g int, p models.Prediction) (value any, fields []string) // as JSON, and of the columns
	told    func()                                                        // when all is written
}

// predict returns the command that applies a saved model.
func (a *app) predict() *cobra.Command {
	x := &prediction{}
	cmd := a.command("predict --model DIR {--tu FILE|DIR | --csv FILE --smiles COLUMN | --mesh PATH |\n"+
		"              --ts FILE | --tracks PATH [--id COLUMN --x COLUMN --y COLUMN]}",
		"Predict classes or numbers with a model that `nkf train` saved",
		"There is a line for every graph, molecule, mesh or path, columns separated by tabs, with the most\n"+
			"probable class and the probability of each, or with the number or the probability of 1\n"+
			"that is to be learned of each column. Of a model of vertices or faces of meshes there is one\n"+
			"for each of these.",
		func(ctx context.Context, _ []string) error { return a.predictWith(ctx, x) })
	addText(cmd, &x.model, "model", "DIR", "folder of the model, or its model.json", completeModels)
	addText(cmd, &x.graphs, "tu", "PATH", tuHelp)
	addText(cmd, &x.meshes, "mesh", "PATH", "a triangle mesh, folder or zip archive of meshes, or CSV file "+
		"whose first column names them")
	x.file.add(cmd)
	x.paths.add(cmd)
	addText(cmd, &x.file.columns.ID, "id", "COLUMN",
		"`COLUMN` that says what molecules and tracks are called, to be repeated", x.complete)
	cmd.Flags().BoolVar(&x.noScore, "no-score", false,
		"of graphs and time series: do not compare with their classes, which may be others than the model's")
	addText(cmd, &x.paths.columns.Label, "label", "COLUMN", "of tracks: compare with this `COLUMN`",
		x.paths.complete)
	addText(cmd, &x.out, "out", "FILE", "write to this `FILE` instead of standard output")
	must(cmd.MarkFlagRequired("model"))
	oneOfWays(cmd, way{flag: "tu", takes: []string{"no-score"}},
		way{flag: "csv", needs: []string{"smiles"}, takes: []string{"separator", "id"}},
		way{flag: "mesh"},
		way{flag: "ts", takes: []string{"no-score"}}, way{flag: "tracks", takes: trackFlags})
	check(cmd, func() error {
		x.paths.columns.ID, x.paths.columns.Separator = x.file.columns.ID, x.file.columns.Separator
		return x.paths.check()
	})
	return a.withJSON(cmd)
}

// complete completes the name of a column of molecules or of tracks.
func (x *prediction) complete(*cobra.Command, []string, string) ([]cobra.Completion,
	cobra.ShellCompDirective) {
	return slices.Concat(x.file.names(), x.paths.names()), cobra.ShellCompDirectiveNoFileComp
}

// predictWith writes what a model says of all data, when all that can be checked before is.
func (a *app) predictWith(ctx context.Context, x *prediction) error {
	file := modelFile(x.model)
	model, err := models.Read(filepath.Dir(file))
	if err != nil {
		return err
	}
	open, of, flags, given := a.graphs, "graphs", "--tu", x.graphs
	switch {
	case model.Preparation != nil:
		open, of, flags, given = a.pathsOf, "paths", "--ts or --tracks", x.paths.file()
	case model.Mesh != mesh.Options{}:
		open, of, flags, given = a.meshesOf, "meshes", "--mesh", x.meshes
	case model.Features != "":
		open, of, flags, given = a.moleculesOf, "molecules", "--csv and --smiles", x.file.path
	}
	if given == "" {
		return fmt.Errorf("%s was trained on the %s of %s: give it %s", x.model, of,
			datasets.Printable(model.Dataset), flags)
	}
	s, err := open(model, x)
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
	predictions, err := s.predict(ctx, predictor)
	end()
	if err != nil {
		return err
	}
	err = a.writeTo(x.out, []string{s.path, file}, func(w io.Writer) error {
		write := func(value any, fields []string) error {
			if a.asJSON {
				return writeJSON(w, value)
			}
			for i, field := range fields {
				fields[i] = datasets.Printable(field)
			}
			_, err := fmt.Fprintln(w, strings.Join(fields, "\t"))
			return err
		}
		if !a.asJSON {
			if err := write(nil, s.columns); err != nil {
				return err
			}
		}
		for g, p := range predictions {
			if err := write(s.row(g, p)); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		s.told()
	}
	return err
}

// modelFile returns the file of a model, which can be given as well as the folder that it is in.
func modelFile(path string) string {
	const name = "model.json"
	info, err := os.Stat(path)
	if err == nil && info.Mode().IsRegular() && filepath.Base(path) == name {
		return path
	}
	return filepath.Join(path, name)
}

// completeModels offers the models in the usual folder for results, and else files.
func completeModels(_ *cobra.Command, _ []string, text string) ([]cobra.Completion,
	cobra.ShellCompDirective) {
	paths, _ := filepath.Glob(filepath.Join("results", "models", "*", "model.json"))
	var found []cobra.Completion
	for _, path := range paths {
		if folder := filepath.Dir(path); strings.HasPrefix(folder, text) {
			found = append(found, folder)
		}
	}
	return found, cobra.ShellCompDirectiveDefault
}

// graphs returns the graphs of a data set. It reports the accuracy if they are labeled, unless the user asks
// for no score.
func (a *app) graphs(model *models.Saved, x *prediction) (*subject, error) {
	end := a.during("reading " + x.graphs)
	archive, err := tu.Open(x.graphs)
	end()
	if err != nil {
		return nil, err
	}
	if err := a.tellMismatch(model, archive, x.noScore); err != nil {
		return nil, err
	}
	right := 0
	return &subject{
		path:    x.graphs,
		columns: slices.Concat([]string{"graph", "class"}, probabilities(model.Classes)),
		predict: func(ctx context.Context, p *models.Predictor) ([]models.Prediction, error) {
			return p.PredictGraphs(ctx, archive)
		},
		row: func(g int, p models.Prediction) (any, []string) {
			row := graphRow{Graph: g, Prediction: p}
			if archive.GraphLabels != nil {
				row.Label = strconv.Itoa(archive.GraphLabels[g])
			}
			if row.Label == p.Class {
				right++
			}
			return row, append([]string{strconv.Itoa(g), p.Class}, texts(p.Probabilities)...)
		},
		told: func() {
			if known := len(archive.GraphLabels); known > 0 && !x.noScore {
				fmt.Fprintf(a.stderr, "nkf: %d of %d graphs with a label are right, %.2f %%\n",
					right, known, 100*float64(right)/float64(known))
			}
		},
	}, nil
}

// graphRow is a prediction as JSON.
type graphRow struct {
	Graph int `json:"graph"` // from 0, in the order of the files
	models.Prediction
	Label string `json:"label,omitempty"` // the true one where it is known
}

// probabilities are the names of columns with the probabilities of classes.
func probabilities(classes []string) []string {
	names := make([]string, len(classes))
	for i, class := range classes {
		names[i] = "P(" + class + ")"
	}
	return names
}

// texts returns numbers as texts of six digits.
func texts(numbers []float64) []string {
	out := make([]string, len(numbers))
	for i, x := range numbers {
		out[i] = strconv.FormatFloat(x, 'g', 6, 64)
	}
	return out
}

// tellMismatch says what the model cannot know of a data set. Classes that are not its own are an error
// where they are to be compared.
func (a *app) tellMismatch(model *models.Saved, archive *tu.Archive, noScore bool) error {
	x, err := model.Compare(archive)
	if err != nil {
		return err
	}
	name, trained := archive.Name, datasets.Printable(model.Dataset)
	if x.Graphs > 0 && !noScore {
		return fmt.Errorf("%d of the %d graphs of %s are of classes that the model of %s does not know (%s; "+
			"it knows %s): give it other graphs, or --no-score to predict without comparing", x.Graphs,
			archive.Graphs(), name, trained, quotedSome(x.Classes), quotedSome(model.Classes))
	}
	for _, note := range x.Notes {
		fmt.Fprintf(a.stderr, "nkf: %s: %s\n", name, note)
	}
	return nil
}

// moleculesOf returns the molecules of a file. Their rows have the number in the file, what they are called,
// and the class or the value of every task.
func (a *app) moleculesOf(model *models.Saved, x *prediction) (*subject, error) {
	molecules, err := a.readMolecules(x.file.path, x.file.columns)
	if err != nil {
		return nil, err
	}
	a.tellSkipped(molecules)
	if elements, count := model.UnseenElements(molecules); count > 0 {
		fmt.Fprintf(a.stderr, "nkf: %s: %d of %d molecules hold elements that no molecule of %s had (%s), "+
			"of which the model can know nothing\n", molecules.Name, count, molecules.Len(),
			datasets.Printable(model.Dataset), some(elements))
	}
	columns := []string{"row"}
	if molecules.IDs != nil {
		columns = append(columns, x.file.columns.ID)
	}
	if columns = append(columns, model.Tasks...); model.Tasks == nil {
		columns = append(append(columns, cmp.Or(model.Label, "class")), probabilities(model.Classes)...)
	}
	return &subject{
		path: x.file.path, columns: columns,
		predict: func(ctx context.Context, p *models.Predictor) ([]models.Prediction, error) {
			return p.PredictMolecules(ctx, molecules)
		},
		row: func(g int, p models.Prediction) (any, []string) {
			row := moleculeRow{Row: molecules.Rows[g], SMILES: molecules.SMILES[g], Prediction: p}
			fields := []string{strconv.Itoa(int(row.Row))}
			if molecules.IDs != nil {
				row.ID = molecules.IDs[g]
				fields = append(fields, row.ID)
			}
			if model.Tasks == nil {
				row.Classes = model.Classes
				fields = append(append(fields, p.Class), texts(p.Probabilities)...)
			}
			for _, task := range model.Tasks {
				fields = append(fields, texts([]float64{p.Values[task]})...)
			}
			return row, fields
		},
		told: func() {},
	}, nil
}

// moleculeRow is a prediction as JSON.
type moleculeRow struct {
	Row    int32  `json:"row"` // of the file, from 0
	SMILES string `json:"smiles"`
	models.Prediction
	ID      string   `json:"id,omitempty"`
	Classes []string `json:"classes,omitempty"` // of the probabilities
}
