package cell

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Error is a mistake in a cell.
type Error struct {
	Cell    *Cell
	Offset  int
	Message string
}

// Error returns the place and the message.
func (e *Error) Error() string {
	line, _, _ := e.Cell.Line(e.Offset)
	return fmt.Sprintf("%s, line %d: %s", e.Cell.Name(), line, e.Message)
}

// Name is what errors call the cell.
func (c *Cell) Name() string {
	if c.Number == 0 {
		return "this cell"
	}
	return fmt.Sprintf("cell [%d]", c.Number)
}

// Excerpt returns the line of the mistake, or the part of it that one can see at once, and a caret below the
// place.
func (e *Error) Excerpt() []string {
	_, text, before := e.Cell.Line(e.Offset)
	line, at := []rune(text), utf8.RuneCountInString(before)
	from := max(0, at-longestLine)
	space := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, string(line[from:at]))
	return []string{"    " + string(line[from:min(len(line), at+longestLine)]), "    " + space + "^"}
}

// longestLine is how many characters of a line are shown before a mistake, and behind.
const longestLine = 100

// Compiler translates what a compiler says of a program, whose lines are those of cells, into the mistakes
// that it names. Cells are found by their IDs.
func Compiler(said string, cells func(id string) *Cell) (errs []*Error) {
	for _, match := range compilerLine.FindAllStringSubmatch(said, -1) {
		if c := cells(match[1]); c != nil {
			line, _ := strconv.Atoi(match[2])
			column, _ := strconv.Atoi(match[3])
			errs = append(errs, &Error{c, c.offset(line, column), strings.TrimSuffix(match[4], ":")})
		}
	}
	return errs
}

var compilerLine = regexp.MustCompile(`(?m)` + StackFile + `([0-9a-f]{12}):(\d+)(?::(\d+))?: (.*)$`)
