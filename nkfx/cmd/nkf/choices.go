package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// usageError is a command line that asks for what there is not.
type usageError struct{ error }

// usage marks an error as one of usage; nil stays nil.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

// pick returns the names that a flag asks for, as they are spelled in all;
// "all" among them is all of them. Names that are not there are an error of
// usage, before anything is done; a name that is there twice counts once.
func pick(flag string, asked, all []string) ([]string, error) {
	var picked []string
next:
	for _, name := range asked {
		if strings.EqualFold(name, "all") {
			return all, nil
		}
		for _, known := range all {
			if strings.EqualFold(name, known) {
				if !slices.Contains(picked, known) {
					picked = append(picked, known)
				}
				continue next
			}
		}
		known := strings.Join(all, ", ")
		return nil, usageError{fmt.Errorf("--%s %q: there are %s, and all", flag, name, known)}
	}
	if len(picked) == 0 {
		return nil, usageError{fmt.Errorf("--%s: nothing is asked for", flag)}
	}
	return picked, nil
}

// pickSplit returns the way to split molecules of that name.
func pickSplit(name string) (string, error) {
	i := slices.IndexFunc(experiments.Splits, func(s string) bool { return strings.EqualFold(s, name) })
	if i < 0 {
		known := strings.Join(experiments.Splits, ", ")
		return "", usage(fmt.Errorf("no split %q: there are %s", name, known))
	}
	return experiments.Splits[i], nil
}

// filled returns an error of usage if one of the flags was given with nothing
// in it, as a script does whose variable is not set.
func filled(flags *pflag.FlagSet, names ...string) error {
	for _, name := range names {
		if flag := flags.Lookup(name); flag != nil && flag.Changed && flag.Value.String() == "" {
			return usage(fmt.Errorf("--%s is empty", name))
		}
	}
	return nil
}

// positive returns an error of usage unless the number of a flag is 1 or more.
func positive(flag string, number int) error {
	if number < 1 {
		return usage(fmt.Errorf("--%s %d: take 1 or more", flag, number))
	}
	return nil
}
