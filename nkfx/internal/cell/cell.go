// Package cell makes programs of the cells that people write in a Go notebook: a [Memory] keeps what cells
// declare, go/types says what a cell uses and whether its last expression has a value, and one table maps
// every position of a cell to the program and back.
package cell

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// Cell is a cell, as typed.
type Cell struct {
	Number int    // of the run, 0 before it
	ID     string // of the code, by which stacks name the cell
	Code   string
	Test   bool // the line %test: its tests are run

	source string // the code, lines that are not Go blanked
	pieces []piece
	main   string // the function after %exec

	defines bool // it only declares, by x := … as well
	open    bool // it ends within brackets
	stray   int  // where a bracket closes that none opens, or -1
}

// New splits code into its pieces.
func New(code string, number int) *Cell {
	sum := sha256.Sum256([]byte(code))
	code = strings.ReplaceAll(code, "\r\n", "\n") // Jupyter counts them as one, too
	c := &Cell{Number: number, ID: hex.EncodeToString(sum[:6]), Code: code, stray: -1}
	lines := strings.SplitAfter(code, "\n")
	mark, at := len(code)+1, 0 // no mark
	for i, kind := range lineKinds(lines) {
		line := strings.TrimSpace(strings.TrimPrefix(lines[i], "//gonb:"))
		switch {
		case kind == foreign:
			return c
		case kind == mainMark:
			mark = min(mark, at)
		case strings.HasPrefix(line, "%test"):
			c.Test = true
		case strings.HasPrefix(line, "%exec "):
			c.main = strings.Fields(line)[1]
		}
		at += len(lines[i])
		if kind != goLine {
			lines[i] = strings.Repeat(" ", len(lines[i])-1) + "\n"
		}
	}
	c.source = strings.Join(lines, "")
	if rest, ok := strings.CutPrefix(c.source, "\ufeff"); ok { // as Go ignores it in a file
		c.source = "   " + rest
	}
	c.pieces, c.open, c.stray = split(c.source, mark)
	statements := false
	for i, p := range c.pieces {
		statements = statements || p.kind == token.ILLEGAL
		c.pieces[i].local = p.local || statements && p.kind == token.VAR
	}
	if c.defines = isDefinitions(c.pieces); c.defines {
		for i := range c.pieces {
			c.pieces[i].local = false
		}
	}
	return c
}

// lineKind classifies a line of a cell as GoNB does.
type lineKind int

const (
	goLine   lineKind = iota
	command           // for GoNB or the shell, or the name of the package
	mainMark          // what is below is the body of main
	foreign           // no line of the cell is Go
)

// lineKinds classifies the lines of a cell.
func lineKinds(lines []string) []lineKind {
	kinds := make([]lineKind, len(lines))
	var in quote
	for i := 0; i < len(lines); i++ {
		line := strings.TrimRight(strings.TrimPrefix(lines[i], "//gonb:"), "\n")
		special := in == 0 && len(line) > 1 && (line[0] == '%' || line[0] == '!')
		switch {
		case in != 0:
		case line == "%%", strings.HasPrefix(line, "%% "), strings.HasPrefix(line, "%%\t"),
			strings.HasPrefix(line, "%main"):
			kinds[i] = mainMark
		case strings.HasPrefix(line, "%%") && i == 0:
			kinds[i] = foreign
		case special, strings.HasPrefix(line, "package "):
			kinds[i] = command
		}
		for ; special && strings.HasSuffix(strings.TrimRight(lines[i], "\n"), `\`) && i+1 < len(lines); i++ {
			kinds[i+1] = command
		}
		if kinds[i] == goLine {
			in = in.after(line)
		}
	}
	return kinds
}

// quote says what a line begins in: '`' for a raw string, '*' for a comment, 0 for neither.
type quote byte

// after returns what the next line begins in.
func (q quote) after(line string) quote {
	for i := 0; i < len(line); i++ {
		switch rest := line[i:]; {
		case q == '`':
			if line[i] == '`' {
				q = 0
			}
		case q == '*':
			if strings.HasPrefix(rest, "*/") {
				q, i = 0, i+1
			}
		case strings.HasPrefix(rest, "//"):
			return 0
		case strings.HasPrefix(rest, "/*"):
			q, i = '*', i+1
		case line[i] == '`':
			q = '`'
		default:
			i += len(text.FindString(rest))
		}
	}
	return q
}

// text matches a string or a rune, but for its last quote.
var text = regexp.MustCompile(`^"(?:[^"\\]|\\.)*|^'(?:[^'\\]|\\.)*`)

// Commands returns the lines for GoNB and the shell, without line ends, and whether the cell has Go code,
// or is in another language as a whole, as one that begins with %%bash.
func (c *Cell) Commands() (lines []string, isGo, other bool) {
	all := strings.Split(c.Code, "\n")
	for i, kind := range lineKinds(all) {
		switch kind {
		case foreign:
			return nil, false, true
		case command, mainMark:
			lines = append(lines, all[i])
		}
	}
	return lines, len(c.pieces) > 0 || c.Test || c.main != "", false
}

// Complete reports whether nothing is missing at the end of the cell.
func (c *Cell) Complete() bool { return !c.open }

// Tests returns the names of the tests and benchmarks that the cell declares.
func (c *Cell) Tests() (names []string) {
	for _, p := range c.pieces {
		f, ok := p.node.(*ast.FuncDecl)
		if ok && f.Recv == nil && f.Name.Name != "TestMain" &&
			(strings.HasPrefix(f.Name.Name, "Test") || strings.HasPrefix(f.Name.Name, "Benchmark")) {
			names = append(names, f.Name.Name)
		}
	}
	return names
}

// Line returns the number of the line with an offset, from 1, its text, and the bytes before the offset.
func (c *Cell) Line(offset int) (number int, text, before string) {
	offset = min(offset, len(c.Code))
	begin := strings.LastIndexByte(c.Code[:offset], '\n') + 1
	text, _, _ = strings.Cut(c.Code[begin:], "\n")
	return 1 + strings.Count(c.Code[:begin], "\n"), text, c.Code[begin:offset]
}

// offset returns the offset of a line and a column, from 1.
func (c *Cell) offset(line, column int) (at int) {
	for range line - 1 {
		at += strings.IndexByte(c.Code[at:], '\n') + 1
	}
	return min(at+max(0, column-1), len(c.Code))
}

// piece is a declaration or a statement at the top level of a cell.
type piece struct {
	from, to int         // bytes of the code
	lead     int         // where the comments above it begin, or else from
	kind     token.Token // IMPORT, CONST, TYPE, VAR or FUNC for a declaration, otherwise ILLEGAL
	local    bool        // below the mark of main, or a variable below a statement
	node     ast.Node    // nil where it is not valid Go
	base     int         // the position of the code in node
}

// moves reports whether the piece leaves the body of main.
func (p piece) moves() bool {
	return p.kind == token.FUNC || p.kind == token.IMPORT ||
		!p.local && (p.kind == token.CONST || p.kind == token.TYPE)
}

// runs reports whether the piece is part of main.
func (p piece) runs() bool { return !p.moves() && (p.kind == token.ILLEGAL || p.local) }

// offset returns the offset in the code of a position in the node.
func (p piece) offset(at token.Pos) int { return int(at) - p.base }

// split splits Go code at the semicolons of its top level, those that Go inserts at the ends of lines
// included, and reports whether it ends within brackets and where the first closes that none opens, or -1.
func split(source string, mark int) (pieces []piece, open bool, stray int) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(source))
	s.Init(file, []byte(source), func(token.Position, string) {}, 0) // the compiler finds the same errors
	depth, from, to := 0, 0, 0
	stray = -1
	var outline []token.Token // of the piece, without what is in brackets
	add := func() {
		if len(outline) > 0 {
			pieces = append(pieces, newPiece(source, from, to, mark, outline))
		}
		outline = nil
	}
	for {
		pos, tok, text := s.Scan()
		at := file.Offset(pos)
		if depth += min(0, brackets[tok]); depth < 0 {
			depth = 0
			if stray < 0 {
				stray = at
			}
		}
		if tok == token.EOF {
			add()
			return pieces, depth > 0, stray
		}
		if at >= mark && from < mark && len(outline) > 0 {
			add()
			depth = 0
		}
		if tok == token.SEMICOLON && depth == 0 {
			add()
			continue
		}
		if tok == token.SEMICOLON && text == "\n" {
			continue // inserted
		}
		if len(outline) == 0 {
			from = at
		}
		to = at + len(cmp.Or(text, tok.String()))
		if depth == 0 {
			outline = append(outline, tok)
		}
		depth += max(0, brackets[tok])
	}
}

// brackets are 1 where they open, and -1 where they close.
var brackets = map[token.Token]int{
	token.LPAREN: 1, token.LBRACK: 1, token.LBRACE: 1, token.RPAREN: -1, token.RBRACK: -1, token.RBRACE: -1,
}

// newPiece tells a declaration from a statement by its outline, since a statement may begin with func, too.
func newPiece(source string, from, to, mark int, outline []token.Token) piece {
	p := piece{from: from, to: to, lead: comments(source, from), local: from >= mark}
	begins := func(tokens ...token.Token) bool {
		return len(outline) >= len(tokens) && slices.Equal(outline[:len(tokens)], tokens)
	}
	switch outline[0] {
	case token.IMPORT, token.CONST, token.TYPE, token.VAR:
		p.kind = outline[0]
	}
	if begins(token.FUNC, token.IDENT) ||
		begins(token.FUNC, token.LPAREN, token.RPAREN, token.IDENT, token.LPAREN) {
		p.kind = token.FUNC
	}
	head, tail := "package p;func _() {", "\n}"
	if p.kind != token.ILLEGAL {
		head, tail = "package p;", ""
	}
	p.base = 1 + len(head) - from
	text := head + source[from:to] + tail
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil || len(file.Decls) != 1 {
		return p
	}
	if p.node = file.Decls[0]; p.kind == token.ILLEGAL {
		p.node = nil
		if body := file.Decls[0].(*ast.FuncDecl).Body.List; len(body) == 1 {
			p.node = body[0]
		}
	}
	return p
}

// comments returns where the comment lines begin that end above an offset.
func comments(source string, at int) int {
	for begin := strings.LastIndexByte(source[:at], '\n') + 1; begin > 0; {
		above := strings.LastIndexByte(source[:begin-1], '\n') + 1
		if !strings.HasPrefix(strings.TrimSpace(source[above:begin]), "//") {
			break
		}
		at, begin = above, above
	}
	return at
}

// defines returns the names on the left of x, y := …, or nil for any other piece.
func (p piece) defines() (names []string) {
	define, ok := p.node.(*ast.AssignStmt)
	if !ok || define.Tok != token.DEFINE || p.local {
		return nil
	}
	for _, left := range define.Lhs {
		name, ok := left.(*ast.Ident)
		if !ok {
			return nil
		}
		names = append(names, name.Name)
	}
	return names
}

// isDefinitions reports whether all statements define variables, each once: such a cell declares them,
// since its main would do nothing.
func isDefinitions(pieces []piece) bool {
	defined := map[string]bool{}
	for _, p := range pieces {
		if p.kind == token.VAR || !p.runs() {
			continue
		}
		names := p.defines()
		for _, name := range names {
			if name != "_" && defined[name] {
				return false
			}
			defined[name] = true
		}
		if names == nil {
			return false
		}
	}
	return true
}
