// Package backends opens what layers run on: XLA where its plug-in is found and sound, or else GoMLX's pure
// Go backend. It asks no network, also where go-xla by itself would: importing the package is enough to
// keep compute.NewWithConfig from downloading plug-ins.
//
//	backend, err := backends.New()
//
// Integrals over 100,000 simplices take about 1.7 times as long without huge pages. A program gets them
// that is started with GLIBC_TUNABLES=glibc.malloc.hugetlb=1 in the environment, where Linux gives them to
// who asks (its setting transparent_hugepage is madvise). The command nkf does so by itself.
//
// `nkf setup` installs the plug-in once for all programs of a user. A program that is built without cgo has
// no XLA in it and runs on the Go backend, on any system that Go compiles for.
package backends
