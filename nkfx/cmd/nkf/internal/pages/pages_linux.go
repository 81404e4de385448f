//go:build linux && cgo

package pages

import (
	"os"
	"syscall"
)

// Huge restarts the program, as the same process, if that gives it huge pages. It returns if it does not, or
// if it cannot.
func Huge() {
	enabled, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	if err != nil {
		return
	}
	const name = "GLIBC_TUNABLES"
	with, anew := tunables(string(enabled), os.Getenv(name))
	program, err := os.Executable()
	if !anew || err != nil || os.Setenv(name, with) != nil {
		return
	}
	_ = syscall.Exec(program, os.Args, os.Environ()) // it is as it was if this fails
}
