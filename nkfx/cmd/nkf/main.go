// Command nkf runs experiments with neural k-forms and manages what they need.
//
// It exits with 0 if everything requested was done, 1 after an error (one sentence on standard
// error), 2 after an invalid command line, 129 after SIGHUP, 130 after Ctrl-C and 143 after SIGTERM.
package main

import (
	"context"
	"io"
	"os"

	"github.com/neuralkforms/nkf/nkfx/cmd/nkf/internal/closed"
	_ "github.com/neuralkforms/nkf/nkfx/cmd/nkf/internal/home" // before others look for it
	_ "github.com/neuralkforms/nkf/nkfx/cmd/nkf/internal/limits"
	_ "github.com/neuralkforms/nkf/nkfx/cmd/nkf/internal/pages"
)

func main() {
	var stdout io.Writer = os.Stdout
	if closed.Stdout() {
		stdout = closed.Writer{}
	}
	app := newApp(os.Stdin, stdout, os.Stderr)
	os.Exit(app.run(app.listen(context.Background()), os.Args[1:]))
}
