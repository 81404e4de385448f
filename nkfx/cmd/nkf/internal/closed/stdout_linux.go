//go:build cgo

package closed

// #include <fcntl.h>
//
// static int closed;
//
// // The C library calls it before Go's runtime begins.
// __attribute__((constructor)) static void look(void) { closed = fcntl(1, F_GETFD) == -1; }
//
// static int stdoutClosed(void) { return closed; }
import "C"

import "syscall"

// Stdout reports whether standard output was closed.
func Stdout() bool { return C.stdoutClosed() != 0 }

// Package pages may restart the program, which then is to find its output closed again.
func init() {
	if Stdout() {
		syscall.CloseOnExec(syscall.Stdout)
	}
}
