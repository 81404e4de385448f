// Package backends opens the backend on which layers run: XLA if its plug-in is found and intact, or else
// GoMLX's pure Go backend. It never uses the network, and importing the package keeps go-xla and
// compute.NewWithConfig from downloading plug-ins.
//
//	backend, err := backends.New()
//
// Integrals over 100,000 simplices take about 1.7 times as long without huge pages. A program gets huge pages
// if it is started with GLIBC_TUNABLES=glibc.malloc.hugetlb=1 in the environment and Linux grants them on
// request (its setting transparent_hugepage is madvise). The command nkf sets this variable itself.
//
// `nkf setup` installs the plug-in once for all programs of a user. A program built without cgo does
// not contain XLA and runs on the Go backend, on any system that Go supports.
package backends
