package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/nkfx"
)

// kernel returns the command that holds what concerns the Jupyter kernel.
func (a *app) kernel() *cobra.Command {
	cmd := a.group("kernel", "Install or remove the Jupyter kernel for Go notebooks that use nkf")
	cmd.AddCommand(a.kernelInstall(), a.kernelRemove(), a.kernelRun())
	return cmd
}

// prefixFlag gives cmd the flag that says which Jupyter is meant.
func prefixFlag(cmd *cobra.Command, k *nkfx.Kernel) (apply func()) {
	prefix := cmd.Flags().String("prefix", "", "the Jupyter of this environment `DIR`, instead of the user's")
	return func() {
		if *prefix != "" {
			k.Data = filepath.Join(*prefix, "share", "jupyter")
		}
	}
}

func (a *app) kernelInstall() *cobra.Command {
	var k nkfx.Kernel
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Install the kernel \"Go (nkf)\"; again, to renew it",
		Long: "Install the kernel \"Go (nkf)\" for Jupyter. Its notebooks can import nkf, GoMLX and\n" +
			"gonum at the versions that the checkout pins, wherever they are, without a network.",
		Args: cobra.NoArgs,
	}
	apply := prefixFlag(cmd, &k)
	cmd.Flags().StringVar(&k.Checkout, "checkout", "", "the checkout of nkf that cells use, if not here")
	cmd.Flags().StringVar(&k.Backend, "backend", os.Getenv("GOMLX_BACKEND"),
		"of cells: go, xla:cpu or xla:cuda; left to nkf if not given")
	cmd.RunE = a.do(func(ctx context.Context, _ []string) (err error) {
		apply()
		from := k.Checkout
		if from == "" {
			from = "."
		}
		if k.Checkout, err = nkfx.FindCheckout(from); err != nil {
			return err
		}
		program, err := os.Executable()
		if err != nil {
			return err
		}
		_, err = k.Install(ctx, program, a.stderr)
		return err
	})
	return cmd
}

func (a *app) kernelRemove() *cobra.Command {
	var k nkfx.Kernel
	cmd := &cobra.Command{Use: "remove", Short: "Remove the kernel \"Go (nkf)\"", Args: cobra.NoArgs}
	apply := prefixFlag(cmd, &k)
	cmd.RunE = a.do(func(context.Context, []string) error {
		apply()
		return k.Remove()
	})
	return cmd
}

func (a *app) kernelRun() *cobra.Command {
	var k nkfx.Kernel
	cmd := &cobra.Command{
		Use:    "run CONNECTION_FILE",
		Short:  "Be the kernel; Jupyter runs this",
		Args:   cobra.ExactArgs(1),
		Hidden: true,
	}
	cmd.Flags().StringVar(&k.Checkout, "checkout", "", "the checkout of nkf that cells use")
	cmd.RunE = a.do(func(ctx context.Context, args []string) error { return k.Run(ctx, args[0]) })
	return cmd
}
