package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/internal/bench"
)

// timing is what the command bench is asked for.
type timing struct {
	dims, degrees, sizes, meshes []int
	seconds                      float64
	alone, signatures            bool
	out                          string
}

// bench returns the command that times integrals beside other programs.
func (a *app) bench() *cobra.Command {
	x := &timing{
		dims: []int{3, 16, 53}, degrees: []int{1, 2, 3}, sizes: []int{1_000, 10_000, 100_000, 1_000_000},
		meshes: []int{10_000, 100_000, 1_000_000, 10_000_000}, seconds: 1, out: "build/bench.json",
	}
	cmd := a.command("bench", "Time integrals and their gradients, beside PyTorch and JAX where they are",
		"The integrals of neural forms run on the backend that GOMLX_BACKEND names. The programs of\n"+
			"PyTorch and JAX are looked for in $NKF_SHARED/peers, or shared/peers beside the checkout,\n"+
			"and run by $NKF_PYTHON, or python3. All take turns, and the table shows medians: of one\n"+
			"graph over corners given by coordinates, of one over vertices and their numbers, and in\n"+
			"chunks, which integrates twice.",
		func(ctx context.Context, _ []string) error { return a.time(ctx, x) })
	numbers := func(to *[]int, name string, least int, usage string) {
		addList(cmd, to, name, "NUMBERS", usage, nil, whole(least, most))
	}
	numbers(&x.dims, "dims", 1, "dimensions for 1-forms; 2-forms are in R³ and 3-forms in R⁶")
	numbers(&x.sizes, "simplices", 1, "numbers of simplices")
	numbers(&x.degrees, "degrees", 1, "degrees of the forms")
	numbers(&x.meshes, "mesh", 0, "numbers of triangles of meshes integrated in chunks; 0 for none")
	addFlag(cmd, &x.seconds, "seconds", "TIME", "time for each program on each case", duration)
	cmd.Flags().BoolVar(&x.alone, "alone", false, "without PyTorch and JAX")
	cmd.Flags().BoolVar(&x.signatures, "signatures", false,
		"signatures of paths beside signax and pysiglib instead of integrals")
	addText(cmd, &x.out, "out", "FILE", "where the results are written as JSON")
	check(cmd, func() error {
		if slices.Contains(x.meshes, 0) && len(x.meshes) > 1 {
			return errors.New("--mesh 0: there is no mesh of no triangles beside others")
		}
		if cmd.Flags().Changed("dims") && !slices.Contains(x.degrees, 1) {
			return errors.New("--dims is for 1-forms, which --degrees leaves out")
		}
		return nil
	})
	return a.withJSON(cmd)
}

// time measures, writes the report and prints it.
func (a *app) time(ctx context.Context, x *timing) error {
	if err := os.MkdirAll(filepath.Dir(x.out), 0o777); err != nil { // rather now than after all
		return fmt.Errorf("the folder for results: %w", err)
	}
	backend, err := a.backend()
	if err != nil {
		return err
	}
	o := bench.Options{
		Seconds: x.seconds, Progress: a.stderr, Python: cmp.Or(os.Getenv("NKF_PYTHON"), "python3"),
	}
	if !x.alone {
		o.Folder = filepath.Join(cmp.Or(os.Getenv("NKF_SHARED"), filepath.Join("..", "shared")), "peers")
	}
	if x.signatures {
		x.degrees, x.meshes = nil, []int{0}
	}
	for _, k := range x.degrees {
		dims := x.dims
		if k != 1 {
			dims = []int{k * (k + 1) / 2} // with more components than one and fewer than all
		}
		for _, n := range dims {
			for _, count := range x.sizes {
				o.Cases = append(o.Cases, bench.Case{Degree: k, Dim: n, Simplices: count})
			}
		}
	}
	if x.signatures {
		o.Signatures = []bench.Paths{{Dim: 4, Depth: 4, Points: 128, Batch: 64},
			{Dim: 8, Depth: 3, Points: 128, Batch: 64}, {Dim: 3, Depth: 6, Points: 256, Batch: 64},
			{Dim: 2, Depth: 8, Points: 1000, Batch: 16}}
	}
	// The meshes go first, while the peak memory of the process is theirs.
	var meshes []bench.Mesh
	if x.meshes[0] > 0 {
		if meshes, err = bench.Meshes(ctx, backend, x.meshes); err != nil {
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
	if err := datasets.WriteFile(x.out, 0o666, datasets.Bytes(append(data, '\n'))); err != nil {
		return err
	}
	return a.show(report, report.Print)
}

// duration reads seconds.
func duration(text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x > 0 && x <= most) {
		return 0, errors.New("take a number of seconds above 0")
	}
	return x, nil
}
