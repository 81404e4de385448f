//go:build !linux || !cgo

package closed

// Stdout returns false: without C nobody looks before the runtime of Go has opened something else.
func Stdout() bool { return false }
