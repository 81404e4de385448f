//go:build cgo && !noxla && (xla || amd64 || arm64)

package xla

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// withoutSignals calls f on a thread that takes no signals but those of its own faults, as do the threads
// that f starts.
//
// Threads of XLA have no stack for signals, and oneDNN's products of matrices with more than some thousand
// columns point the stack pointer of theirs into an array: a handler that runs there writes over the memory
// before it. Go asks for such signals, SIGPROF in a profile of the CPU.
func withoutSignals(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var all, before unix.Sigset_t
	all.Val[0] = 1<<31 - 1 // without those by which the C library tells all threads to change users
	for _, fault := range []unix.Signal{unix.SIGSEGV, unix.SIGBUS, unix.SIGFPE, unix.SIGILL, unix.SIGABRT,
		unix.SIGTRAP} {
		all.Val[0] &^= 1 << (fault - 1)
	}
	if unix.PthreadSigmask(unix.SIG_SETMASK, &all, &before) == nil {
		defer unix.PthreadSigmask(unix.SIG_SETMASK, &before, nil)
	}
	f()
}
