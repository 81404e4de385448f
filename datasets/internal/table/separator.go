package table

import (
	"bufio"
	"strings"
	"unicode/utf8"
)

// separators are the signs that a header is searched for.
const separators = ",;\t"

// readHeader returns the text to the end of the first line that is not blank, which does not end within
// double quotes. It asks for no more than that. An error of the reader stays there.
func readHeader(r *bufio.Reader) string {
	var text strings.Builder
	for quotes, blank := 0, true; blank || quotes%2 == 1; {
		line, err := r.ReadString('\n')
		text.WriteString(line)
		quotes += strings.Count(line, `"`)
		blank = blank && strings.TrimSpace(line) == ""
		if err != nil {
			break
		}
	}
	return text.String()
}

// saidSeparator returns the sign that a first line sep=; or the like says.
func saidSeparator(header string) (separator rune, ok bool) {
	const said = "sep="
	if len(header) != len(said)+2 || !strings.EqualFold(header[:len(said)], said) {
		return 0, false
	}
	sign := header[len(said)]
	return rune(sign), sign == '\t' || sign >= ' ' && sign < utf8.RuneSelf && sign != '"'
}

// separatorOf returns the sign that separates the columns of a header: of comma, semicolon and tab the only
// one outside of double quotes, or the comma if there are several or none.
func separatorOf(header string) rune {
	separator, quoted := rune(0), false
	for _, sign := range header {
		switch {
		case sign == '"':
			quoted = !quoted
		case quoted || !strings.ContainsRune(separators, sign):
		case separator != 0 && separator != sign:
			return ','
		default:
			separator = sign
		}
	}
	if separator == 0 {
		return ','
	}
	return separator
}
