package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// train returns the command that trains on a user's own data.
func (a *app) train() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "train {--tu FILE|DIR | --csv FILE --smiles COLUMN --label COLUMN[,COLUMN…]}",
		Short: "Cross-validate on your own graphs or molecules, then train on all and save the model",
		Args:  cobra.NoArgs,
	}
	flags := cmd.Flags()
	x := experiments.NewTU("", "nkf")
	molecules := experiments.NewMoleculeNet("", "")
	flags.StringVar(&x.Path, "tu", "", "zip archive or folder in the format of TUDataset")
	flags.StringVar(&molecules.Path, "csv", "", "`FILE` of molecules whose first line names the columns")
	flags.StringVar(&molecules.Columns.SMILES, "smiles", "", "`COLUMN` with the SMILES")
	flags.StringSliceVar(&molecules.Columns.Labels, "label", nil,
		"`COLUMN`s with what to learn: one of classes, several of 0 and 1, or numbers; gaps are allowed")
	task := flags.String("task", moleculenet.Automatic.String(),
		"of molecules: automatic, classification or regression")
	flags.StringVar(&molecules.Split, "split", "folds",
		"of molecules: "+strings.Join(experiments.Splits, ", "))
	flags.StringVar(&x.Model, "model", x.Model, strings.Join(experiments.ModelNames(), ", "))
	features := flags.String("features", "", "of graphs: "+featuresHelp+
		" (default automatic); of molecules: numbers or one-hot (default numbers; cochain networks: one-hot)")
	tuFlags(flags, &x)
	name := flags.String("name", "", "name of the model, under models in --out (default DATA-COLUMN-MODEL)")
	asJSON := jsonFlag(cmd)
	cmd.MarkFlagsOneRequired("tu", "csv")
	cmd.MarkFlagsMutuallyExclusive("tu", "csv")
	cmd.MarkFlagsRequiredTogether("csv", "smiles", "label")
	cmd.RunE = a.do(func(ctx context.Context, _ []string) error {
		if err := filled(flags, "tu", "csv", "smiles", "name"); err != nil {
			return err
		}
		if *name != "" {
			if err := experiments.ValidName(*name); err != nil {
				return usage(fmt.Errorf("--name: %w", err))
			}
		}
		if err := positive("seeds", x.Seeds); err != nil {
			return err
		}
		kinds, err := pick("model", []string{x.Model}, experiments.ModelNames())
		if err != nil {
			return err
		}
		if x.Model = kinds[0]; len(kinds) > 1 {
			return usage(errors.New("--model: a saved model is of one kind"))
		}
		if molecules.Path != "" {
			molecules.Model, molecules.Folds, molecules.Seed = x.Model, x.Folds, x.Seed
			molecules.Workers, molecules.Out = x.Workers, x.Out
			molecules.Epochs = x.Epochs
			molecules.Runs = x.Seeds
			if molecules.Columns.Task, err = moleculenet.ParseTask(*task); err != nil {
				return usage(err)
			}
			if molecules.Split, err = pickSplit(molecules.Split); err != nil {
				return err
			}
			if slices.Contains(molecules.Columns.Labels, "") {
				return usage(errors.New("--label names no column"))
			}
			if molecules.Split == "folds" {
				molecules.Runs *= x.Folds
			}
			return a.trainMolecules(ctx, molecules, *features, *name, *asJSON)
		}
		if x.Features, err = tu.ParseFeatures(*features); err != nil {
			return usage(err)
		}
		archive, err := x.Load(ctx)
		if err != nil {
			return err
		}
		training, err := x.Prepare(archive)
		if err != nil {
			return err
		}
		return a.trainModel(ctx, training, x.Out, *name, archive.Name+" "+x.Model, a.printResults, *asJSON)
	})
	return cmd
}

// trainModel trains a model and saves it under a name, or under one that says what it is of. That it can be
// saved is known before anything is trained.
func (a *app) trainModel(ctx context.Context, training *experiments.Training, out, name, what string,
	print func([]*experiments.Result) error, asJSON bool) (err error) {
	folder := training.Folder(out)
	if name != "" {
		folder = filepath.Join(out, "models", name)
	}
	old, err := training.Reserve(folder)
	if err != nil {
		return fmt.Errorf("%w (--name takes one)", err)
	}
	defer func() {
		if err != nil {
			_ = training.Release(folder) // an empty folder does no harm
		}
	}()
	backend, err := nkfx.Backend(nkfx.WithNotice(a.stderr))
	if err != nil {
		return err
	}
	defer backend.Finalize()
	line := a.progress(what)
	result, model, err := training.Run(ctx, backend, line.epoch)
	line.close()
	if err != nil {
		return err
	}
	if err := model.Save(folder); err != nil {
		return err
	}
	if old != nil && old.Settings() != model.Settings() {
		fmt.Fprintf(a.stderr, "nkf: %s held a model with other settings (%s), which is replaced\n", folder,
			old.Settings())
	}
	if asJSON {
		return a.emit(result)
	}
	if err := print([]*experiments.Result{result}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "trained on everything for %d epochs; the model is in %s\n", model.Epochs,
		folder)
	return err
}

// predict returns the command that applies a saved model.
func (a *app) predict() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "predict --model DIR {--tu FILE|DIR | --csv FILE --smiles COLUMN}",
		Short: "Predict classes or numbers with a model that `nkf train` saved",
		Args:  cobra.NoArgs,
	}
	folder := cmd.Flags().String("model", "", "folder of the model")
	path := cmd.Flags().String("tu", "", "zip archive or folder in the format of TUDataset")
	csv := cmd.Flags().String("csv", "", "`FILE` of molecules whose first line names the columns")
	column := cmd.Flags().String("smiles", "", "`COLUMN` with the SMILES")
	noScore := cmd.Flags().Bool("no-score", false,
		"of graphs: do not compare with their classes, which may be others than the model's")
	asJSON := jsonFlag(cmd)
	if err := cmd.MarkFlagRequired("model"); err != nil {
		panic(err)
	}
	cmd.MarkFlagsOneRequired("tu", "csv")
	cmd.MarkFlagsMutuallyExclusive("tu", "csv")
	cmd.MarkFlagsMutuallyExclusive("csv", "no-score")
	cmd.MarkFlagsRequiredTogether("csv", "smiles")
	cmd.RunE = a.do(func(context.Context, []string) error {
		if err := filled(cmd.Flags(), "model", "tu", "csv", "smiles"); err != nil {
			return err
		}
		model, err := experiments.LoadModel(*folder)
		if err != nil {
			return err
		}
		if *csv != "" {
			return a.predictMolecules(model, *csv, *column, *asJSON)
		}
		return a.predictGraphs(model, *path, *noScore, *asJSON)
	})
	return cmd
}

// predictGraphs prints what the model says of every graph of a data set, and how much of it is right unless
// that is not asked for.
func (a *app) predictGraphs(model *experiments.SavedModel, path string, noScore, asJSON bool) error {
	archive, err := tu.Open(path)
	if err != nil {
		return err
	}
	if err := a.tellMismatch(model, archive, noScore); err != nil {
		return err
	}
	backend, err := nkfx.Backend(nkfx.WithNotice(a.stderr))
	if err != nil {
		return err
	}
	defer backend.Finalize()
	predictions, err := model.PredictGraphs(backend, archive)
	if err != nil {
		return err
	}
	right, known := 0, 0
	if !asJSON {
		fmt.Fprintln(a.stdout, "graph\tclass")
	}
	for _, p := range predictions {
		if p.Label != "" {
			known++
			if p.Label == p.Class {
				right++
			}
		}
		if asJSON {
			err = a.emit(p)
		} else {
			_, err = fmt.Fprintf(a.stdout, "%d\t%s\n", p.Graph, datasets.Printable(p.Class))
		}
		if err != nil {
			return err
		}
	}
	if known > 0 && !noScore {
		fmt.Fprintf(a.stderr, "nkf: %d of %d graphs with a label are right, %.2f %%\n",
			right, known, 100*float64(right)/float64(known))
	}
	return nil
}

// tellMismatch says what the model cannot know of a data set. Classes that are not its own are an error
// where they are to be compared.
func (a *app) tellMismatch(model *experiments.SavedModel, archive *tu.Archive, noScore bool) error {
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
	for _, u := range x.Unseen {
		var values []string
		for _, v := range u.Values {
			values = append(values, strconv.Itoa(v))
		}
		fmt.Fprintf(a.stderr, "nkf: %s: %d of %d nodes have %s that no graph of %s had (%s), of which the "+
			"model can know nothing\n", name, u.Nodes, archive.Nodes(), u.What, trained, some(values))
	}
	if x.Unread != 0 {
		fmt.Fprintf(a.stderr, "nkf: %s has node %v, which the model of %s does not read\n", name, x.Unread,
			trained)
	}
	return nil
}

// featuresHelp describes --features.
const featuresHelp = "automatic, or attributes, labels and degree joined by +"
