//go:build !linux

package xla

// Room returns nil.
func Room() error { return nil }
