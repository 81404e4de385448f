package fileio

import (
	"fmt"
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

// List returns the first twelve of some values, separated by commas, and how many there are more.
func List(values []string) string {
	const most = 12
	if more := len(values) - most; more > 0 {
		values = append(values[:most:most], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(values, ", ")
}

// Quoted is [List] with the beginnings of the values in quotes.
func Quoted(values []string) string {
	quoted := make([]string, len(values))
	for i, value := range values {
		quoted[i] = fmt.Sprintf("%.40q", value)
	}
	return List(quoted)
}
