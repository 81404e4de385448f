// Command nkf runs the experiments with neural k-forms, and looks after what they need.
//
// It exits with 0 if all that was asked for was done, 1 after an error (told in one sentence on
// standard error), 2 if the command line is wrong, 130 after Ctrl-C and 143 after SIGTERM.
package main

import (
	"context"
	"os"

	_ "github.com/neuralkforms/nkf/nkfx/cmd/nkf/internal/home" // before others look for it
)

func main() {
	app := newApp(os.Stdin, os.Stdout, os.Stderr)
	os.Exit(app.run(app.listen(context.Background()), os.Args[1:]))
}
