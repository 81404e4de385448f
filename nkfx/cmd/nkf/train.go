package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/spf13/cobra"
)

// train returns the command that trains on a user's own data.
func (a *app) train() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "train --tu FILE|DIR",
		Short: "Cross-validate on your own graphs, then train on all of them and save the model",
		Args:  cobra.NoArgs,
	}
	flags := cmd.Flags()
	x := experiments.NewTU("", "nkf")
	flags.StringVar(&x.Path, "tu", "", "zip archive or folder in the format of TUDataset")
	flags.StringVar(&x.Model, "model", x.Model, strings.Join(experiments.ModelNames(), ", "))
	features := flags.String("features", x.Features.String(), featuresHelp)
	tuFlags(flags, &x)
	asJSON := jsonFlag(cmd)
	if err := cmd.MarkFlagRequired("tu"); err != nil {
		panic(err)
	}
	cmd.RunE = a.do(func(ctx context.Context, _ []string) error {
		var err error
		if x.Features, err = tu.ParseFeatures(*features); err != nil {
			return err
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
		folder := filepath.Join(x.Out, "models", result.Dataset+"-"+x.Model)
		if err := model.Save(folder); err != nil {
			return err
		}
		if *asJSON {
			return a.emit(result)
		}
		if err := a.printResults([]*experiments.Result{result}); err != nil {
			return err
		}
		_, err = fmt.Fprintf(
			a.stdout,
			"trained on all graphs for %d epochs; the model is in %s\n",
			model.Epochs,
			folder,
		)
		return err
	})
	return cmd
}

// predict returns the command that applies a saved model.
func (a *app) predict() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "predict --model DIR --tu FILE|DIR",
		Short: "Predict classes with a model that `nkf train` saved",
		Args:  cobra.NoArgs,
	}
	folder := cmd.Flags().String("model", "", "folder of the model")
	path := cmd.Flags().String("tu", "", "zip archive or folder in the format of TUDataset")
	asJSON := jsonFlag(cmd)
	if err := errors.Join(cmd.MarkFlagRequired("model"), cmd.MarkFlagRequired("tu")); err != nil {
		panic(err)
	}
	cmd.RunE = a.do(func(context.Context, []string) error {
		model, err := experiments.LoadModel(*folder)
		if err != nil {
			return err
		}
		backend, err := nkfx.Backend(nkfx.WithNotice(a.stderr))
		if err != nil {
			return err
		}
		defer backend.Finalize()
		predictions, err := model.PredictTU(backend, *path)
		if err != nil {
			return err
		}
		right, known := 0, 0
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
