package main

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// completeList makes shells complete a flag that takes values with commas
// between them, each once.
func completeList(cmd *cobra.Command, name string, candidates func() []string) {
	must(cmd.RegisterFlagCompletionFunc(name, func(_ *cobra.Command, _ []string, text string) (
		[]cobra.Completion, cobra.ShellCompDirective) {
		head, tail := "", text
		if i := strings.LastIndexByte(text, ',') + 1; i > 0 {
			head, tail = text[:i], text[i:]
		}
		given := strings.Split(head, ",")
		var found []cobra.Completion
		for _, candidate := range candidates() {
			if !slices.Contains(given, candidate) && strings.HasPrefix(candidate, tail) {
				found = append(found, head+candidate)
			}
		}
		return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}))
}

// completeWrapped completes the command line that a job file is to have, as it
// is completed without jobs.
func (a *app) completeWrapped(_ *cobra.Command, args []string, text string) (
	[]cobra.Completion, cobra.ShellCompDirective) {
	var out bytes.Buffer
	inner := newApp(a.stdin, &out, io.Discard)
	inner.run(context.Background(), append(append([]string{cobra.ShellCompRequestCmd}, args...), text))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	directive, err := strconv.Atoi(strings.TrimPrefix(lines[len(lines)-1], ":"))
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return lines[:len(lines)-1], cobra.ShellCompDirective(directive)
}
