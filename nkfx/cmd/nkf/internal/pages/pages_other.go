//go:build !(linux && cgo)

package pages

// Keep does nothing: XLA is not part of the program.
func Keep() {}
