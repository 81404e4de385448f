package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

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
		Args: noArguments,
	}
	dims, degrees := []int{3, 16, 53}, []int{1, 2, 3}
	sizes := []int{1_000, 10_000, 100_000, 1_000_000}
	meshes := []int{10_000, 100_000, 1_000_000, 10_000_000}
	seconds, out := 1.0, "build/bench.json"
	addNumbers(cmd, &dims, "dims", "dimensions for 1-forms; 2-forms are in R³ and 3-forms in R⁶", 1)
	addNumbers(cmd, &sizes, "simplices", "numbers of simplices", 1)
	addNumbers(cmd, &degrees, "degrees", "degrees of the forms", 1)
	addNumbers(cmd, &meshes, "mesh",
		"numbers of triangles of the meshes that are integrated in chunks; 0 for none", 0)
	addFlag(cmd, &seconds, "seconds", "TIME", "time for each program on each case", duration)
	alone := cmd.Flags().Bool("alone", false, "without PyTorch and JAX")
	addText(cmd, &out, "out", "FILE", "where the results are written as JSON")
	asJSON := jsonFlag(cmd)
	check(cmd, func() error {
		if slices.Contains(meshes, 0) && len(meshes) > 1 {
			return errors.New("--mesh 0: there is no mesh of no triangles beside others")
		}
		if cmd.Flags().Changed("dims") && !slices.Contains(degrees, 1) {
			return errors.New("--dims is for 1-forms, which --degrees leaves out")
		}
		return nil
	})
	cmd.RunE = a.do(func(ctx context.Context, _ []string) error {
		if err := os.MkdirAll(filepath.Dir(out), 0o777); err != nil { // rather now than after all
			return fmt.Errorf("the folder for results: %w", err)
		}
		backend, err := a.backend()
		if err != nil {
			return err
		}
		defer backend.Finalize()
		o := benchOptions(a.stderr, *alone, degrees, dims, sizes)
		o.Seconds = seconds
		// The meshes first: the memory of the process is theirs.
		var measured []bench.Mesh
		if meshes[0] > 0 {
			if measured, err = bench.Meshes(ctx, backend, meshes); err != nil {
				return err
			}
		}
		report, err := bench.Run(ctx, backend, nkfx.BackendName(backend), o)
		if err != nil {
			return err
		}
		report.Mesh = measured
		data, err := json.MarshalIndent(report, "", "\t")
		if err != nil {
			return err
		}
		if err := datasets.WriteFile(out, 0o666, datasets.Bytes(append(data, '\n'))); err != nil {
			return err
		}
		if *asJSON {
			return a.emit(report)
		}
		return report.Print(a.stdout)
	})
	return cmd
}

// benchOptions returns what is timed, and where the programs beside nkf are.
func benchOptions(progress io.Writer, alone bool, degrees, dims, sizes []int) bench.Options {
	o := bench.Options{Progress: progress, Python: cmp.Or(os.Getenv("NKF_PYTHON"), "python3")}
	if !alone {
		o.Folder = filepath.Join(cmp.Or(os.Getenv("NKF_SHARED"), filepath.Join("..", "shared")), "peers")
	}
	for _, k := range degrees {
		spaces := dims
		if k != 1 {
			// Forms of degree k with more than one component and fewer than all.
			spaces = []int{k * (k + 1) / 2}
		}
		for _, n := range spaces {
			for _, count := range sizes {
				o.Cases = append(o.Cases, bench.Case{Degree: k, Dim: n, Simplices: count})
			}
		}
	}
	return o
}

// addNumbers gives cmd a flag of numbers, least or more.
func addNumbers(cmd *cobra.Command, to *[]int, name, usage string, least int) {
	addList(cmd, to, name, "NUMBERS", usage, nil, whole(least, most))
}

// duration reads seconds.
func duration(text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x > 0 && x <= most) {
		return 0, errors.New("take a number of seconds above 0")
	}
	return x, nil
}
