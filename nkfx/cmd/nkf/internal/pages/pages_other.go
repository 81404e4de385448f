//go:build !(linux && cgo)

package pages

// Huge does nothing: XLA is not part of the program.
func Huge() {}
