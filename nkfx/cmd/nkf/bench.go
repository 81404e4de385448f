package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gomlx/compute"
	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/layers/backends"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/internal/bench"
)

// timing is what the command bench is asked for.
type timing struct {
	sizes         []int
	races, epochs []string
	seconds       float64
	ownOnly, gpu  bool
	out           string
}

// bench returns the command that races against other programs.
func (a *app) bench() *cobra.Command {
	x := &timing{
		sizes: []int{1_000, 10_000, 100_000, 1_000_000}, seconds: 1, races: bench.Races,
		epochs: []string{"BZR:nkf", "COX2:nkf", "DHFR:nkf", "Letter-high:nkf", "AIDS:nkf", "BACE:nkf",
			"HIV:nkf"},
	}
	cmd := a.command("bench", "Time integrals, signatures and trainings, and those of PyTorch and others",
		"The programs of PyTorch, JAX, signax and pysiglib come with nkf; $NKF_PYTHON, or python3,\n"+
			"runs them, and `make bench` installs one that can. All take turns on the backend that\n"+
			"GOMLX_BACKEND names, and the tables show medians. --gpu times a CUDA card, unless "+
			"GOMLX_BACKEND\nnames another backend, in ten minutes at most, and checks laws and reference "+
			"values first.",
		func(ctx context.Context, _ []string) error { return a.time(ctx, x) })
	addChoices(cmd, &x.races, "races", "what to time", bench.Races, bench.Races)
	addList(cmd, &x.sizes, "simplices", "NUMBERS", "numbers of simplices to integrate over; ten times "+
		"as many triangles of meshes, in chunks", nil, whole(1, most))
	addChoices(cmd, &x.epochs, "epochs", "data sets and models to time epochs of", bench.Trainings(), nil)
	addFlag(cmd, &x.seconds, "seconds", "SECONDS", "`SECONDS` for each program on each case",
		positive("take a number of seconds above 0"))
	cmd.Flags().BoolVar(&x.ownOnly, "alone", false, "time nkf only")
	cmd.Flags().BoolVar(&x.gpu, "gpu", false, "check and time a CUDA card")
	addText(cmd, &x.out, "out", "FILE", "where the results are written as JSON; build/bench.json, or "+
		"build/bench-gpu.json")
	check(cmd, func() error {
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
	o.Cases = x.cases()
	if err := fileio.Folder(filepath.Dir(out)); err != nil { // rather now than after all
		return err
	}
	o.Save = func(report *bench.Report) error { return saveJSON(out, report) }
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
	if err == nil && strings.HasPrefix(nkfx.BackendName(a.opened), cuda) { // also with TF32
		return "cuda", nil
	}
	return "cpu", err
}

// onCard are the flags with --gpu where they are not given: sizes that fill a card, and networks of each
// kind.
var onCard = map[string]string{
	"races": bench.Epochs + "," + bench.Integrals, "simplices": "10000,100000,1000000,10000000",
	"seconds": "0.5",
	"epochs":  "BZR:nkf,HIV:nkf,BZR:cochain,NATOPS:path",
}

// cases lists the work: 1-forms in several dimensions; 2-forms in R³ and 3-forms in R⁶, where they have more
// components than one and fewer than all; and signatures.
func (x *timing) cases() (cases []bench.Case) {
	for _, count := range x.sizes {
		cases = append(cases, bench.Case{Race: bench.Meshes, Simplices: 10 * count})
	}
	for _, name := range x.epochs {
		dataset, model, _ := strings.Cut(name, ":")
		cases = append(cases, bench.Case{Race: bench.Epochs, Dataset: dataset, Model: model})
	}
	for _, c := range []bench.Case{{Degree: 1, Dim: 3}, {Degree: 1, Dim: 16}, {Degree: 1, Dim: 53},
		{Degree: 2, Dim: 3}, {Degree: 3, Dim: 6}} {
		for _, c.Simplices = range x.sizes {
			c.Race = bench.Integrals
			if !x.gpu || c.Dim <= 16 && c.Degree < 3 {
				cases = append(cases, c)
			}
		}
	}
	for _, c := range []bench.Case{{Dim: 4, Depth: 4, Points: 128, Batch: 64},
		{Dim: 8, Depth: 3, Points: 128, Batch: 64}, {Dim: 3, Depth: 6, Points: 256, Batch: 64},
		{Dim: 2, Depth: 8, Points: 1000, Batch: 16}} {
		for _, c.Gradient = range []bool{false, true} {
			c.Race = bench.Signatures
			cases = append(cases, c)
		}
	}
	return slices.DeleteFunc(cases, func(c bench.Case) bool { return !slices.Contains(x.races, c.Race) })
}
