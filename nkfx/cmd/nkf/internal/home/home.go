// Package home sets $HOME if it is unset, as in services and containers, to the user's home folder
// according to the system, or else to the root folder. It is imported for this side effect.
//
// Packages are initialized in the order of their paths, after their imports. This package imports
// only the standard library, so it is initialized before k8s.io/klog and go-xla, which would
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
