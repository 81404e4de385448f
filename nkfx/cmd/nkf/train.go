package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

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
	asJSON := jsonFlag(cmd)
	cmd.MarkFlagsOneRequired("tu", "csv")
	cmd.MarkFlagsMutuallyExclusive("tu", "csv")
	cmd.MarkFlagsRequiredTogether("csv", "smiles", "label")
	cmd.RunE = a.do(func(ctx context.Context, _ []string) error {
		if err := filled(flags, "tu", "csv", "smiles"); err != nil {
			return err
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
			return a.trainMolecules(ctx, molecules, *features, *asJSON)
		}
		if x.Features, err = tu.ParseFeatures(*features); err != nil {
			return usage(err)
		}
		backend, err := nkfx.Backend(nkfx.WithNotice(a.stderr))
		if err != nil {
			return err
		}
		defer backend.Finalize()
		line := a.progress(filepath.Base(x.Path) + " " + x.Model)
		result, model, err := x.TrainTU(ctx, backend, line.epoch)
		line.close()
		if err != nil {
			return err
		}
		folder := modelFolder(x.Out, result.Dataset, result.Model)
		return a.keepModel(folder, result, model, a.printResults, *asJSON)
	})
	return cmd
}

// modelFolder returns the folder of a model, whose name says what it is of.
func modelFolder(out string, of ...string) string {
	plain := func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._+-", r) {
			return r
		}
		return '_'
	}
	const most = 100 // characters that every file system takes
	name := []rune(strings.Map(plain, strings.Join(of, "-")))
	return filepath.Join(out, "models", string(name[max(0, len(name)-most):]))
}

// keepModel saves a model and prints the result of its training.
func (a *app) keepModel(folder string, result *experiments.Result, model *experiments.SavedModel,
	print func([]*experiments.Result) error, asJSON bool) error {
	if old, err := experiments.LoadModel(folder); err == nil && old.SHA256 != model.SHA256 {
		fmt.Fprintf(a.stderr, "nkf: %s held a model of other data, which is replaced\n", folder)
	}
	if err := model.Save(folder); err != nil {
		return err
	}
	if asJSON {
		return a.emit(result)
	}
	if err := print([]*experiments.Result{result}); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.stdout, "trained on everything for %d epochs; the model is in %s\n", model.Epochs,
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
	asJSON := jsonFlag(cmd)
	if err := cmd.MarkFlagRequired("model"); err != nil {
		panic(err)
	}
	cmd.MarkFlagsOneRequired("tu", "csv")
	cmd.MarkFlagsMutuallyExclusive("tu", "csv")
	cmd.MarkFlagsRequiredTogether("csv", "smiles")
	cmd.RunE = a.do(func(context.Context, []string) error {
		if err := filled(cmd.Flags(), "model", "tu", "csv", "smiles"); err != nil {
			return err
		}
		model, err := experiments.LoadModel(*folder)
		if err != nil {
			return err
		}
		backend, err := nkfx.Backend(nkfx.WithNotice(a.stderr))
		if err != nil {
			return err
		}
		defer backend.Finalize()
		if *csv != "" {
			return a.predictMolecules(backend, model, *csv, *column, *asJSON)
		}
		predictions, err := model.PredictTU(backend, *path)
		if err != nil {
			return err
		}
		right, known := 0, 0
		if !*asJSON {
			fmt.Fprintln(a.stdout, "graph\tclass")
		}
		for _, p := range predictions {
			if p.Label != "" {
				known++
				if p.Label == p.Class {
					right++
				}
			}
			if *asJSON {
				err = a.emit(p)
			} else {
				_, err = fmt.Fprintf(a.stdout, "%d\t%s\n", p.Graph, p.Class)
			}
			if err != nil {
				return err
			}
		}
		if known > 0 {
			fmt.Fprintf(a.stderr, "nkf: %d of %d graphs with a label are right, %.2f %%\n",
				right, known, 100*float64(right)/float64(known))
		}
		return nil
	})
	return cmd
}

// featuresHelp describes --features.
const featuresHelp = "automatic, or attributes, labels and degree joined by +"
