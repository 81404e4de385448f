package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/nkfx"
)

// doctor returns the command that says what is there and what is missing.
func (a *app) doctor() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say which backend, plug-in, data and kernel there are, and how to get what is missing",
		Args:  noArguments,
	}
	asJSON := jsonFlag(cmd)
	cmd.RunE = a.do(func(ctx context.Context, _ []string) error {
		report := nkfx.Doctor(ctx)
		write := func() error { return report.Print(a.stdout) }
		if *asJSON {
			write = func() error { return a.emit(report) }
		}
		if err := write(); err != nil {
			return err
		}
		if !report.Backend.Works {
			return errors.New("no backend works, so nothing can run")
		}
		for _, p := range report.Plugins {
			if p.Error != "" {
				return fmt.Errorf("%s is not loaded: it is not whole, or not what was installed", p.Path)
			}
		}
		return nil
	})
	return cmd
}
