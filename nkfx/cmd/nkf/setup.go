package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/nkfx"
)

// setup returns the command that installs XLA.
func (a *app) setup() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "setup",
		Short: "Install XLA's CPU plug-in, on which everything runs about 10 times faster",
		Long: "Install XLA's CPU plug-in, unless one is there that works. It goes to the first folder\n" +
			"of PJRT_PLUGIN_LIBRARY_PATH, or else to your own library folder. Without it the pure Go\n" +
			"backend runs everything, about 10 times slower.",
		Args: noArguments,
	}
	var wheel string
	addText(cmd, &wheel, "wheel", "FILE", "take the plug-in from this `FILE`, where there is no network")
	cmd.RunE = a.do(func(ctx context.Context, _ []string) error {
		if wheel != "" {
			return nkfx.SetupFromWheel(ctx, wheel, a.stderr)
		}
		return nkfx.Setup(ctx, a.stderr)
	})
	return cmd
}
