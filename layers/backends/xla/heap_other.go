//go:build !linux || !cgo

package xla

// KeepHeap does nothing where the C library is not GNU's.
func KeepHeap() {}
