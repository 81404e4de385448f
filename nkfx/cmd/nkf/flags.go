package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// flagValue is a pflag.Value that is checked as it is read: an invalid one is an error of usage.
type flagValue struct {
	kind, text string
	set        func(text string) error
}

// Set reads a value.
func (v *flagValue) Set(text string) error {
	if text == "" {
		return errors.New("is empty") // often an unset shell variable
	}
	err := v.set(text)
	if err == nil {
		v.text = text
	}
	return err
}

// Type returns the word for a value in the help.
func (v *flagValue) Type() string { return v.kind }

// String returns the text that was given, or the default.
func (v *flagValue) String() string { return v.text }

// addFlag gives cmd a flag that parse reads into to, which holds the default. Shells complete the names.
func addFlag[T any](cmd *cobra.Command, to *T, name, kind, usage string, parse func(string) (T, error),
	names ...string) {
	set := func(text string) (err error) {
		value, err := parse(text)
		if err == nil {
			*to = value
		}
		return err
	}
	cmd.Flags().Var(&flagValue{kind, fmt.Sprint(*to), set}, name, usage)
	complete(cmd, name, names)
}

// complete makes shells complete a flag with names.
func complete(cmd *cobra.Command, flag string, names []string) {
	if names != nil {
		completions := cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)
		must(cmd.RegisterFlagCompletionFunc(flag, completions))
	}
}

// addList gives cmd a flag of values separated by commas, which can be repeated. The word all
// stands for all values, if there are any; a value named twice counts once.
func addList[T comparable](cmd *cobra.Command, to *[]T, name, kind, usage string, all []T,
	parse func(string) (T, error), names ...string) {
	var given []T
	set := func(text string) error {
		for part := range strings.SplitSeq(text, ",") {
			values := all
			if part = strings.TrimSpace(part); all == nil || !strings.EqualFold(part, "all") {
				value, err := parse(part)
				if err != nil {
					return err
				}
				values = []T{value}
			}
			for _, value := range values {
				if !slices.Contains(given, value) {
					given = append(given, value)
				}
			}
		}
		*to = given
		return nil
	}
	text := strings.Trim(strings.ReplaceAll(fmt.Sprint(*to), " ", ","), "[]")
	if all != nil {
		if slices.Equal(*to, all) {
			text = "all"
		}
		names = append(slices.Clone(names), "all")
	}
	cmd.Flags().Var(&flagValue{kind, text, set}, name, usage)
	complete(cmd, name, names)
}

// addText gives cmd a flag of any text but none.
func addText(cmd *cobra.Command, to *string, name, kind, usage string) {
	addFlag(cmd, to, name, kind, usage, func(text string) (string, error) { return text, nil })
}

// addFolder gives cmd a flag that names a folder.
func addFolder(cmd *cobra.Command, to *string, name, usage string) {
	addText(cmd, to, name, "DIR", usage)
	must(cmd.MarkFlagDirname(name))
}

// addChoice gives cmd a flag that is one of some names.
func addChoice(cmd *cobra.Command, to *string, name, usage string, names []string) {
	addFlag(cmd, to, name, "NAME", usage, oneOf(names), names...)
}

// addChoices gives cmd a flag of one or more of some names; the word all stands for all, if there are any.
func addChoices(cmd *cobra.Command, to *[]string, name, usage string, names, all []string) {
	addList(cmd, to, name, "NAMES", usage, all, oneOf(names), names...)
}

// addNumber gives cmd a flag of an integer within bounds.
func addNumber(cmd *cobra.Command, to *int, name, usage string, least, greatest int) {
	addFlag(cmd, to, name, "N", usage, whole(least, greatest))
}

// addSeed gives cmd the flag --seed.
func addSeed(cmd *cobra.Command, to *uint32, usage string) {
	addFlag(cmd, to, "seed", "N", usage, func(text string) (uint32, error) {
		seed, err := strconv.ParseUint(text, 10, 32)
		if err != nil {
			err = fmt.Errorf("take a whole number from 0 to %d", uint32(math.MaxUint32))
		}
		return uint32(seed), err
	})
}

// positive returns a parser of positive numbers, and says what to take in place of others.
func positive(remedy string) func(string) (float64, error) {
	return func(text string) (float64, error) {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x > 0) || math.IsInf(x, 0) {
			return 0, errors.New(remedy)
		}
		return x, nil
	}
}

// most bounds integers without a bound of their own: no computer gets to the end of more.
const most = 1_000_000_000

// whole returns a parser of integers within bounds.
func whole(least, greatest int) func(string) (int, error) {
	return func(text string) (int, error) {
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > greatest {
			return 0, fmt.Errorf("take a whole number from %d to %d", least, greatest)
		}
		return n, nil
	}
}

// oneOf returns a parser of names in any case, which it returns as they are spelled.
func oneOf(names []string) func(string) (string, error) {
	return func(text string) (string, error) {
		i := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, text) })
		if i < 0 {
			return "", fmt.Errorf("want one of %s", strings.Join(names, ", "))
		}
		return names[i], nil
	}
}

// must panics with an error that only a fault of the program makes.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
