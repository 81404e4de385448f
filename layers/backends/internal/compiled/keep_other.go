//go:build !linux || !cgo

package compiled

// Keep keeps nothing: what XLA compiles is kept on Linux only.
func Keep(path, library, identity string) error { return nil }
