// Command nkf runs the experiments with neural k-forms, and looks after what they need.
//
// It exits with 0 if all that was asked for was done, 1 after an error (told in one sentence on standard
// error), 2 if the command line is wrong and 130 if it was interrupted.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	os.Exit(newApp(os.Stdout, os.Stderr).run(ctx, os.Args[1:]))
}
