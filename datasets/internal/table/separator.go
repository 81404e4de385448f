package table

import (
	"bufio"
	"bytes"
	"strings"
	"unicode/utf8"
)

// separators are the signs that a header is searched for.
const separators = ",;\t"

// MostHeader is the number of bytes of a header that are searched.
const MostHeader = 1 << 16

// saidSeparator reads a first line sep=; or the like, and returns the sign that it has. It asks for no more
// than that line.
func saidSeparator(r *bufio.Reader) (separator rune, ok bool) {
	const said = "sep="
	for n := range len(said) {
		head, err := r.Peek(n + 1)
		if err != nil || !strings.EqualFold(string(head), said[:n+1]) {
			return 0, false
		}
	}
	line, err := r.Peek(len(said) + 2)
	if err != nil || line[len(said)+1] != '\n' {
		return 0, false
	}
	sign := line[len(said)]
	if sign != '\t' && (sign < ' ' || sign >= utf8.RuneSelf || sign == '"') {
		return 0, false
	}
	_, _ = r.Discard(len(line)) // Peek has shown that they are there
	return rune(sign), true
}

// separatorOf returns the sign that separates the columns of the header that r comes to: of comma, semicolon
// and tab the only one outside of double quotes, or the comma if there are several or none. It reads nothing,
// and asks for no more than the line.
func separatorOf(r *bufio.Reader) rune {
	for {
		text, _ := r.Peek(r.Buffered())
		separator, whole := searchHeader(text)
		if !whole && len(text) < MostHeader {
			if _, err := r.Peek(len(text) + 1); err == nil {
				continue
			}
		}
		return separator
	}
}

// searchHeader returns the separator of the first line that is not blank, and whether its end is there. A
// line does not end within double quotes.
func searchHeader(text []byte) (separator rune, whole bool) {
	quoted, several := false, false
	for _, b := range bytes.TrimLeft(text, " \n") {
		switch b {
		case '"':
			quoted = !quoted
		case '\n':
			whole = !quoted
		case ',', ';', '\t':
			if !quoted {
				several = several || separator != 0 && separator != rune(b)
				separator = rune(b)
			}
		}
		if whole {
			break
		}
	}
	if several || separator == 0 {
		separator = ','
	}
	return separator, whole
}
