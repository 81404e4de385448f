//go:build cgo && !noxla && xla && !linux

package xla

// withoutSignals calls f.
func withoutSignals(f func()) { f() }
