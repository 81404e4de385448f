package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/gomlx/compute"
	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/figures"
)

// pictures are figures by the names of their files.
type pictures map[string]*figures.Figure

// save writes them to a folder, as SVG and as PNG.
func (p pictures) save(folder string) error {
	for _, name := range slices.Sorted(maps.Keys(p)) {
		for _, ext := range []string{".svg", ".png"} {
			if err := p[name].Save(filepath.Join(folder, name+ext)); err != nil {
				return err
			}
		}
	}
	return nil
}

// runPaths returns the command that classifies paths.
func (a *app) runPaths() *cobra.Command {
	x, published := experiments.NewPaths(), experiments.PublishedPaths()
	functions := x.Functions.Epochs
	run := func(x experiments.Paths, ctx context.Context, backend compute.Backend,
		report func(experiments.Step)) (*experiments.PathsResult, error) {
		r, err := x.Run(ctx, backend, report)
		if err != nil {
			return nil, err
		}
		published.Seed, published.Train, published.Test = x.Seed, x.Train, x.Test
		r.Published, err = published.Run(ctx, backend, asPublished(report))
		return r, err
	}
	cmd := synthetic(a, "paths", "Classify paths in the plane by learned 1-forms, compared with 0-forms",
		&x, run, func(r *experiments.PathsResult) (string, pictures) {
			summary := fmt.Sprintf("our training: 1-forms by gradient descent, 0-forms by Adam\n"+
				"  1-forms: %v\n  0-forms: %v\n"+
				"as the paper's notebook: gradient descent at rates 1e-2 and 1e-5, two softmaxes\n"+
				"  1-forms: %v\n  0-forms: %v (the paper has 37 %% in training)",
				r.Forms, r.Functions, r.Published.Forms, r.Published.Functions)
			return summary, pictures{
				"fields": figures.PathFields(r), "functions": figures.PathFunctions(r),
				"embeddings": figures.PathEmbeddings(r),
				"losses": figures.Losses("Training on paths", []string{"1-forms", "0-forms"},
					r.Forms.Losses, r.Functions.Losses),
			}
		})
	settings(cmd, &x.Forms.Epochs, &x.Seed, &x.Train, &x.Test)
	cmd.Flags().Lookup("epochs").Usage += fmt.Sprintf("; of 0-forms %d where this is not given", functions)
	check(cmd, func() error {
		if cmd.Flags().Changed("epochs") {
			x.Functions.Epochs = x.Forms.Epochs
			published.Forms.Epochs, published.Functions.Epochs = x.Forms.Epochs, x.Forms.Epochs
		}
		return nil
	})
	return cmd
}

// runSurfaces returns the command that classifies surfaces.
func (a *app) runSurfaces() *cobra.Command {
	x := experiments.NewSurfaces()
	cmd := synthetic(a, "surfaces", "Classify surfaces in space by learned 2-forms", &x,
		experiments.Surfaces.Run, func(r *experiments.SurfacesResult) (string, pictures) {
			return fmt.Sprintf("2-forms: %v", r.Forms), pictures{
				"embedding": figures.SurfaceEmbedding(r), "integrals": figures.SurfaceIntegrals(r),
				"losses": figures.Losses("Training on surfaces", []string{"2-forms"}, r.Forms.Losses),
			}
		})
	settings(cmd, &x.Forms.Epochs, &x.Seed, &x.Train, &x.Test)
	return cmd
}

// runConvolution returns the command that classifies drawings by templates.
func (a *app) runConvolution() *cobra.Command {
	x := experiments.NewConvolution()
	cmd := synthetic(a, "convolution", "Classify cycles and stars by translated template 1-forms", &x,
		experiments.Convolution.Run, func(r *experiments.ConvolutionResult) (string, pictures) {
			return fmt.Sprintf("templates: %v", r.Forms), pictures{
				"templates": figures.ConvolutionTemplates(r), "embedding": figures.ConvolutionEmbedding(r),
				"losses": figures.Losses("Training on drawings", []string{"templates"}, r.Forms.Losses),
			}
		})
	settings(cmd, &x.Templates.Epochs, &x.Seed, &x.Train, &x.Test)
	return cmd
}

// runEigenvectors returns the command that fits eigenvectors.
func (a *app) runEigenvectors() *cobra.Command {
	x, published := experiments.NewEigenvectors(), experiments.PublishedEigenvectors()
	run := func(x experiments.Eigenvectors, ctx context.Context, backend compute.Backend,
		report func(experiments.Step)) (*experiments.EigenvectorsResult, error) {
		r, err := x.Run(ctx, backend, report)
		if err != nil {
			return nil, err
		}
		published.Seed = x.Seed
		r.Published, err = published.Run(ctx, backend, asPublished(report))
		return r, err
	}
	cmd := synthetic(a, "eigenvectors", "Fit neural 1-forms to eigenvectors of the Hodge 1-Laplacian", &x,
		run, func(r *experiments.EigenvectorsResult) (string, pictures) {
			summary := fmt.Sprintf("our training, %d forms: "+
				"relative error %.2f %%, %d parameters, parts %v\n"+
				"as the paper's notebook, %d forms: relative error %.2f %%, %d parameters",
				len(r.Values), 100*r.Error, r.Parameters, r.Fitted,
				len(r.Published.Values), 100*r.Published.Error, r.Published.Parameters)
			return summary, pictures{
				"cover": figures.EigenvectorCover(r), "fields": figures.EigenvectorFields(nil, r),
				"losses": figures.Losses("Fitting eigenvectors", []string{"‖X-Y‖²/‖Y‖²"}, r.Losses),
			}
		})
	settings(cmd, &x.Forms.Epochs, &x.Seed, nil, nil)
	cmd.Flags().Lookup("epochs").Usage += fmt.Sprintf("; as published %d where this is not given",
		published.Forms.Epochs)
	check(cmd, func() error {
		if cmd.Flags().Changed("epochs") {
			published.Forms.Epochs = x.Forms.Epochs
		}
		return nil
	})
	return cmd
}

// asPublished reports steps of a published set-up, which is run after ours.
func asPublished(report func(experiments.Step)) func(experiments.Step) {
	return func(s experiments.Step) {
		s.Model += ", as published"
		report(s)
	}
}

// settings gives the command of an experiment its flags; train and test are samples of each class, or nil.
func settings(cmd *cobra.Command, epochs *int, seed *uint32, train, test *int) {
	addSeed(cmd, seed, "of data, weights and orders")
	addNumber(cmd, epochs, "epochs", "passes over the training data", 1, most)
	const most = 100_000 // fits into memory
	if train != nil {
		addNumber(cmd, train, "train", "samples of each class to train on", 1, most)
		addNumber(cmd, test, "test", "samples of each class to test on", 1, most)
	}
}

// synthetic returns the command that runs an experiment on synthetic data and saves its result and the
// pictures that show gives, with a summary.
func synthetic[X, R any](a *app, name, short string, x *X,
	run func(X, context.Context, compute.Backend, func(experiments.Step)) (R, error),
	show func(R) (string, pictures)) *cobra.Command {
	var out string
	cmd := a.command(name, short, "", func(ctx context.Context, _ []string) error {
		backend, err := a.backend()
		if err != nil {
			return err
		}
		folder := filepath.Join(out, name)
		_, missing := os.Lstat(folder)
		if err := fileio.Folder(folder); err != nil { // rather now than after the training
			return err
		}
		if missing != nil {
			_ = os.Remove(folder) // what is interrupted leaves nothing
		}
		line := a.progress()
		line.begin("preparing and compiling", nil)
		result, err := run(*x, ctx, backend, line.step)
		var summary string
		if err == nil {
			line.begin("drawing", nil)
			var drawn pictures
			summary, drawn = show(result)
			err = drawn.save(folder)
		}
		line.close()
		if err != nil {
			return err
		}
		save := func(w io.Writer) error { return writeJSON(w, result) }
		if err := fileio.Write(filepath.Join(folder, "result.json"), 0o666, save); err != nil {
			return err
		}
		return a.show(result, func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "%s\nfigures and result: %s\n", summary, folder)
			return err
		})
	})
	outFlag(cmd, &out)
	return a.withJSON(cmd)
}
