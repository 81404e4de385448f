package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gomlx/compute"
	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/layers/backends"
	"github.com/neuralkforms/nkf/nkfx"
)

// Exit codes. After a signal it is 128 and its number, as shells have it.
const (
	exitDone  = 0
	exitError = 1
	exitUsage = 2
)

func init() { // the version costs 50 ms where the program has to be read for it
	cobra.AddTemplateFunc("program", func() string { return nkfx.Version().NKF })
}

// app is one call of the program. Results go to stdout, everything else to stderr.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	started        bool   // the command line was valid
	dry            bool   // a command line is only checked
	asJSON         bool   // --json
	profile        string // --profile
	opened         compute.Backend
	ending         ending
}

func newApp(stdin io.Reader, stdout, stderr io.Writer) *app {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr}
	a.ending.patience.Store(int64(patience))
	return a
}

// run executes the command line args and returns the exit code.
func (a *app) run(ctx context.Context, args []string) int {
	root := a.root()
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	switch {
	case err == nil:
		return exitDone
	case ctx.Err() != nil:
		return a.interrupted(ctx)
	}
	fmt.Fprintf(a.stderr, "nkf: %s\n", oneLine(err))
	if !a.started {
		fmt.Fprintf(a.stderr, "nkf: see `%s --help`\n", cmd.CommandPath())
		return exitUsage
	}
	return exitError
}

// oneLine returns the message of an error on one line, with control characters escaped and without
// repetitions, as of several workers.
func oneLine(err error) string {
	var said []string
	for line := range strings.SplitSeq(err.Error(), "\n") {
		if line = fileio.Printable(strings.TrimSpace(line)); line != "" && !slices.Contains(said, line) {
			said = append(said, line)
		}
	}
	return strings.Join(said, "; ")
}

// root returns the command nkf with all its commands.
func (a *app) root() *cobra.Command {
	root := a.group("nkf", "Neural k-forms: representation learning on embedded simplicial complexes",
		a.runGroup(), a.mesh(), a.tableGroup(), a.train(), a.predict(),
		a.merge(), a.jobs(), a.setup(), a.doctor(), a.data(), a.kernel(), a.bench(), a.version())
	root.Args = nil // cobra suggests commands
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.Version = "any" // which gives it the flag
	root.SetVersionTemplate("nkf version {{program}}\n")
	return root
}

// action is what a command does.
type action = func(ctx context.Context, args []string) error

// group returns a command that only holds others.
func (a *app) group(name, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: name, Short: short, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(commands...)
	return cmd
}

// command returns a command that runs f and takes no arguments but flags; more follows short in its help.
func (a *app) command(use, short, more string, f action) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Args: cobra.NoArgs}
	if more != "" {
		cmd.Long = short + ".\n\n" + more
	}
	cmd.RunE = a.do(f)
	return cmd
}

// check makes cmd check its flags together, after cobra has and before it does anything.
func check(cmd *cobra.Command, f func() error) {
	before := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		if before != nil {
			if err := before(cmd, args); err != nil {
				return err
			}
		}
		return f()
	}
}

// do turns f into what cobra runs after its checks: an error is no longer one of usage; a panic becomes an
// error.
func (a *app) do(f action) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) (err error) {
		if a.started = true; a.dry {
			return nil
		}
		defer func() {
			// After a signal something may still be compiled on it, and the process ends.
			if a.opened != nil && cmd.Context().Err() == nil {
				a.opened.Finalize()
			}
			if p := recover(); p != nil {
				err = fmt.Errorf("nkf %s stopped on an internal error: %v", cmd.Name(), p)
			}
		}()
		return a.profiled(func() error { return f(cmd.Context(), args) })
	}
}

// profiled calls f, and writes a CPU profile of the call if one is asked for.
func (a *app) profiled(f func() error) error {
	if a.profile == "" {
		return f()
	}
	var profile bytes.Buffer // pprof writes at the end and ignores errors
	file, err := os.Create(a.profile)
	if err == nil {
		defer file.Close()
		err = pprof.StartCPUProfile(&profile)
	}
	if err != nil {
		return fmt.Errorf("the profile: %w", err)
	}
	defer pprof.StopCPUProfile()
	err = f()
	pprof.StopCPUProfile()
	if _, e := profile.WriteTo(file); e != nil {
		err = cmp.Or(err, fmt.Errorf("the profile: %w", e))
	}
	return err
}

// backend returns the backend to run on, which is finalized when the command has ended.
func (a *app) backend() (_ compute.Backend, err error) {
	backends.KeepPrograms()
	a.opened, err = backends.Open("", a.stderr)
	return a.opened, err
}

// withJSON gives cmd the flag --json and returns it.
func (a *app) withJSON(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().BoolVar(&a.asJSON, "json", false, "print only JSON on standard output")
	return cmd
}

// show writes v to standard output: as one line of JSON if that is asked for, or else as print does.
func (a *app) show(v any, print func(io.Writer) error) error {
	if a.asJSON {
		return writeJSON(a.stdout, v)
	}
	return print(a.stdout)
}

// writeJSON writes values as lines of JSON. It escapes what acts on a terminal: control characters,
// also those that JSON permits, and marks that reverse the direction of text.
func writeJSON[T any](w io.Writer, values ...T) error {
	for _, v := range values {
		text, err := json.Marshal(v)
		if err != nil {
			return err
		}
		line := make([]byte, 0, len(text)+1)
		for _, r := range string(text) {
			if strconv.IsPrint(r) {
				line = utf8.AppendRune(line, r)
				continue
			}
			for _, unit := range utf16.AppendRune(nil, r) {
				line = fmt.Appendf(line, `\u%04x`, unit)
			}
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// saveJSON writes a value to a file for people to read.
func saveJSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return fileio.Write(path, 0o666, fileio.Bytes(append(text, '\n')))
}

// writeTo writes to a file or, if out is "", to standard output, once all could be written: after an error
// there is no part of it. A device or a pipe is written to and not replaced. A file that is also read is an
// error.
func (a *app) writeTo(out string, read []string, write func(io.Writer) error) error {
	if out == "" {
		return atOnce(a.stdout, write)
	}
	there, err := os.Stat(out)
	if file, ok := a.stdout.(*os.File); ok && err == nil {
		if own, e := file.Stat(); e == nil && os.SameFile(there, own) { // /dev/stdout
			return atOnce(file, write)
		}
	}
	if err != nil || there.Mode().IsRegular() {
		for _, path := range read {
			if from, e := os.Stat(path); err == nil && e == nil && os.SameFile(there, from) {
				return fmt.Errorf("--out %s is the file that is read", out)
			}
		}
		return fileio.Write(out, 0o666, write)
	}
	file, err := os.OpenFile(out, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(atOnce(file, write), file.Close())
}

// atOnce writes everything at once, by way of a temporary file.
func atOnce(to io.Writer, write func(io.Writer) error) error {
	file, err := os.CreateTemp("", "nkf-")
	if err != nil {
		return fmt.Errorf("a temporary file: %w", err)
	}
	// Its name goes at once where the system allows that: a closed pipe ends the process without a defer.
	_ = os.Remove(file.Name())
	defer func() { _ = errors.Join(file.Close(), os.Remove(file.Name())) }() // it does no harm
	buffered := bufio.NewWriter(file)
	if err := errors.Join(write(buffered), buffered.Flush()); err != nil {
		return err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err = io.Copy(to, file)
	return err
}
