// Package cell turns the cells of a Go notebook into programs. A [Memory] keeps the declarations of cells,
// go/types determines which of them a cell uses and whether its last expression has a value, and one table
// maps every position of a cell to the program and back.
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
	Number   int    // of the run, 0 before it
	ID       string // of the code, by which stacks name the cell
	Code     string
	Commands []string // for GoNB and the shell, and the name of the package
	Other    bool     // it is in another language as a whole, as one that begins with %%bash
	Test     bool     // the line %test: its tests are run

	source string // the code, lines that are not Go blanked
	pieces []piece
	main   string // the function after %exec
	mainAt int    // where that is

	defines bool          // it only declares, by x := … as well
	open    []token.Token // brackets that it does not close
	wrong   *Error        // what keeps it from being split
}

// New splits code into its pieces.
func New(code string, number int) *Cell {
	sum := sha256.Sum256([]byte(code))
	code = strings.ReplaceAll(code, "\r\n", "\n") // Jupyter counts them as one, too
	c := &Cell{Number: number, ID: hex.EncodeToString(sum[:6]), Code: code}
	if c.Other = other.MatchString(code); c.Other {
		return c
	}
	c.scan()
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

var (
	// special matches lines that are no Go: a command, with those that continue it, or the package's name.
	special = regexp.MustCompile(`^(?://gonb:)?(?:[%!](?:[^\n]*\\\n)+[^\n]*|[%!][^\n]+|package [^\n]*)`)
	// other matches the first line of a cell that is in another language, or in none.
	other = regexp.MustCompile(`^%%(?:bash|sh|script|writefile|gx)(?:\s|$)`)
	// mark matches a line below which there is the body of main.
	mark = regexp.MustCompile(`^(?://gonb:)?(?:%%(?:\s|$)|%main)`)
)

// split is a cell that is being split at the semicolons of its top level, those included that Go inserts at
// the ends of lines.
type split struct {
	*Cell
	source   []byte
	outline  []token.Token // of the piece that has begun, without what is in brackets
	from, to int           // of that
	marked   bool          // it is below the mark
}

// scan finds the lines that are no Go, blanks them, and splits the rest.
func (c *Cell) scan() {
	p := &split{Cell: c, source: []byte(c.Code)}
	for begin := 0; begin < len(p.source); { // or below a line that is no Go
		var s scanner.Scanner
		file := token.NewFileSet().AddFile("", -1, len(p.source)-begin)
		s.Init(file, p.source[begin:], func(pos token.Position, what string) {
			if what == "comment"+endless || what == "raw string literal"+endless {
				p.fail(begin+pos.Offset, what)
			}
		}, scanner.ScanComments)
		for {
			pos, tok, text := s.Scan()
			at := begin + file.Offset(pos)
			if tok == token.EOF {
				begin = len(p.source)
				break
			}
			line := special.Find(p.source[at:])
			if line != nil && p.isFree() && (at == 0 || p.source[at-1] == '\n') {
				p.command(at, string(line))
				blank(line)
				begin = at + len(line)
				break
			}
			p.take(at, tok, text)
		}
	}
	p.add()
	c.source = string(p.source)
}

// isFree reports whether a statement of the top level may begin here, and so a line that is no Go.
func (p *split) isFree() bool { return len(p.outline) == 0 && len(p.open) == 0 }

// command takes a line that is no Go.
func (p *split) command(at int, line string) {
	f := append(strings.Fields(strings.TrimPrefix(line, "//gonb:")), "")
	if strings.HasPrefix(f[0], "%%") && !mark.MatchString(line) {
		p.fail(at, "there is no command "+f[0]) // GoNB would say so as well
		return
	}
	p.Commands = append(p.Commands, line)
	switch {
	case f[0] == "package" && f[1] != "main":
		p.fail(at, "cells are of package main")
	case f[0] == "%test":
		p.Test = true
	case f[0] == "%exec":
		p.main, p.mainAt = f[1], at+strings.Index(line, f[1])
	case mark.MatchString(line):
		p.marked = true
	}
}

// take takes a token.
func (p *split) take(at int, tok token.Token, text string) {
	if brackets[tok] < 0 {
		if len(p.open) == 0 {
			p.fail(at, "nothing opens this "+tok.String())
		}
		p.open = p.open[:max(0, len(p.open)-1)]
	}
	switch {
	case tok == token.SEMICOLON && len(p.open) == 0:
		p.add()
		return
	case tok == token.COMMENT, tok == token.SEMICOLON && text == "\n":
		return
	case len(p.outline) == 0:
		p.from = at
	}
	p.to = at + len(cmp.Or(text, tok.String()))
	if len(p.open) == 0 {
		p.outline = append(p.outline, tok)
	}
	if brackets[tok] > 0 {
		p.open = append(p.open, tok)
	}
}

// add ends a piece.
func (p *split) add() {
	if len(p.outline) > 0 {
		p.pieces = append(p.pieces, newPiece(string(p.source), p.from, p.to, p.marked, p.outline))
	}
	p.outline = nil
}

// endless ends what the scanner says of comments and strings that go on at the end.
const endless = " not terminated"

// fail notes the first mistake of a cell.
func (c *Cell) fail(at int, message string) {
	if c.wrong == nil {
		c.wrong = &Error{c, at, message}
	}
}

// blank makes lines empty, of the same size.
func blank(lines []byte) {
	for i, b := range lines {
		if b != '\n' {
			lines[i] = ' '
		}
	}
}

// brackets are 1 where they open, and -1 where they close.
var brackets = map[token.Token]int{
	token.LPAREN: 1, token.LBRACK: 1, token.LBRACE: 1, token.RPAREN: -1, token.RBRACK: -1, token.RBRACE: -1,
}

// Typing returns a cell that is being typed: brackets that are open at its end are closed, so that gopls
// understands what is in them.
func Typing(code string) *Cell {
	closing := ""
	for _, tok := range New(code, 0).open {
		closing = closes[tok] + closing
	}
	return New(code+closing, 0)
}

var closes = map[token.Token]string{token.LPAREN: ")", token.LBRACK: "]", token.LBRACE: "\n}"}

// IsGo reports whether there is a program to run.
func (c *Cell) IsGo() bool { return len(c.pieces) > 0 || c.Test || c.main != "" || c.wrong != nil }

// tests matches the names of functions that go test runs.
var tests = regexp.MustCompile(`^(?:Test|Benchmark|Fuzz|Example)(?:$|\P{Ll})`)

// Tests returns the names of the tests, benchmarks, fuzz targets and examples that the cell declares.
func (c *Cell) Tests() (names []string) {
	for _, p := range c.pieces {
		f, ok := p.node.(*ast.FuncDecl)
		if ok && f.Recv == nil && f.Name.Name != "TestMain" && tests.MatchString(f.Name.Name) {
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

// newPiece tells a declaration from a statement by its outline, since a statement may begin with func, too.
func newPiece(source string, from, to int, local bool, outline []token.Token) piece {
	p := piece{from: from, to: to, lead: comments(source, from), local: local}
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
