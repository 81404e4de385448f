package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/nkfx"
)

// version returns the command that prints the versions built into the program.
func (a *app) version() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the versions of nkf and of what it is built on",
		Args:  noArguments,
	}
	asJSON := jsonFlag(cmd)
	cmd.RunE = a.do(func(context.Context, []string) error {
		v := nkfx.Version()
		if *asJSON {
			return a.emit(v)
		}
		_, err := fmt.Fprintf(a.stdout, "nkf %s (%s, GoMLX %s, go-xla %s)\n", v.NKF, v.Go, v.GoMLX, v.GoXLA)
		return err
	})
	return cmd
}
