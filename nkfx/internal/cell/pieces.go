// Package cell translates between the cells that people write in a Go notebook and the programs
// that GoNB makes of them: [Program] lets statements stand without GoNB's marks, [Trim] leaves out
// what a cell does not use, and [Locate] finds the lines of cells again.
package cell

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// lineKind classifies a line of a cell as GoNB does.
type lineKind int

const (
	goLine   lineKind = iota
	skipped           // a command for GoNB or the shell, or the name of the package
	mainMark          // what is below is the body of main
	ownMark           // another mark that says what is to run
)

// lineKinds classifies the lines of a cell.
func lineKinds(lines []string) []lineKind {
	kinds := make([]lineKind, len(lines))
	for i := 0; i < len(lines); i++ {
		line := strings.TrimPrefix(lines[i], "//gonb:")
		command := len(line) > 1 && (line[0] == '%' || line[0] == '!')
		switch {
		case strings.HasPrefix(line, "package"):
			kinds[i] = skipped
		case line == "%%", strings.HasPrefix(line, "%% "), strings.HasPrefix(line, "%%\t"),
			strings.HasPrefix(line, "%main"):
			kinds[i] = mainMark
		case strings.HasPrefix(line, "%%"), strings.HasPrefix(line, "%exec"),
			strings.HasPrefix(line, "%test"):
			kinds[i] = ownMark
		case command:
			kinds[i] = skipped
		}
		for ; command && strings.HasSuffix(lines[i], `\`) && i+1 < len(lines); i++ {
			kinds[i+1] = skipped
		}
	}
	return kinds
}

// goSource returns the Go code of a cell, other lines blanked, and reports whether the cell is
// plain: without a mark of GoNB's that says what of it is to run.
func goSource(code string) (source string, plain bool) {
	lines := strings.Split(code, "\n")
	for i, kind := range lineKinds(lines) {
		switch kind {
		case skipped:
			lines[i] = strings.Repeat(" ", len(lines[i]))
		case mainMark, ownMark:
			return "", false
		}
	}
	return strings.Join(lines, "\n"), true
}

// piece is a declaration or a statement at the top level of a cell.
type piece struct {
	from, to int         // bytes of the source
	kind     token.Token // IMPORT, CONST, TYPE, VAR or FUNC for a declaration, otherwise ILLEGAL
	node     ast.Node    // nil where it is not valid Go
}

// declares reports whether the piece is a declaration.
func (p piece) declares() bool { return p.kind != token.ILLEGAL }

// moves reports whether the piece leaves the body of main.
func (p piece) moves() bool { return p.declares() && p.kind != token.VAR }

// splitPieces splits Go code at the semicolons of its top level, those that Go inserts at the ends
// of lines included. It reports false for brackets that close what was not opened, and for
// semicolons after nothing.
func splitPieces(source string) (pieces []piece, ok bool) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(source))
	s.Init(file, []byte(source), func(token.Position, string) {}, 0) // the compiler finds the same errors
	depth, from, to := 0, 0, 0
	var outline []token.Token // of the piece, without what is in brackets
	for {
		pos, tok, text := s.Scan()
		depth += min(0, brackets[tok])
		ends := tok == token.EOF || tok == token.SEMICOLON && depth == 0
		switch {
		case depth < 0, ends && len(outline) == 0 && tok != token.EOF:
			return nil, false
		case ends && len(outline) > 0:
			pieces = append(pieces, newPiece(source, from, to, outline))
		}
		if tok == token.EOF {
			return pieces, true
		}
		if ends {
			outline = nil
			continue
		}
		if tok == token.SEMICOLON && text == "\n" {
			continue // inserted
		}
		at := file.Offset(pos)
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

// newPiece tells a declaration from a statement by its outline, since a statement may begin with
// func, too.
func newPiece(source string, from, to int, outline []token.Token) piece {
	p := piece{from: from, to: to}
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
	head, tail := statementHead, "\n}"
	if p.declares() {
		head, tail = "package p;", ""
	}
	text := head + source[from:to] + tail
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil || len(file.Decls) != 1 {
		return p
	}
	if p.node = file.Decls[0]; !p.declares() {
		p.node = nil
		if body := file.Decls[0].(*ast.FuncDecl).Body.List; len(body) == 1 {
			p.node = body[0]
		}
	}
	return p
}

// statementHead is what a statement is parsed behind.
const statementHead = "package p;func _() {"
