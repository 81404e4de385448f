package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gomlx/compute"
	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/nkfx"
)

// kernel returns the command that holds what concerns the Jupyter kernel.
func (a *app) kernel() *cobra.Command {
	cmd := a.group("kernel", "Install or remove the Jupyter kernel for Go notebooks that use nkf")
	cmd.AddCommand(a.kernelInstall(), a.kernelRemove(), a.kernelRun(), a.kernelTrim())
	return cmd
}

// prefixFlag gives cmd the flag that says which Jupyter is meant.
func prefixFlag(cmd *cobra.Command, k *nkfx.Kernel) {
	parse := func(text string) (string, error) { return filepath.Join(text, "share", "jupyter"), nil }
	addFlag(cmd, &k.Data, "prefix", "DIR", "the Jupyter of this environment `DIR`, instead of the user's",
		parse)
	must(cmd.MarkFlagDirname("prefix"))
}

func (a *app) kernelInstall() *cobra.Command {
	var k nkfx.Kernel
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Install the kernel \"Go (nkf)\"; again, to renew it",
		Long: "Install the kernel \"Go (nkf)\" for Jupyter. Its notebooks can import nkf, GoMLX and\n" +
			"gonum at the versions that the checkout pins, wherever they are, without a network.",
		Args: noArguments,
	}
	prefixFlag(cmd, &k)
	addFolder(cmd, &k.Checkout, "checkout", "the checkout of nkf that cells use, if not here")
	k.Backend = os.Getenv(compute.ConfigEnvVar)
	addFlag(cmd, &k.Backend, "backend", "NAME", "of cells: go, xla:cpu or xla:cuda; left to nkf if not given",
		backendName, "go", "xla:cpu", "xla:cuda")
	check(cmd, func() error {
		if k.Backend == "" {
			return nil
		}
		if _, err := backendName(k.Backend); err != nil {
			return fmt.Errorf("%s=%s: %w", compute.ConfigEnvVar, k.Backend, err)
		}
		return nil
	})
	cmd.RunE = a.do(func(ctx context.Context, _ []string) (err error) {
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
	cmd := &cobra.Command{Use: "remove", Short: "Remove the kernel \"Go (nkf)\"", Args: noArguments}
	prefixFlag(cmd, &k)
	cmd.RunE = a.do(func(context.Context, []string) error {
		return k.Remove()
	})
	return cmd
}

func (a *app) kernelRun() *cobra.Command {
	var k nkfx.Kernel
	cmd := &cobra.Command{
		Use:    "run CONNECTION_FILE",
		Short:  "Be the kernel; Jupyter runs this",
		Args:   oneFile,
		Hidden: true,
	}
	addFolder(cmd, &k.Checkout, "checkout", "the checkout of nkf that cells use")
	check(cmd, required(cmd, "checkout"))
	cmd.RunE = a.do(func(ctx context.Context, args []string) error {
		a.ending.patience.Store(int64(kernelPatience))
		return k.Run(ctx, args[0])
	})
	return cmd
}

// backendName takes what GOMLX_BACKEND can be, options included. Whether it is on this machine is another
// question: the kernel may be for another time.
func backendName(text string) (string, error) {
	kind, _, _ := strings.Cut(text, ":")
	if !slices.Contains([]string{"go", "xla", "stablehlo", "hlo", "shlo"}, kind) {
		return "", errors.New("take go, xla:cpu or xla:cuda")
	}
	return text, nil
}

// oneFile refuses all but the name of a file, which programs give.
func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%s takes one file, which the one that runs it names", cmd.CommandPath())
	}
	return nil
}

func (a *app) kernelTrim() *cobra.Command {
	cmd := &cobra.Command{
		Use:    "trim FILE",
		Short:  "Leave out of a cell's program what it does not use; the kernel runs this",
		Args:   oneFile,
		Hidden: true,
	}
	cmd.RunE = a.do(func(ctx context.Context, args []string) error { return nkfx.TrimCell(ctx, args[0]) })
	return cmd
}
