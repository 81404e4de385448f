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

// flagValue is the value of a flag. It is checked as it is read: what the flag
// does not take is an error of usage, before anything is done.
type flagValue struct {
	kind, text string
	set        func(text string) error
}

// Set is that of pflag.Value, as are Type and String.
func (v *flagValue) Set(text string) error {
	if text == "" {
		return errEmpty
	}
	if err := v.set(text); err != nil {
		return err
	}
	v.text = text
	return nil
}

// Type returns the word that stands for a value in the help.
func (v *flagValue) Type() string { return v.kind }

// String returns the text that was given, or the default.
func (v *flagValue) String() string { return v.text }

// errEmpty is what is wrong with a flag without a text, as a script gives it
// whose variable is not set.
var errEmpty = errors.New("is empty")

// addFlag gives cmd a flag whose text parse turns into what it stands for; the
// default is what is there. Shells complete its names.
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
	if names != nil {
		completions := cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)
		must(cmd.RegisterFlagCompletionFunc(name, completions))
	}
}

// addList gives cmd a flag of several values with commas between them, which
// can also be given several times. The word all stands for all values, if
// there are any; a value that is named twice counts once.
func addList[T comparable](cmd *cobra.Command, to *[]T, name, kind, usage string, all []T,
	parse func(string) (T, error), names ...string) {
	var given []T
	take := func(values ...T) {
		for _, value := range values {
			if !slices.Contains(given, value) {
				given = append(given, value)
			}
		}
	}
	set := func(text string) error {
		for part := range strings.SplitSeq(text, ",") {
			if part = strings.TrimSpace(part); all != nil && strings.EqualFold(part, "all") {
				take(all...)
				continue
			}
			value, err := parse(part)
			if err != nil {
				return err
			}
			take(value)
		}
		*to = given
		return nil
	}
	cmd.Flags().Var(&flagValue{kind, list(*to, all), set}, name, usage)
	if all != nil {
		names = append(slices.Clone(names), "all")
	}
	completeList(cmd, name, func() []string { return names })
}

// list returns the text of several values.
func list[T comparable](values, all []T) string {
	if all != nil && slices.Equal(values, all) {
		return "all"
	}
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(values), " ", ","), "[]")
}

// addText gives cmd a flag that takes any text but none.
func addText(cmd *cobra.Command, to *string, name, kind, usage string, names ...string) {
	addFlag(cmd, to, name, kind, usage, func(text string) (string, error) { return text, nil }, names...)
}

// addFolder gives cmd a flag that names a folder.
func addFolder(cmd *cobra.Command, to *string, name, usage string) {
	addText(cmd, to, name, "DIR", usage)
	must(cmd.MarkFlagDirname(name))
}

// addChoice gives cmd a flag that is one of some names.
func addChoice(cmd *cobra.Command, to *string, name, usage string, names []string) {
	addFlag(cmd, to, name, "NAME", usage, oneOf(names, nil), names...)
}

// addChoices gives cmd a flag of one or more of some names; all are those that
// the word all stands for.
func addChoices(cmd *cobra.Command, to *[]string, name, usage string, names, all []string) {
	addList(cmd, to, name, "NAMES", usage, all, oneOf(names, all), names...)
}

// addNumber gives cmd a flag that takes a whole number within bounds.
func addNumber(cmd *cobra.Command, to *int, name, usage string, least, greatest int) {
	addFlag(cmd, to, name, "N", usage, whole(least, greatest))
}

// addSeed gives cmd the flag --seed.
func addSeed(cmd *cobra.Command, to *uint32, usage string) {
	addFlag(cmd, to, "seed", "N", usage, func(text string) (uint32, error) {
		n, err := strconv.ParseUint(text, 10, 32)
		if err != nil {
			return 0, fmt.Errorf("take a whole number, 0 to %d", uint32(math.MaxUint32))
		}
		return uint32(n), nil
	})
}

// most bounds whole numbers that are bounded by nothing else: no computer gets
// to the end of more.
const most = 1_000_000_000

// whole returns what reads whole numbers within bounds.
func whole(least, greatest int) func(string) (int, error) {
	return func(text string) (int, error) {
		n, err := strconv.Atoi(text) // of a number that is too large, the largest there is
		switch {
		case err != nil && !errors.Is(err, strconv.ErrRange):
			return 0, fmt.Errorf("take a whole number, %d or more", least)
		case n < least:
			return 0, fmt.Errorf("take %d or more", least)
		case n > greatest:
			return 0, fmt.Errorf("take %d or less", greatest)
		}
		return n, nil
	}
}

// oneOf returns what reads one of the names, in upper or lower case, and
// returns it as it is spelled there.
func oneOf(names, all []string) func(string) (string, error) {
	return func(text string) (string, error) {
		i := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, text) })
		if i >= 0 {
			return names[i], nil
		}
		known := strings.Join(names, ", ")
		if all != nil {
			known += ", and all"
		}
		return "", fmt.Errorf("there are %s", known)
	}
}

// must panics with an error that only a fault of the program makes.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
