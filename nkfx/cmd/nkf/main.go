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
	"time"
)

// patience is how long a command may take to end after an interrupt. What does not listen, as a compiler or a
// pipe that nobody writes to, is then left: what was finished is on the disk. A kernel takes ten seconds, and
// Slurm and Kubernetes wait thirty.
const patience = 15 * time.Second

func main() {
	app := newApp(os.Stdout, os.Stderr)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		stop() // a second Ctrl-C ends the program at once
		time.AfterFunc(patience, func() { os.Exit(app.interrupted()) })
	})
	os.Exit(app.run(ctx, os.Args[1:]))
}
