//go:build !linux || !cgo

package nkfx

// keepHeap does nothing where the C library is not GNU's.
func keepHeap() {}
