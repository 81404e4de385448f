// Package home sets $HOME where it is not set, as in services and containers, to what the system
// has for the user, or else to the root folder, as containers do. It is imported for that alone.
//
// Packages are initialized in the order of their paths as soon as what they import is: this one,
// which imports nothing but the standard library, before k8s.io/klog, and so before go-xla, which
// would write a raw line of a log to standard error.
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
	// If even this fails, what needs a home says so.
	_ = os.Setenv("HOME", home)
}
