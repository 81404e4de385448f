//go:build !linux || !cgo

package backendtest

// NativeBytes is known on Linux alone.
func NativeBytes() (bytes int64, ok bool) { return 0, false }
