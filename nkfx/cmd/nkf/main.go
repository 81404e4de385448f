// Command nkf runs experiments with neural k-forms and manages what they need.
//
// It exits with 0 if everything requested was done, 1 after an error (one sentence on standard
// error), 2 after an invalid command line, 130 after Ctrl-C and 143 after SIGTERM.
package main

import (
	"context"
	"os"

	_ "github.com/neuralkforms/nkf/nkfx/cmd/nkf/internal/home" // before others look for it
	_ "github.com/neuralkforms/nkf/nkfx/cmd/nkf/internal/pages"
)

func main() {
	app := newApp(os.Stdin, os.Stdout, os.Stderr)
	os.Exit(app.run(app.listen(context.Background()), os.Args[1:]))
}
