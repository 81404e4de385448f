package cell

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"sort"
	"strings"
)

// StackFile begins the names of files in stacks, which are those of cells.
const StackFile = "/cell_"

// Program is the text that a compiler or gopls reads, with the table of what comes from where.
type Program struct {
	text  strings.Builder
	spans []span // in the order of the text
	units []placed
	plain bool // stacks know its lines as its own
}

// placed is a declaration and where it is in a program.
type placed struct {
	*unit
	from, to int
}

// span is a part of a program that is the same in a cell.
type span struct {
	at, size, from int
	cell           *Cell
}

// Text returns the program.
func (p *Program) Text() string { return p.text.String() }

// Cell returns the cell, and the place in it, of an offset in the program: that of the nearest span before it
// where none has it.
func (p *Program) Cell(at int) (*Cell, int) {
	i := sort.Search(len(p.spans), func(i int) bool { return p.spans[i].at > at }) - 1
	if i < 0 {
		return nil, 0
	}
	s := p.spans[i]
	return s.cell, s.from + min(at-s.at, s.size)
}

// At returns the offset in the program of an offset in a cell: at the end of the name that ends there, if
// one does.
func (p *Program) At(c *Cell, offset int) (at int, ok bool) {
	for _, s := range p.spans {
		in := offset - s.from
		if s.cell != c || in < 0 || in > s.size || s.size == 0 {
			continue
		}
		if in > 0 && (in < s.size || isName(c.source[offset-1])) {
			return s.at + in, true
		}
		if in == 0 || !ok {
			at, ok = s.at+in, true
		}
	}
	return at, ok
}

// isName reports whether a byte may be of a name.
func isName(b byte) bool {
	return b == '_' || b >= 0x80 || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}

func (p *Program) copy(c *Cell, from, to int) {
	if from < to {
		p.spans = append(p.spans, span{p.text.Len(), to - from, from, c})
		p.text.WriteString(c.source[from:to])
	}
}

// line begins a line that stacks know as that of a cell.
func (p *Program) line(c *Cell, offset int) {
	if p.plain {
		p.text.WriteString("\n")
		return
	}
	number, _, before := c.Line(offset)
	fmt.Fprintf(&p.text, "\n//line %s%s:%d:%d\n", StackFile, c.ID, number, 1+len(before))
}

func (p *Program) unit(u *unit) {
	begin := p.text.Len()
	first := u.chunks[0]
	if first.text != "" {
		first = u.chunks[1]
	}
	p.line(u.cell, first.from)
	for _, c := range u.chunks {
		if c.text != "" {
			p.text.WriteString(c.text)
		} else {
			p.copy(u.cell, c.from, c.to)
		}
	}
	p.text.WriteString("\n")
	p.units = append(p.units, placed{u, begin, p.text.Len()})
}

// way is how a value is shown: what is written before it and behind.
type way struct{ before, after string }

// compose writes a program of a cell from units, imports and, unless the cell is a whole program, main, in
// which the last expression is shown in a way.
func compose(c *Cell, units []*unit, imports []string, shown way, flags bool) *Program {
	p := &Program{}
	p.text.WriteString("package main\n\n" + strings.Join(imports, ""))
	p.unfinished(c, true)
	for _, u := range units {
		p.unit(u)
	}
	if strings.Contains(shown.before, "nkf_value") {
		p.text.WriteString("\ntype nkf_value struct{ v interface{} }\n\n" +
			"func (v nkf_value) CellValue() interface{} { return v.v }\n")
	}
	if !c.whole() {
		p.text.WriteString("\nfunc main() {")
		if flags {
			p.text.WriteString(" nkf_flag.Parse();")
		}
		p.body(c, shown)
		if c.main != "" {
			p.text.WriteString("\n")
			p.spans = append(p.spans, span{p.text.Len(), 0, c.mainAt, c})
			p.text.WriteString(c.main + "()")
		}
		p.text.WriteString("\n}\n")
	}
	p.unfinished(c, false)
	return p
}

// unfinished writes declarations that are not valid: imports, or the others.
func (p *Program) unfinished(c *Cell, imports bool) {
	for _, piece := range c.pieces {
		if !piece.runs() && piece.node == nil && (piece.kind == token.IMPORT) == imports {
			p.line(c, piece.from)
			p.copy(c, piece.from, piece.to)
		}
	}
}

// whole reports whether the cell has a main of its own and no statements.
func (c *Cell) whole() (main bool) {
	for _, p := range c.pieces {
		f, ok := p.node.(*ast.FuncDecl)
		main = main || ok && f.Recv == nil && f.Name.Name == "main"
		if !c.defines && p.runs() {
			return false
		}
	}
	return main && c.main == ""
}

// body writes the statements of a cell with what is between them.
func (p *Program) body(c *Cell, shown way) {
	last, done := c.last(), -1
	for i, q := range c.pieces {
		if c.defines || !q.runs() {
			done = -1
			continue
		}
		if done < 0 {
			done = q.from
			p.line(c, done)
		}
		p.copy(c, done, q.from)
		if i == last {
			p.text.WriteString(shown.before)
		}
		p.copy(c, q.from, q.to)
		if i == last {
			p.text.WriteString(shown.after)
		}
		done = q.to
	}
	if done >= 0 {
		p.copy(c, done, len(c.source))
	}
}

// last returns the piece whose value is shown, an expression at the end of the cell, or -1.
func (c *Cell) last() int {
	for i, p := range slices.Backward(c.pieces) {
		if p.moves() {
			continue
		}
		_, ok := p.node.(*ast.ExprStmt)
		if ok && !strings.HasPrefix(strings.TrimSpace(c.source[p.to:]), ";") {
			return i
		}
		break
	}
	return -1
}
