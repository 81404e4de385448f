package table

import (
	"bufio"
	"bytes"
)

// separators are the signs that a header is searched for.
const separators = ",;\t"

// MostHeader is the number of bytes of a header that are searched.
const MostHeader = 1 << 16

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
