//go:build !linux || !cgo

package compiled

import "errors"

// Keep is an error here: what XLA compiles is kept on Linux only.
func Keep(path, library, identity string) error {
	return errors.New("compiled programs are kept on Linux only")
}
