package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

// How long a command may take to end after a signal. Code that does not listen, such as a compiler
// or a read of a silent pipe, is then abandoned: finished work is on the disk, and files appear
// whole or not at all. A kernel gives its cells five seconds; Slurm and Kubernetes wait for thirty.
const (
	patience       = 2 * time.Second
	kernelPatience = 15 * time.Second
)

// ending is the state of a call of the program that a signal ends.
type ending struct {
	patience atomic.Int64 // as a duration
	begun    atomic.Bool  // from then on nothing shows how far the work is
}

// signaled is the cause of a context that a signal has ended.
type signaled struct{ signal syscall.Signal }

// Error returns "interrupted", "terminated" or "hung up".
func (s signaled) Error() string {
	switch s.signal {
	case syscall.SIGTERM:
		return "terminated"
	case syscall.SIGHUP:
		return "hung up"
	}
	return "interrupted"
}

// listen returns a context that ends with the first Ctrl-C, SIGTERM or SIGHUP, which it announces. A second
// one ends the program at once. Under nohup SIGHUP stays ignored.
func (a *app) listen(parent context.Context) context.Context {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		s := signaled{(<-signals).(syscall.Signal)}
		signal.Stop(signals)
		a.ending.begun.Store(true)
		patience := time.Duration(a.ending.patience.Load())
		again := "another signal ends it"
		if s.signal == syscall.SIGINT {
			again = "Ctrl-C again ends it"
		}
		if a.terminal() {
			fmt.Fprintln(a.stderr) // below what is being drawn
		}
		fmt.Fprintf(a.stderr, "nkf: stopping, which takes %.0f seconds at most; %s at once\n",
			patience.Seconds(), again)
		cancel(s)
		time.AfterFunc(patience, func() { os.Exit(a.interrupted(ctx)) })
	}()
	return ctx
}

// interrupted reports why the context has ended and returns the exit code.
func (a *app) interrupted(ctx context.Context) int {
	s := signaled{syscall.SIGINT}
	errors.As(context.Cause(ctx), &s)
	fmt.Fprintf(a.stderr, "nkf: %v\n", s)
	return 128 + int(s.signal)
}
