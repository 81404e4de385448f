package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/internal/kernel"
	"github.com/neuralkforms/nkf/nkfx/internal/machine"
)

// version returns the command that prints the versions built into the program.
func (a *app) version() *cobra.Command {
	return a.withJSON(a.command("version", "Print the versions of nkf and of what it is built on", "",
		func(context.Context, []string) error {
			v := nkfx.Version()
			return a.show(v, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "nkf %s (%s, GoMLX %s, go-xla %s)\n", v.NKF, v.Go, v.GoMLX, v.GoXLA)
				return err
			})
		}))
}

// setup returns the command that installs XLA.
func (a *app) setup() *cobra.Command {
	var wheel string
	var cuda bool
	cmd := a.command("setup", "Install XLA's CPU plug-in, on which everything runs about 10 times faster",
		"A plug-in that works stays. A new one goes to the first folder of PJRT_PLUGIN_LIBRARY_PATH,\n"+
			"or else to your own library folder. Without it the pure Go backend runs everything.\n"+
			"With --cuda it is the one for NVIDIA cards, with the libraries of NVIDIA, 1.9 GB to download\n"+
			"unless the active Python has a JAX for CUDA 13. Where there is a card, it is used from then on.",
		func(ctx context.Context, _ []string) error { return machine.Setup(ctx, cuda, wheel, a.stderr) })
	addText(cmd, &wheel, "wheel", "FILE",
		"without a network: take the plug-in from this `FILE`, with --cuda the wheels from a folder")
	cmd.Flags().BoolVar(&cuda, "cuda", false, "install XLA's plug-in for NVIDIA cards, for CUDA 13")
	return cmd
}

// doctor returns the command that says what is there and what is missing.
func (a *app) doctor() *cobra.Command {
	return a.withJSON(a.command("doctor",
		"Show backend, plug-in, data and kernel, and how to get what is missing", "",
		func(ctx context.Context, _ []string) error {
			report := machine.Doctor(ctx)
			if err := a.show(report, report.Print); err != nil {
				return err
			}
			if !report.Backend.Works {
				return errors.New("no backend works, so nothing can run")
			}
			for _, p := range report.Plugins {
				if p.Error != "" {
					return fmt.Errorf("%s is not loaded: it is damaged, or not the installed one", p.Path)
				}
			}
			return nil
		}))
}

// data returns the commands for the published data sets.
func (a *app) data() *cobra.Command {
	list := a.command("list", "List the data sets and where they are", "",
		func(ctx context.Context, _ []string) error { return a.findData(ctx, false) })
	verify := a.command("verify", "Check every data set against its SHA-256, and fail if one differs", "",
		func(ctx context.Context, _ []string) error { return a.findData(ctx, true) })
	return a.group("data", "List and check the published data sets", a.withJSON(list), a.withJSON(verify))
}

// findData looks for all data sets and prints a table, or a line of JSON for each. It is an error if one was
// altered and they are to be verified.
func (a *app) findData(ctx context.Context, verify bool) error {
	reports := machine.Data(ctx, verify)
	var err error
	if a.asJSON {
		err = writeJSON(a.stdout, reports...)
	} else {
		err = machine.PrintData(a.stdout, reports)
	}
	for _, r := range reports {
		if r.State == machine.Altered && verify {
			err = errors.Join(err, errors.New(r.Error))
		}
	}
	return err
}

// kernel returns the commands for the Jupyter kernel.
func (a *app) kernel() *cobra.Command {
	return a.group("kernel", "Install or remove the Jupyter kernel for Go notebooks that use nkf",
		a.kernelInstall(), a.kernelRemove(), a.kernelScript(), a.kernelRun(), a.kernelBuild())
}

// addPrefix gives cmd the flag --prefix, the Jupyter that a kernel is of.
func addPrefix(cmd *cobra.Command, k *kernel.Kernel) {
	parse := func(text string) (string, error) { return filepath.Join(text, "share", "jupyter"), nil }
	addFlag(cmd, &k.Data, "prefix", "DIR", "install for the Jupyter of environment `DIR`", parse)
	must(cmd.MarkFlagDirname("prefix"))
}

func (a *app) kernelInstall() *cobra.Command {
	var k kernel.Kernel
	cmd := a.command("install", "Install or update the kernel \"Go (nkf)\"",
		"Its notebooks can import nkf, GoMLX and gonum at the versions that the checkout pins, wherever\n"+
			"they are, without a network.",
		func(ctx context.Context, _ []string) error {
			program, err := os.Executable()
			if err != nil {
				return err
			}
			return k.Install(ctx, program, a.stderr)
		})
	addPrefix(cmd, &k)
	addFolder(cmd, &k.Checkout, "checkout", "the checkout of nkf that cells use, if not here")
	return cmd
}

func (a *app) kernelRemove() *cobra.Command {
	var k kernel.Kernel
	cmd := a.command("remove", "Remove the kernel \"Go (nkf)\"", "",
		func(context.Context, []string) error { return k.Remove() })
	addPrefix(cmd, &k)
	return cmd
}

func (a *app) kernelScript() *cobra.Command {
	var k kernel.Kernel
	cmd := a.command("script NOTEBOOK", "Print a Go notebook as one program",
		"Cells become functions, which main calls in order; commands and text become comments; a variable\n"+
			"is set once. - reads the notebook from standard input.",
		func(ctx context.Context, args []string) error {
			r, path := a.stdin, args[0]
			if path != "-" {
				file, err := os.Open(path)
				if err != nil {
					return err
				}
				defer file.Close()
				r = file
			}
			program, err := k.Script(ctx, r)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			_, err = io.WriteString(a.stdout, program)
			return err
		})
	cmd.Args = cobra.ExactArgs(1)
	addFolder(cmd, &k.Checkout, "checkout", "the checkout of nkf that cells use, if not here")
	return cmd
}

func (a *app) kernelRun() *cobra.Command {
	var k kernel.Kernel
	cmd := a.command("run CONNECTION_FILE", "Run the kernel; Jupyter calls this", "",
		func(ctx context.Context, args []string) error {
			a.ending.patience.Store(int64(kernelPatience))
			return k.Run(ctx, args[0])
		})
	cmd.Args, cmd.Hidden = cobra.ExactArgs(1), true
	addFolder(cmd, &k.Checkout, "checkout", "the checkout of nkf that cells use")
	must(cmd.MarkFlagRequired("checkout"))
	return cmd
}

func (a *app) kernelBuild() *cobra.Command {
	cmd := a.command("build -- ARGUMENTS", "Wait until the kernel has built a cell; GoNB runs this as go", "",
		func(_ context.Context, args []string) error { return kernel.Build(args) })
	cmd.Args, cmd.Hidden = cobra.ArbitraryArgs, true
	return cmd
}
