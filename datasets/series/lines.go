package series

import (
	"io"
	"slices"
)

// lineCounter finds the line of a byte that was read. It keeps only the line ends after the last byte that
// was looked up.
type lineCounter struct {
	r    io.Reader
	read int64
	line int     // after the ends that were passed
	ends []int64 // that were not
}

// Read implements io.Reader.
func (l *lineCounter) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			l.ends = append(l.ends, l.read+int64(i))
		}
	}
	l.read += int64(n)
	return n, err
}

// at returns the line of a byte, which is not before the one that was asked for last.
func (l *lineCounter) at(offset int64) int {
	passed, _ := slices.BinarySearch(l.ends, offset)
	l.line += passed
	l.ends = append(l.ends[:0], l.ends[passed:]...)
	return l.line
}
