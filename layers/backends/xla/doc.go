// Package xla finds, verifies and opens XLA's plug-ins: it reports whether XLA is part of the program, where
// the plug-ins are, and whether they are intact and as installed. Without cgo the package compiles, but opens
// no plug-in.
//
// It may change at any time: what is promised to users is in other packages.
package xla

import (
	"errors"
	"fmt"
)

// ErrNotLinked is the error of opening a plug-in in a program that was built without XLA.
var ErrNotLinked = errors.New("this program was built without XLA, which needs cgo (CGO_ENABLED=1 and a C " +
	"compiler) and Linux on amd64 or arm64")

// Client describes a backend of XLA.
type Client struct {
	Kind   string // "cpu", "cuda", "cuda,tf32" if it rounds factors, or the name of another plug-in
	Config string // GoMLX's configuration, without "xla:"
	plugin string
}

// Recover stores what the surrounding function panicked with, if it did, in err. It is deferred itself.
func Recover(err *error) {
	switch p := recover().(type) {
	case nil:
	case error:
		*err = fmt.Errorf("gave up: %w", p)
	default:
		*err = fmt.Errorf("gave up: %v", p)
	}
}
