package cell

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
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

// Excerpt returns the line of the mistake, and a caret below the place.
func (e *Error) Excerpt() []string {
	_, text, before := e.Cell.Line(e.Offset)
	space := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, before)
	return []string{"    " + text, "    " + space + "^"}
}

// Compiler translates what a compiler says of a program, whose lines are those of cells, into the mistakes
// that it names. Cells are found by their IDs.
func Compiler(said string, cells func(id string) *Cell) (errs []*Error) {
	for _, match := range compilerLine.FindAllStringSubmatch(said, -1) {
		if c := cells(match[1]); c != nil {
			line, _ := strconv.Atoi(match[2])
			column, _ := strconv.Atoi(match[3])
			errs = append(errs, &Error{c, c.offset(line, column), match[4]})
		}
	}
	return errs
}

var compilerLine = regexp.MustCompile(`(?m)` + StackFolder + `([0-9a-f]{12}):(\d+)(?::(\d+))?: (.*)$`)
