package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// check makes cmd look at its flags together, before anything is done.
func check(cmd *cobra.Command, checks ...func() error) {
	cmd.PreRunE = func(*cobra.Command, []string) error {
		for _, check := range checks {
			if err := check(); err != nil {
				return err
			}
		}
		return nil
	}
}

// required returns a check that the flags are given.
func required(cmd *cobra.Command, names ...string) func() error {
	for _, name := range names {
		must(cmd.MarkFlagRequired(name)) // for those who complete a line
	}
	return func() error {
		if missing := without(cmd, names); len(missing) > 0 {
			return fmt.Errorf("%s needs %s", cmd.CommandPath(), dashed(missing, "and"))
		}
		return nil
	}
}

// way is one of the ways to give a command its data: a flag, with those that
// it needs and those that go with it and with no other way.
type way struct {
	flag         string
	needs, takes []string
}

// oneOfWays returns a check that the data are given in one way, with nothing
// of another.
func oneOfWays(cmd *cobra.Command, ways ...way) func() error {
	var names []string
	for _, w := range ways {
		names = append(names, w.flag)
		if len(w.needs) > 0 {
			cmd.MarkFlagsRequiredTogether(append([]string{w.flag}, w.needs...)...) // as in required
		}
	}
	cmd.MarkFlagsOneRequired(names...)
	cmd.MarkFlagsMutuallyExclusive(names...)
	return func() error {
		given := with(cmd, names)
		if len(given) > 1 {
			return fmt.Errorf("%s: give one of them", dashed(given, "and"))
		}
		for _, w := range ways {
			here := len(given) == 1 && given[0] == w.flag
			if missing := without(cmd, w.needs); here && len(missing) > 0 {
				return fmt.Errorf("--%s needs %s", w.flag, dashed(missing, "and"))
			}
			stray := append(with(cmd, w.needs), with(cmd, w.takes)...)
			switch {
			case here || len(stray) == 0:
			case len(given) == 0:
				return fmt.Errorf("--%s needs --%s", stray[0], w.flag)
			default:
				return fmt.Errorf("--%s goes with --%s, not with --%s", stray[0], w.flag, given[0])
			}
		}
		if len(given) == 0 {
			return fmt.Errorf("%s needs %s", cmd.CommandPath(), dashed(names, "or"))
		}
		return nil
	}
}

// alone returns a check that no more than one of the flags is given.
func alone(cmd *cobra.Command, names ...string) func() error {
	return func() error {
		if given := with(cmd, names); len(given) > 1 {
			return fmt.Errorf("%s: give one of them", dashed(given, "and"))
		}
		return nil
	}
}

// with returns the flags that are given, without those that are not.
func with(cmd *cobra.Command, names []string) []string    { return given(cmd, names, true) }
func without(cmd *cobra.Command, names []string) []string { return given(cmd, names, false) }

func given(cmd *cobra.Command, names []string, want bool) (found []string) {
	for _, name := range names {
		if cmd.Flags().Changed(name) == want {
			found = append(found, name)
		}
	}
	return found
}

// dashed lists flags: "--a, --b and --c".
func dashed(names []string, last string) string {
	text := "--" + strings.Join(names, ", --")
	if i := strings.LastIndex(text, ", "); i >= 0 {
		text = text[:i] + " " + last + text[i+1:]
	}
	return text
}

// noArguments refuses what is no flag.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%q: %s takes flags alone", args[0], cmd.CommandPath())
	}
	return nil
}

// noCommand refuses what is none of the commands that cmd holds.
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

// perhaps asks whether one of the names was meant.
func perhaps(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ": did you mean " + strings.Join(names, " or ") + "?"
}

// flagError says in words of nkf's own what pflag does not take. Of a command
// that there is not, the flags do not matter.
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

// flagsLike returns the flags of cmd with nearly that name, as cobra compares
// the names of commands.
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
