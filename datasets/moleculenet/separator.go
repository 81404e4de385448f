package moleculenet

import (
	"bufio"
	"bytes"
	"io"
	"slices"
)

// separators are what is looked for in a header.
const separators = ",;\t"

// mostHeader is how many bytes of a header are looked at.
const mostHeader = 1 << 16

// separatorOf returns what separates the columns of the header that r comes to: of comma, semicolon and tab
// the only one outside of double quotes, or the comma if there are several, or none. It reads nothing, and
// asks for no more than the line.
func separatorOf(r *bufio.Reader) rune {
	for {
		text, err := r.Peek(r.Buffered())
		if line, whole := header(text); whole || err != nil || len(text) == mostHeader {
			return only(line)
		}
		if _, err := r.Peek(len(text) + 1); err != nil {
			return only(text)
		}
	}
}

// header returns the first line that is not blank, and whether its end is there. A line does not end within
// double quotes.
func header(text []byte) (line []byte, whole bool) {
	text = bytes.TrimLeft(text, " \n")
	quoted := false
	for i, b := range text {
		quoted = quoted != (b == '"')
		if b == '\n' && !quoted {
			return text[:i], true
		}
	}
	return text, false
}

// only returns the one separator of a line.
func only(line []byte) rune {
	var found []rune
	quoted := false
	for _, b := range line {
		quoted = quoted != (b == '"')
		if !quoted && bytes.IndexByte([]byte(separators), b) >= 0 && !slices.Contains(found, rune(b)) {
			found = append(found, rune(b))
		}
	}
	if len(found) != 1 {
		return ','
	}
	return found[0]
}

// ColumnNames returns the names of the columns of a CSV file, as its first line has them. The name is that of
// the file in errors; the separator is as in [Columns].
func ColumnNames(r io.Reader, name string, separator rune) ([]string, error) {
	t, err := newTable(r, name, separator)
	if err != nil {
		return nil, err
	}
	return t.head, nil
}
