package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitDone        = 0
	exitError       = 1
	exitUsage       = 2
	exitInterrupted = 130 // 128 + SIGINT, as shells have it
)

// app is one call of the program. Results go to stdout; everything said meanwhile goes to stderr.
type app struct {
	stdout, stderr io.Writer
	started        bool // the command line was understood
}

func newApp(stdout, stderr io.Writer) *app { return &app{stdout: stdout, stderr: stderr} }

// run executes the command line args and returns the exit code.
func (a *app) run(ctx context.Context, args []string) int {
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return exitDone
	case ctx.Err() != nil:
		return a.interrupted()
	}
	fmt.Fprintf(a.stderr, "nkf: %s\n", strings.ReplaceAll(err.Error(), "\n", "; "))
	if asked := (usageError{}); !a.started || errors.As(err, &asked) {
		fmt.Fprintln(a.stderr, "nkf: see `nkf help` or `nkf COMMAND --help`")
		return exitUsage
	}
	return exitError
}

// interrupted says so and returns the exit code.
func (a *app) interrupted() int {
	fmt.Fprintln(a.stderr, "nkf: interrupted")
	return exitInterrupted
}

// root returns the command nkf with all that it can do; every command has a file of its own.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "nkf",
		Short:         "Neural k-forms: representation learning on embedded simplicial complexes",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(
		a.runGroup(),
		a.molecules(),
		a.tableGroup(),
		a.train(),
		a.predict(),
		a.merge(),
		a.jobs(),
		a.setup(),
		a.doctor(),
		a.data(),
		a.kernel(),
		a.bench(),
		a.version(),
	)
	return root
}

// group returns a command that only holds others.
func (a *app) group(name, short string) *cobra.Command {
	return &cobra.Command{
		Use:   name,
		Short: short,
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
}

// do turns f into what cobra runs. From its first line on, an error is no longer one of usage; what f panics
// with becomes an error.
func (a *app) do(f func(ctx context.Context, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) (err error) {
		a.started = true
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("nkf %s stopped on a fault of its own: %v", cmd.Name(), p)
			}
		}()
		return f(cmd.Context(), args)
	}
}

// jsonFlag gives cmd the flag --json and returns where it is stored.
func jsonFlag(cmd *cobra.Command) *bool {
	return cmd.Flags().Bool("json", false, "print JSON on standard output, and nothing else")
}

// emit writes v to standard output as one line of JSON.
func (a *app) emit(v any) error { return json.NewEncoder(a.stdout).Encode(v) }
