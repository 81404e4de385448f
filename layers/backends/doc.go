// Package backends opens the backend on which layers run: XLA if its plug-in is found and intact, or else
// GoMLX's pure Go backend. It never uses the network, and importing the package keeps go-xla and
// compute.NewWithConfig from downloading plug-ins.
//
//	backend, err := backends.New()
//
// Programs with arrays of many megabytes may take twice as long without huge pages and a heap that is kept,
// as integrals did before they were cut into blocks. A program on Linux has both if it is started with the
// settings glibc.malloc.hugetlb=1, glibc.malloc.arena_max=2, glibc.malloc.mmap_max=0 and a large
// glibc.malloc.trim_threshold in GLIBC_TUNABLES. The command nkf sets this variable itself, with arena_max=8
// for the sake of compiling.
//
// A program may call [KeepPrograms], so that the next process loads what this one compiled.
//
// `nkf setup` installs the plug-in once for all programs of a user. A program built without cgo does
// not contain XLA and runs on the Go backend, on any system that Go supports. Under the race detector that
// backend needs -gcflags=all=-d=checkptr=0.
package backends
