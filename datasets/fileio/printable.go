package fileio

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Printable returns s with everything that is invisible on a terminal, or controls it, escaped as in a Go
// string: control characters such as those of ANSI sequences, line ends, marks of text direction, and invalid
// UTF-8. Names and classes from files are shown in this form.
func Printable(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if strconv.IsPrint(r) && (r != utf8.RuneError || size > 1) {
			b.WriteString(s[:size])
		} else {
			quoted := strconv.Quote(s[:size])
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		s = s[size:]
	}
	return b.String()
}

// List returns the first six of some values, separated by commas, and an ellipsis where there are more.
func List(values []string) string {
	const most = 6
	if len(values) > most {
		values = append(values[:most:most], "…")
	}
	return strings.Join(values, ", ")
}
