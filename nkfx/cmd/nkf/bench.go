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
	"strings"
	"time"

	"github.com/gomlx/compute"
	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers/backends"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/internal/bench"
)

// timing is what the command bench is asked for.
type timing struct {
	dims, degrees, sizes, meshes []int
	races, epochs                []string
	seconds                      float64
	ownOnly, gpu                 bool
	out                          string
}

// bench returns the command that races against other programs.
func (a *app) bench() *cobra.Command {
	x := &timing{
		dims: []int{3, 16, 53}, degrees: []int{1, 2, 3}, sizes: []int{1_000, 10_000, 100_000, 1_000_000},
		meshes: []int{10_000, 100_000, 1_000_000, 10_000_000}, seconds: 1, races: bench.Races,
		epochs: []string{"BZR:nkf", "COX2:nkf", "DHFR:nkf", "Letter-high:nkf", "AIDS:nkf", "BACE:nkf",
			"HIV:nkf"},
	}
	cmd := a.command("bench", "Time integrals, signatures and trainings beside PyTorch, JAX and others",
		"The programs of PyTorch, JAX, signax and pysiglib come with nkf; $NKF_PYTHON, or python3,\n"+
			"runs them, and `make bench` installs one that can. All take turns on the backend that\n"+
			"GOMLX_BACKEND names, and the tables show medians. Integrals are timed as one graph over\n"+
			"corners given by coordinates, as one over vertices and their numbers, and in chunks, which\n"+
			"integrates twice. --gpu times a CUDA card, unless GOMLX_BACKEND names another backend, in\n"+
			"ten minutes at most, and checks laws and reference values first.",
		func(ctx context.Context, _ []string) error { return a.time(ctx, x) })
	numbers := func(to *[]int, name string, least int, usage string) {
		addList(cmd, to, name, "NUMBERS", usage, nil, whole(least, most))
	}
	addChoices(cmd, &x.races, "races", "what to time", bench.Races, bench.Races)
	numbers(&x.dims, "dims", 1, "dimensions for 1-forms; 2-forms are in R³ and 3-forms in R⁶")
	numbers(&x.sizes, "simplices", 1, "numbers of simplices")
	numbers(&x.degrees, "degrees", 1, "degrees of the forms")
	numbers(&x.meshes, "mesh", 1, "numbers of triangles of meshes integrated in chunks")
	addChoices(cmd, &x.epochs, "epochs", "data sets and models to time epochs of", bench.Trainings(), nil)
	addFlag(cmd, &x.seconds, "seconds", "SECONDS", "`SECONDS` for each program on each case",
		real(func(s float64) bool { return s > 0 && s <= most }, "take a number of seconds above 0"))
	cmd.Flags().BoolVar(&x.ownOnly, "alone", false, "without other programs")
	cmd.Flags().BoolVar(&x.gpu, "gpu", false, "check and time a CUDA card")
	addText(cmd, &x.out, "out", "FILE", "where the results are written as JSON; build/bench.json, or "+
		"build/bench-gpu.json")
	a.check(cmd, func() error {
		if cmd.Flags().Changed("dims") && !slices.Contains(x.degrees, 1) {
			return errors.New("--dims is for 1-forms, which --degrees leaves out")
		}
		for flag, value := range onCard {
			if x.gpu && !cmd.Flags().Changed(flag) {
				must(cmd.Flags().Set(flag, value))
			}
		}
		return nil
	})
	return a.withJSON(cmd)
}

// time measures, writes the report and prints it. On a card it fails where a law does not hold.
func (a *app) time(ctx context.Context, x *timing) error {
	o := bench.Options{Seconds: x.seconds, Progress: a.stderr, Device: "cpu"}
	if !x.ownOnly {
		o.Python = cmp.Or(os.Getenv("NKF_PYTHON"), "python3")
	}
	out := cmp.Or(x.out, filepath.Join("build", "bench.json"))
	var err error
	if x.gpu {
		out = cmp.Or(x.out, filepath.Join("build", "bench-gpu.json"))
		// With the case that is under way at the end, ten minutes at most.
		o.Check, o.Limit = true, 9*time.Minute
		o.Device, err = a.card()
	} else {
		_, err = a.backend()
	}
	if err != nil {
		return err
	}
	x.choose(&o)
	if err := os.MkdirAll(filepath.Dir(out), 0o777); err != nil { // rather now than after all
		return fmt.Errorf("the folder for results: %w", err)
	}
	o.Save = func(report *bench.Report) error {
		data, err := json.MarshalIndent(report, "", "\t")
		if err != nil {
			return err
		}
		return datasets.WriteFile(out, 0o666, datasets.Bytes(append(data, '\n')))
	}
	report, err := bench.Run(ctx, a.opened, nkfx.BackendName(a.opened), o)
	if err != nil {
		return err
	}
	if err := o.Save(report); err != nil {
		return err
	}
	if err := a.show(report, report.Print); err != nil {
		return err
	}
	for _, c := range report.Checks {
		if c.Error != "" {
			return fmt.Errorf("%s does not hold on %s: %s", c.Name, report.Backend, c.Error)
		}
	}
	return nil
}

// card opens the backend of a CUDA card, unless GOMLX_BACKEND names another, and returns the device of
// peers.
func (a *app) card() (device string, err error) {
	const cuda = "xla:cuda"
	name := cmp.Or(os.Getenv(compute.ConfigEnvVar), cuda)
	backends.KeepPrograms()
	if a.opened, err = backends.Open(name, a.stderr); err != nil && name == cuda {
		return "", fmt.Errorf("there is no CUDA card that XLA can use: %w", err)
	}
	if err == nil && nkfx.BackendName(a.opened) == cuda {
		return "cuda", nil
	}
	return "cpu", err
}

// integrals returns the cases of integrals, 1-forms in some dimensions and others in one.
func (x *timing) integrals() (cases []bench.Case) {
	for _, k := range x.degrees {
		dims := x.dims
		if k != 1 {
			dims = []int{k * (k + 1) / 2} // with more components than one and fewer than all
		}
		for _, n := range dims {
			for _, count := range x.sizes {
				cases = append(cases, bench.Case{Race: bench.Integrals, Degree: k, Dim: n, Simplices: count})
			}
		}
	}
	return cases
}

// onCard are the flags with --gpu where they are not given: sizes that fill a card, and networks of each
// kind.
var onCard = map[string]string{
	"races": bench.Epochs + "," + bench.Integrals, "simplices": "10000,100000,1000000,10000000",
	"dims": "3,16", "degrees": "1,2", "seconds": "0.5",
	"epochs": "BZR:nkf,HIV:nkf,BZR:cochain,NATOPS:path,tori:mesh-forms",
}

// choose lists the work.
func (x *timing) choose(o *bench.Options) {
	asked := func(race string) bool { return slices.Contains(x.races, race) }
	if asked(bench.Meshes) {
		for _, count := range x.meshes {
			o.Cases = append(o.Cases, bench.Case{Race: bench.Meshes, Simplices: count})
		}
	}
	if asked(bench.Epochs) {
		for _, name := range x.epochs {
			dataset, model, _ := strings.Cut(name, ":")
			o.Cases = append(o.Cases, bench.Case{Race: bench.Epochs, Dataset: dataset, Model: model})
		}
	}
	if asked(bench.Integrals) {
		o.Cases = append(o.Cases, x.integrals()...)
	}
	if asked(bench.Signatures) {
		for _, c := range []bench.Case{{Dim: 4, Depth: 4, Points: 128, Batch: 64},
			{Dim: 8, Depth: 3, Points: 128, Batch: 64}, {Dim: 3, Depth: 6, Points: 256, Batch: 64},
			{Dim: 2, Depth: 8, Points: 1000, Batch: 16}} {
			for _, c.Gradient = range []bool{false, true} {
				c.Race = bench.Signatures
				o.Cases = append(o.Cases, c)
			}
		}
	}
}
