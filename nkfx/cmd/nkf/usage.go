package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// check makes cmd check its flags together, before anything is done.
func check(cmd *cobra.Command, checks ...func() error) {
	before := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		if before != nil {
			if err := before(cmd, args); err != nil {
				return err
			}
		}
		for _, check := range checks {
			if err := check(); err != nil {
				return err
			}
		}
		return nil
	}
}

// required returns a check that the flags are given. Cobra knows of them for completion.
func required(cmd *cobra.Command, names ...string) func() error {
	for _, name := range names {
		must(cmd.MarkFlagRequired(name))
	}
	return func() error {
		if missing := given(cmd, false, names...); len(missing) > 0 {
			return fmt.Errorf("%s needs %s", cmd.CommandPath(), dashed(missing, "and"))
		}
		return nil
	}
}

// way is one of the ways to give a command its data: a flag, the flags that it needs, and those
// that go with it and no other way.
type way struct {
	flag         string
	needs, takes []string
}

// oneOfWays returns a check that the data are given in one way, with nothing of another.
func oneOfWays(cmd *cobra.Command, ways ...way) func() error {
	var names []string
	count := map[string]int{} // of the ways that a flag goes with
	for _, w := range ways {
		names = append(names, w.flag)
		for _, name := range slices.Concat(w.needs, w.takes) {
			count[name]++
		}
	}
	for _, w := range ways {
		own := slices.DeleteFunc(slices.Clone(w.needs), func(name string) bool { return count[name] > 1 })
		if len(own) > 0 {
			cmd.MarkFlagsRequiredTogether(append([]string{w.flag}, own...)...) // as in required
		}
	}
	cmd.MarkFlagsOneRequired(names...)
	cmd.MarkFlagsMutuallyExclusive(names...)
	return func() error {
		if err := alone(cmd, names...)(); err != nil {
			return err
		}
		chosen := strings.Join(given(cmd, true, names...), "")
		var fits []string
		for _, w := range ways {
			if w.flag == chosen {
				fits = slices.Concat(w.needs, w.takes)
			}
		}
		for _, w := range ways {
			missing := given(cmd, false, w.needs...)
			stray := slices.DeleteFunc(given(cmd, true, slices.Concat(w.needs, w.takes)...),
				func(name string) bool { return slices.Contains(fits, name) })
			switch {
			case chosen == w.flag && len(missing) > 0:
				return fmt.Errorf("--%s needs %s", w.flag, dashed(missing, "and"))
			case chosen == w.flag || len(stray) == 0:
			case chosen == "":
				return fmt.Errorf("--%s needs --%s", stray[0], w.flag)
			default:
				return fmt.Errorf("--%s goes with --%s, not with --%s", stray[0], w.flag, chosen)
			}
		}
		if chosen == "" {
			return fmt.Errorf("%s needs %s", cmd.CommandPath(), dashed(names, "or"))
		}
		return nil
	}
}

// alone returns a check that at most one of the flags is given.
func alone(cmd *cobra.Command, names ...string) func() error {
	return func() error {
		if several := given(cmd, true, names...); len(several) > 1 {
			return fmt.Errorf("%s: give one of them", dashed(several, "and"))
		}
		return nil
	}
}

// given returns the flags that are given, or those that are not.
func given(cmd *cobra.Command, want bool, names ...string) []string {
	return slices.DeleteFunc(slices.Clone(names),
		func(name string) bool { return cmd.Flags().Changed(name) != want })
}

// dashed lists flags: "--a, --b and --c".
func dashed(names []string, last string) string {
	text := "--" + strings.Join(names, ", --")
	if i := strings.LastIndex(text, ", "); i >= 0 {
		text = text[:i] + " " + last + text[i+1:]
	}
	return text
}

// noArguments refuses arguments that are no flags.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%q: %s takes flags alone", args[0], cmd.CommandPath())
	}
	return nil
}

// oneFile refuses anything but one argument, the name of a file.
func oneFile(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return fmt.Errorf("%s takes one file: give its path", cmd.CommandPath())
	case len(args) > 1:
		return fmt.Errorf("%q: %s takes one file", args[1], cmd.CommandPath())
	}
	return nil
}

// noCommand refuses arguments, which are no commands of cmd.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	found := cmd.SuggestionsFor(args[0])
	for i, name := range found {
		found[i] = cmd.CommandPath() + " " + name
	}
	return fmt.Errorf("there is no %s %s%s", cmd.CommandPath(), args[0], perhaps(found))
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
func perhaps(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ": did you mean " + strings.Join(names, " or ") + "?"
}

// flagError words an error of pflag as nkf does. The flags of an unknown command do not matter.
func (a *app) flagError(cmd *cobra.Command, err error) error {
	path := strings.Fields(cmd.CommandPath())[1:]
	words := slices.DeleteFunc(slices.Clone(a.args), func(s string) bool { return strings.HasPrefix(s, "-") })
	if cmd.HasSubCommands() && len(words) > len(path) && slices.Equal(words[:len(path)], path) {
		return noCommand(cmd, words[len(path):])
	}
	var invalid *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	var bare *pflag.ValueRequiredError
	switch {
	case errors.As(err, &invalid):
		flag, text := invalid.GetFlag(), invalid.GetValue()
		cause := invalid.Unwrap()
		if flag.Value.Type() == "bool" {
			cause = errors.New("take true or false, or leave it to the flag alone")
		}
		if text == "" {
			return fmt.Errorf("--%s %w", flag.Name, errEmpty)
		}
		if strings.Contains(cause.Error(), strconv.Quote(text)) {
			return fmt.Errorf("--%s: %w", flag.Name, cause)
		}
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			text = strconv.Quote(text)
		}
		return fmt.Errorf("--%s %s: %w", flag.Name, text, cause)
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		if unknown.GetSpecifiedShortnames() != "" {
			return fmt.Errorf("%s has no flag -%s", cmd.CommandPath(), name)
		}
		return fmt.Errorf("%s has no flag --%s%s", cmd.CommandPath(), name, perhaps(flagsLike(cmd, name)))
	case errors.As(err, &bare):
		return fmt.Errorf("--%s needs a value", bare.GetSpecifiedName())
	}
	return err
}

// flagsLike returns the flags of cmd with similar names, compared as cobra compares those of commands.
func flagsLike(cmd *cobra.Command, name string) (found []string) {
	names := &cobra.Command{SuggestionsMinimumDistance: 2}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		names.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
	})
	for _, name := range names.SuggestionsFor(name) {
		found = append(found, "--"+name)
	}
	return found
}
