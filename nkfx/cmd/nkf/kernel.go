package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/nkfx/internal/kernel"
)

// kernel returns the commands for the Jupyter kernel.
func (a *app) kernel() *cobra.Command {
	return a.group("kernel", "Install or remove the Jupyter kernel for Go notebooks that use nkf",
		a.kernelInstall(), a.kernelRemove(), a.kernelRun(), a.kernelBuild())
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
			_, err = k.Install(ctx, program, a.stderr)
			return err
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
