package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/internal/bench"
)

// bench returns the command that times integrals beside other programs.
func (a *app) bench() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Time integrals and their gradients, beside PyTorch and JAX where they are",
		Long: "Time the integrals of neural forms and their gradients on the backend that GOMLX_BACKEND\n" +
			"names, beside PyTorch and JAX: their programs are looked for in $NKF_SHARED/peers, or\n" +
			"shared/peers beside the checkout, and run by $NKF_PYTHON, or python3. All take turns,\n" +
			"and the table shows medians: of one graph over corners given by coordinates, of one\n" +
			"over vertices and their numbers, and in chunks, which integrates twice.",
		Args: cobra.NoArgs,
	}
	flags := cmd.Flags()
	dims := flags.IntSlice("dims", []int{3, 16, 53},
		"dimensions for 1-forms; 2-forms are in R³ and 3-forms in R⁶")
	sizes := flags.IntSlice("simplices", []int{1_000, 10_000, 100_000, 1_000_000}, "numbers of simplices")
	degrees := flags.IntSlice("degrees", []int{1, 2, 3}, "degrees of the forms")
	triangles := flags.IntSlice("mesh", []int{10_000, 100_000, 1_000_000, 10_000_000},
		"numbers of triangles of the meshes that are integrated in chunks; 0 for none")
	seconds := flags.Float64("seconds", 1, "time for each program on each case")
	alone := flags.Bool("alone", false, "without PyTorch and JAX")
	out := flags.String("out", "build/bench.json", "where the results are written as JSON")
	asJSON := jsonFlag(cmd)
	cmd.RunE = a.do(func(ctx context.Context, _ []string) error {
		for name, numbers := range map[string][]int{
			"dims": *dims, "simplices": *sizes, "degrees": *degrees, "mesh": *triangles,
		} {
			for _, number := range numbers {
				if name == "mesh" && number == 0 && len(numbers) == 1 {
					continue // for none
				}
				if err := positive(name, number); err != nil {
					return err
				}
			}
		}
		if err := os.MkdirAll(filepath.Dir(*out), 0o777); err != nil { // rather now than after all
			return fmt.Errorf("the folder for results: %w", err)
		}
		backend, err := nkfx.Backend(nkfx.WithNotice(a.stderr))
		if err != nil {
			return err
		}
		defer backend.Finalize()
		o := bench.Options{Seconds: *seconds, Progress: a.stderr, Python: "python3"}
		if python := os.Getenv("NKF_PYTHON"); python != "" {
			o.Python = python
		}
		if o.Folder = filepath.Join("..", "shared", "peers"); os.Getenv("NKF_SHARED") != "" {
			o.Folder = filepath.Join(os.Getenv("NKF_SHARED"), "peers")
		}
		if *alone {
			o.Folder = ""
		}
		for _, k := range *degrees {
			spaces := *dims
			if k != 1 {
				// Forms of degree k with more than one component and fewer than all.
				spaces = []int{k * (k + 1) / 2}
			}
			for _, n := range spaces {
				for _, count := range *sizes {
					o.Cases = append(o.Cases, bench.Case{Degree: k, Dim: n, Simplices: count})
				}
			}
		}
		// The meshes first: the memory of the process is theirs.
		var meshes []bench.Mesh
		if len(*triangles) > 0 && (*triangles)[0] > 0 {
			if meshes, err = bench.Meshes(ctx, backend, *triangles); err != nil {
				return err
			}
		}
		report, err := bench.Run(ctx, backend, nkfx.BackendName(backend), o)
		if err != nil {
			return err
		}
		report.Mesh = meshes
		data, err := json.MarshalIndent(report, "", "\t")
		if err != nil {
			return err
		}
		if err := datasets.WriteFile(*out, 0o666, datasets.Bytes(append(data, '\n'))); err != nil {
			return err
		}
		if *asJSON {
			return a.emit(report)
		}
		return report.Print(a.stdout)
	})
	return cmd
}
