package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// check makes cmd check its flags together, once cobra has, before anything is done.
func check(cmd *cobra.Command, checks ...func() error) {
	before := cmd.PreRunE
	all := append([]func() error{cmd.ValidateRequiredFlags, cmd.ValidateFlagGroups}, checks...)
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		if before != nil {
			if err := before(cmd, args); err != nil {
				return err
			}
		}
		for _, check := range all {
			if err := check(); err != nil {
				return err
			}
		}
		return nil
	}
}

// way is one of the ways to give a command its data: a flag, the flags that it needs, and those that go
// with it.
type way struct {
	flag         string
	needs, takes []string
}

// oneOfWays makes cmd take its data in one way, with nothing of another. Cobra has no groups of flags of
// which one belongs to several.
func oneOfWays(cmd *cobra.Command, ways ...way) {
	var names []string
	for _, w := range ways {
		names = append(names, w.flag)
	}
	cmd.MarkFlagsOneRequired(names...)
	cmd.MarkFlagsMutuallyExclusive(names...)
	given := func(name string) bool { return cmd.Flags().Changed(name) }
	check(cmd, func() error {
		chosen := ways[slices.IndexFunc(ways, func(w way) bool { return given(w.flag) })]
		for _, name := range chosen.needs {
			if !given(name) {
				return fmt.Errorf("--%s needs --%s", chosen.flag, strings.Join(chosen.needs, " and --"))
			}
		}
		for _, w := range ways {
			for _, name := range slices.Concat(w.needs, w.takes) {
				if given(name) && !slices.Contains(slices.Concat(chosen.needs, chosen.takes), name) {
					return fmt.Errorf("--%s goes with --%s, not with --%s", name, w.flag, chosen.flag)
				}
			}
		}
		return nil
	})
}

// noCommand refuses arguments, which are no commands of cmd.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	return fmt.Errorf("there is no %s %s%s", cmd.CommandPath(), args[0],
		perhaps(cmd.CommandPath()+" ", cmd.SuggestionsFor(args[0])))
}

// noArguments refuses arguments of a command that takes only flags.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%q: %s takes only flags", args[0], cmd.CommandPath())
}

// noFile refuses arguments as noCommand does, and says what to write for the name of a file or of a folder,
// with %s in the place of the name. A group without a command for folders has "" for them.
func noFile(file, folder string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		write := file
		if isFolder(args[0]) {
			write = folder
		} else if _, err := os.Stat(args[0]); err != nil && !strings.ContainsAny(args[0], "./\\") {
			write = ""
		}
		if write == "" {
			return noCommand(cmd, args)
		}
		return fmt.Errorf("%s is no command: write %s", args[0], fmt.Sprintf(write, shell(args[:1])))
	}
}

// isFolder reports whether a path is that of a folder.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// perhaps asks whether one of the names was meant, if any.
func perhaps(prefix string, names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ": did you mean " + prefix + strings.Join(names, " or "+prefix) + "?"
}

// flagError adds to an error of pflag which flag was meant. The flags of an unknown command do not matter.
func flagError(cmd *cobra.Command, err error) error {
	if args := cmd.Flags().Args(); cmd.HasSubCommands() && len(args) > 0 {
		return noCommand(cmd, args)
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
		names := &cobra.Command{SuggestionsMinimumDistance: 2} // compared as cobra compares those of commands
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			names.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
		})
		return fmt.Errorf("%w%s", err, perhaps("--", names.SuggestionsFor(unknown.GetSpecifiedName())))
	}
	return err
}
