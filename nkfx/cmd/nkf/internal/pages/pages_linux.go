//go:build linux && cgo

package pages

import (
	"os"
	"syscall"
)

// A program restarts, as the same process, with the settings of its memory, unless it has them or cannot. It
// restarts once: a program with privileges starts without the settings every time. This package imports only
// the standard library, so that most others are initialized after it, and once.
func init() {
	const restarted = "NKF_RESTARTED"
	if os.Getenv(restarted) != "" {
		os.Unsetenv(restarted)
		return
	}
	enabled, _ := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	const name = "GLIBC_TUNABLES"
	with, anew := tunables(string(enabled), os.Getenv(name))
	program, err := os.Executable()
	if !anew || err != nil || os.Setenv(name, with) != nil || os.Setenv(restarted, "1") != nil {
		return
	}
	_ = syscall.Exec(program, os.Args, os.Environ()) // it is as it was if this fails
	os.Unsetenv(restarted)
}
