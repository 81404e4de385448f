// Package closed tells whether standard output was closed when the program began, as by the shell's >&-. The
// runtime of Go then puts /dev/null in its place, so that results would be lost without an error.
package closed

import "errors"

// Writer fails.
type Writer struct{}

// Write returns an error.
func (Writer) Write([]byte) (int, error) { return 0, errors.New("standard output is closed") }
