// Package home sets $HOME where it is unset, as in services and containers, to the home folder that
// the system knows for the user, or else to the root folder. It is imported for this side effect.
//
// Packages are initialized in the order of their paths once their imports are: this one, which
// imports the standard library alone, comes before k8s.io/klog, and so before go-xla, which would
// write a raw log line to standard error.
package home

import (
	"os"
	"os/user"
)

func init() {
	if _, err := os.UserHomeDir(); err == nil {
		return
	}
	home := "/"
	if u, err := user.Current(); err == nil && u.HomeDir != "" {
		home = u.HomeDir
	}
	// Should this fail, whatever needs a home reports it.
	_ = os.Setenv("HOME", home)
}
