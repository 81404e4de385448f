package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/gomlx/compute"
	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/figures"
)

// synthetic is an experiment on synthetic data as a command sees it.
type synthetic[R any] struct {
	name, short  string
	epochs       *int    // those of the experiment, to be set by a flag
	seed         *uint32 // likewise
	train, test  *int    // samples of each class, likewise; nil where there are none
	run          func(context.Context, compute.Backend, reporter) (R, error)
	summary      func(R) string
	illustration func(R) map[string]*figures.Figure // by name of the file
}

// reporter is told how far an experiment is.
type reporter = func(experiments.Step)

// runPaths returns the command that classifies paths.
func (a *app) runPaths() *cobra.Command {
	x := experiments.NewPaths()
	var cmd *cobra.Command
	cmd = command(a, synthetic[*experiments.PathsResult]{
		name: "paths", short: "Classify paths in the plane by learned 1-forms, and by 0-forms beside it",
		epochs: &x.Forms.Epochs, seed: &x.Seed, train: &x.Train, test: &x.Test,
		run: func(ctx context.Context, b compute.Backend, report reporter) (
			*experiments.PathsResult, error) {
			if cmd.Flags().Changed("epochs") {
				x.Functions.Epochs = x.Forms.Epochs
			}
			return x.Run(ctx, b, report)
		},
		summary: func(r *experiments.PathsResult) string {
			return accuracy("1-forms", r.Forms) + "\n" + accuracy("0-forms", r.Functions) +
				"\n0-forms in the paper: 37 % of training paths right"
		},
		illustration: func(r *experiments.PathsResult) map[string]*figures.Figure {
			return map[string]*figures.Figure{
				"fields": figures.PathFields(r), "functions": figures.PathFunctions(r),
				"embeddings": figures.PathEmbeddings(r),
				"losses": figures.Losses("Training on paths", []string{"1-forms", "0-forms"},
					r.Forms.Losses, r.Functions.Losses),
			}
		},
	})
	cmd.Flags().Lookup("epochs").Usage += fmt.Sprintf("; of 0-forms %d where this is not given",
		x.Functions.Epochs)
	return cmd
}

// runSurfaces returns the command that classifies surfaces.
func (a *app) runSurfaces() *cobra.Command {
	x := experiments.NewSurfaces()
	return command(a, synthetic[*experiments.SurfacesResult]{
		name: "surfaces", short: "Classify surfaces in space by learned 2-forms",
		epochs: &x.Forms.Epochs, seed: &x.Seed, train: &x.Train, test: &x.Test,
		run: func(ctx context.Context, b compute.Backend, report reporter) (
			*experiments.SurfacesResult, error) {
			return x.Run(ctx, b, report)
		},
		summary: func(r *experiments.SurfacesResult) string { return accuracy("2-forms", r.Forms) },
		illustration: func(r *experiments.SurfacesResult) map[string]*figures.Figure {
			return map[string]*figures.Figure{
				"embedding": figures.SurfaceEmbedding(r), "integrals": figures.SurfaceIntegrals(r),
				"losses": figures.Losses("Training on surfaces", []string{"2-forms"}, r.Forms.Losses),
			}
		},
	})
}

// runConvolution returns the command that classifies drawings by templates.
func (a *app) runConvolution() *cobra.Command {
	x := experiments.NewConvolution()
	return command(a, synthetic[*experiments.ConvolutionResult]{
		name: "convolution", short: "Tell cycles from stars by template 1-forms that are translated",
		epochs: &x.Templates.Epochs, seed: &x.Seed, train: &x.Train, test: &x.Test,
		run: func(ctx context.Context, b compute.Backend, report reporter) (
			*experiments.ConvolutionResult, error) {
			return x.Run(ctx, b, report)
		},
		summary: func(r *experiments.ConvolutionResult) string { return accuracy("templates", r.Forms) },
		illustration: func(r *experiments.ConvolutionResult) map[string]*figures.Figure {
			return map[string]*figures.Figure{
				"templates": figures.ConvolutionTemplates(r), "embedding": figures.ConvolutionEmbedding(r),
				"losses": figures.Losses("Training on drawings", []string{"templates"}, r.Forms.Losses),
			}
		},
	})
}

// runEigenvectors returns the command that fits eigenvectors.
func (a *app) runEigenvectors() *cobra.Command {
	x := experiments.NewEigenvectors()
	return command(a, synthetic[*experiments.EigenvectorsResult]{
		name: "eigenvectors", short: "Fit neural 1-forms to eigenvectors of the Hodge 1-Laplacian",
		epochs: &x.Forms.Epochs, seed: &x.Seed,
		run: func(ctx context.Context, b compute.Backend, report reporter) (
			*experiments.EigenvectorsResult, error) {
			return x.Run(ctx, b, report)
		},
		summary: func(r *experiments.EigenvectorsResult) string {
			return fmt.Sprintf("relative error %.2f %%, %d parameters, parts %v",
				100*r.Error, r.Parameters, r.Fitted)
		},
		illustration: func(r *experiments.EigenvectorsResult) map[string]*figures.Figure {
			return map[string]*figures.Figure{
				"cover": figures.EigenvectorCover(r), "fields": figures.EigenvectorFields(nil, r),
				"losses": figures.Losses("Fitting eigenvectors", []string{"‖X-Y‖²/‖Y‖²"}, r.Losses),
			}
		},
	})
}

// accuracy says how a classification went.
func accuracy(name string, c experiments.Classification) string { return name + ": " + c.String() }

// mostSamples bounds the samples of a class, so that they fit into memory.
const mostSamples = 100_000

// command returns the command that runs an experiment and saves its figures
// and its result.
func command[R any](a *app, x synthetic[R]) *cobra.Command {
	cmd := &cobra.Command{Use: x.name, Short: x.short, Args: noArguments}
	var out string
	outFlag(cmd, &out)
	addSeed(cmd, x.seed, "of data, weights and orders")
	addNumber(cmd, x.epochs, "epochs", "passes over the training data", 1, most)
	if x.train != nil {
		addNumber(cmd, x.train, "train", "samples of each class to train on", 1, mostSamples)
		addNumber(cmd, x.test, "test", "samples of each class to test on", 1, mostSamples)
	}
	asJSON := jsonFlag(cmd)
	cmd.RunE = a.do(func(ctx context.Context, _ []string) error {
		backend, err := a.backend()
		if err != nil {
			return err
		}
		defer backend.Finalize()
		folder := filepath.Join(out, x.name)
		if err := os.MkdirAll(out, 0o777); err != nil { // rather now than after the training
			return fmt.Errorf("the folder for results: %w", err)
		}
		line := a.progress(x.name)
		result, err := x.run(ctx, backend, line.step)
		line.close()
		if err != nil {
			return err
		}
		illustration := x.illustration(result)
		for _, name := range slices.Sorted(maps.Keys(illustration)) {
			for _, ext := range []string{".svg", ".png"} {
				if err := illustration[name].Save(filepath.Join(folder, name+ext)); err != nil {
					return err
				}
			}
		}
		if err := saveResult(filepath.Join(folder, "result.json"), result); err != nil {
			return err
		}
		if *asJSON {
			return a.emit(result)
		}
		fmt.Fprintf(a.stdout, "%s\nfigures and result: %s\n", x.summary(result), folder)
		return nil
	})
	return cmd
}

// saveResult writes a result as JSON; the file appears complete or not at all.
func saveResult(path string, result any) error {
	data, err := json.Marshal(result)
	if err != nil {
		return fmt.Errorf("%s: %w (a model that diverged has no result: try another seed)", path, err)
	}
	return datasets.WriteFile(path, 0o666, datasets.Bytes(append(data, '\n')))
}

// step shows how far the training of an experiment is: about ten lines where
// standard error is no terminal.
func (l *progressLine) step(s experiments.Step) {
	if l.app.ending.begun.Load() {
		return
	}
	text := fmt.Sprintf("%s: epoch %d of %d, loss %.4g", s.Model, s.Epoch, s.Epochs, s.Loss)
	if l.bar != nil {
		l.bar.Describe(text)
		// An error of the bar is one of drawing; the work goes on.
		_ = l.bar.Set(1000 * s.Epoch / s.Epochs)
		return
	}
	if s.Epoch*10/s.Epochs > (s.Epoch-1)*10/s.Epochs {
		fmt.Fprintln(l.app.stderr, text)
	}
}
