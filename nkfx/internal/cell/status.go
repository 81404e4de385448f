package cell

import (
	"go/token"
	"strings"
)

// Status returns whether a cell that is being typed is "complete", "incomplete" at its end, or "invalid", in
// Jupyter's words.
func (c *Cell) Status() string {
	k := &checked{Program: compose(c, c.units(), nil, way{}, false), fset: token.NewFileSet(), cell: c}
	e := c.wrong
	if e == nil {
		e = k.parse()
	}
	switch {
	case e == nil:
		return "complete"
	case e.Offset >= c.end(), e == c.wrong && strings.HasSuffix(e.Message, endless):
		return "incomplete"
	}
	return "invalid"
}
