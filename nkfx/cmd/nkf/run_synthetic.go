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

// synthetic is an experiment on synthetic data. Flags set what the pointers point to.
type synthetic struct {
	name, short string
	epochs      *int
	seed        *uint32
	train, test *int // samples of each class, or nil
	run         func(context.Context, compute.Backend, func(experiments.Step)) (*outcome, error)
}

// outcome is what an experiment has come to.
type outcome struct {
	result   any
	summary  string
	pictures map[string]*figures.Figure // by the names of their files
}

// runPaths returns the command that classifies paths.
func (a *app) runPaths() *cobra.Command {
	x := experiments.NewPaths()
	functions := x.Functions.Epochs
	var cmd *cobra.Command
	cmd = a.synthetic(synthetic{
		"paths", "Classify paths in the plane by learned 1-forms, and by 0-forms beside it",
		&x.Forms.Epochs, &x.Seed, &x.Train, &x.Test,
		func(ctx context.Context, b compute.Backend, report func(experiments.Step)) (*outcome, error) {
			if cmd.Flags().Changed("epochs") {
				x.Functions.Epochs = x.Forms.Epochs
			}
			r, err := x.Run(ctx, b, report)
			if err != nil {
				return nil, err
			}
			summary := fmt.Sprintf("1-forms: %v\n0-forms: %v\n"+
				"0-forms in the paper: 37 %% of training paths right", r.Forms, r.Functions)
			return &outcome{r, summary, map[string]*figures.Figure{
				"fields": figures.PathFields(r), "functions": figures.PathFunctions(r),
				"embeddings": figures.PathEmbeddings(r),
				"losses": figures.Losses("Training on paths", []string{"1-forms", "0-forms"},
					r.Forms.Losses, r.Functions.Losses),
			}}, nil
		},
	})
	cmd.Flags().Lookup("epochs").Usage += fmt.Sprintf("; of 0-forms %d where this is not given", functions)
	return cmd
}

// runSurfaces returns the command that classifies surfaces.
func (a *app) runSurfaces() *cobra.Command {
	x := experiments.NewSurfaces()
	return a.synthetic(synthetic{
		"surfaces", "Classify surfaces in space by learned 2-forms",
		&x.Forms.Epochs, &x.Seed, &x.Train, &x.Test,
		func(ctx context.Context, b compute.Backend, report func(experiments.Step)) (*outcome, error) {
			r, err := x.Run(ctx, b, report)
			if err != nil {
				return nil, err
			}
			return &outcome{r, fmt.Sprintf("2-forms: %v", r.Forms), map[string]*figures.Figure{
				"embedding": figures.SurfaceEmbedding(r), "integrals": figures.SurfaceIntegrals(r),
				"losses": figures.Losses("Training on surfaces", []string{"2-forms"}, r.Forms.Losses),
			}}, nil
		},
	})
}

// runConvolution returns the command that classifies drawings by templates.
func (a *app) runConvolution() *cobra.Command {
	x := experiments.NewConvolution()
	return a.synthetic(synthetic{
		"convolution", "Tell cycles from stars by template 1-forms that are translated",
		&x.Templates.Epochs, &x.Seed, &x.Train, &x.Test,
		func(ctx context.Context, b compute.Backend, report func(experiments.Step)) (*outcome, error) {
			r, err := x.Run(ctx, b, report)
			if err != nil {
				return nil, err
			}
			return &outcome{r, fmt.Sprintf("templates: %v", r.Forms), map[string]*figures.Figure{
				"templates": figures.ConvolutionTemplates(r), "embedding": figures.ConvolutionEmbedding(r),
				"losses": figures.Losses("Training on drawings", []string{"templates"}, r.Forms.Losses),
			}}, nil
		},
	})
}

// runEigenvectors returns the command that fits eigenvectors.
func (a *app) runEigenvectors() *cobra.Command {
	x := experiments.NewEigenvectors()
	return a.synthetic(synthetic{
		"eigenvectors", "Fit neural 1-forms to eigenvectors of the Hodge 1-Laplacian",
		&x.Forms.Epochs, &x.Seed, nil, nil,
		func(ctx context.Context, b compute.Backend, report func(experiments.Step)) (*outcome, error) {
			r, err := x.Run(ctx, b, report)
			if err != nil {
				return nil, err
			}
			summary := fmt.Sprintf("relative error %.2f %%, %d parameters, parts %v",
				100*r.Error, r.Parameters, r.Fitted)
			return &outcome{r, summary, map[string]*figures.Figure{
				"cover": figures.EigenvectorCover(r), "fields": figures.EigenvectorFields(nil, r),
				"losses": figures.Losses("Fitting eigenvectors", []string{"‖X-Y‖²/‖Y‖²"}, r.Losses),
			}}, nil
		},
	})
}

// mostSamples bounds the samples of a class, so that they fit into memory.
const mostSamples = 100_000

// synthetic returns the command that runs an experiment and saves its figures and its result.
func (a *app) synthetic(x synthetic) *cobra.Command {
	var out string
	var asJSON *bool
	cmd := a.command(x.name, x.short, "", func(ctx context.Context, _ []string) error {
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
		done, err := x.run(ctx, backend, line.step)
		line.close()
		if err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(done.pictures)) {
			for _, ext := range []string{".svg", ".png"} {
				if err := done.pictures[name].Save(filepath.Join(folder, name+ext)); err != nil {
					return err
				}
			}
		}
		if err := saveResult(filepath.Join(folder, "result.json"), done.result); err != nil {
			return err
		}
		if *asJSON {
			return a.emit(done.result)
		}
		fmt.Fprintf(a.stdout, "%s\nfigures and result: %s\n", done.summary, folder)
		return nil
	})
	outFlag(cmd, &out)
	addSeed(cmd, x.seed, "of data, weights and orders")
	addNumber(cmd, x.epochs, "epochs", "passes over the training data", 1, most)
	if x.train != nil {
		addNumber(cmd, x.train, "train", "samples of each class to train on", 1, mostSamples)
		addNumber(cmd, x.test, "test", "samples of each class to test on", 1, mostSamples)
	}
	asJSON = jsonFlag(cmd)
	return cmd
}

// saveResult writes a result as JSON; the file appears complete or not at all.
func saveResult(path string, result any) error {
	data, err := json.Marshal(result)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return datasets.WriteFile(path, 0o666, datasets.Bytes(append(data, '\n')))
}
