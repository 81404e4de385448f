package cell

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"unicode/utf8"
)

// mainHead begins the program of a cell as GoNB does.
const mainHead = "func main() { flag.Parse(); "

// Program returns a cell that mixes statements and declarations, without GoNB's marks, as a cell
// that GoNB runs. Lines keep their numbers, so that errors name the right ones. What GoNB takes as
// it is comes back unchanged.
//
// Declarations above the first statement, and all imports, constants, types and functions, stay
// declarations for later cells. The rest becomes the body of main, which prints a value that stands
// alone at its end. A cell that only defines variables, x := …, declares them instead, since its
// main would do nothing.
func Program(code string) string {
	program, _ := ProgramAt(code, 0, true)
	return program
}

// ProgramAt returns the program of a cell, as [Program] does, and the offset in it of a byte of the
// cell. Unless numbered, functions declared below statements lose their line numbers.
func ProgramAt(code string, cursor int, numbered bool) (program string, at int) {
	source, plain := goSource(code)
	// The scanner does not count carriage returns, and replaces what is not UTF-8.
	if !plain || strings.Contains(code, "\r") || !utf8.ValidString(code) {
		return code, cursor
	}
	fset := token.NewFileSet()
	if _, err := parser.ParseFile(fset, "", "package p;"+source, parser.SkipObjectResolution); err == nil {
		return code, cursor
	}
	pieces, ok := splitPieces(source)
	if !ok || !slices.ContainsFunc(pieces, func(p piece) bool { return !p.declares() }) ||
		slices.ContainsFunc(pieces, declaresMain) {
		return code, cursor
	}
	t := &text{code: code, cursor: cursor}
	if definitions(pieces) {
		t.declareVariables(pieces)
	} else {
		t.wrap(pieces, numbered)
	}
	return t.out.String(), t.at
}

// declaresMain reports whether the piece is func main.
func declaresMain(p piece) bool {
	f, ok := p.node.(*ast.FuncDecl)
	return ok && f.Recv == nil && f.Name.Name == "main"
}

// defines returns the names on the left of x, y := …, or nil for any other piece.
func (p piece) defines() []string {
	define, ok := p.node.(*ast.AssignStmt)
	if !ok || define.Tok != token.DEFINE {
		return nil
	}
	var names []string
	for _, left := range define.Lhs {
		name, ok := left.(*ast.Ident)
		if !ok {
			return nil
		}
		names = append(names, name.Name)
	}
	return names
}

// definitions reports whether all statements define variables, each once.
func definitions(pieces []piece) bool {
	defined := map[string]bool{}
	for _, p := range pieces {
		if p.declares() {
			continue
		}
		names := p.defines()
		if names == nil {
			return false
		}
		for _, name := range names {
			if name != "_" && defined[name] {
				return false
			}
			defined[name] = true
		}
	}
	return true
}

// text is a program under construction from pieces of a cell.
type text struct {
	code   string
	cursor int
	out    strings.Builder
	at     int // of the cursor in out
}

// take copies code. A cursor where a piece begins belongs to the piece.
func (t *text) take(from, to int, piece bool) {
	if from < t.cursor && t.cursor <= to || piece && from == t.cursor {
		t.at = t.out.Len() + t.cursor - from
	}
	t.out.WriteString(t.code[from:to])
}

// declareVariables writes x := … as var x = ….
func (t *text) declareVariables(pieces []piece) {
	done := 0
	for _, p := range pieces {
		t.take(done, p.from, false)
		if done = p.from; p.defines() != nil {
			assign := p.from + int(p.node.(*ast.AssignStmt).TokPos) - 1 - len(statementHead)
			t.out.WriteString("var ")
			t.take(p.from, assign, true)
			t.out.WriteString(" ") // as wide as the colon
			done = assign + 1
		}
		t.take(done, p.to, true)
		done = p.to
	}
	t.take(done, len(t.code), false)
}

// wrap writes the statements as the body of main, imports above it and the other declarations
// below.
func (t *text) wrap(pieces []piece, numbered bool) {
	first := slices.IndexFunc(pieces, func(p piece) bool { return !p.declares() })
	last := len(pieces) - 1
	for pieces[last].moves() {
		last--
	}
	done := 0
	for i, p := range pieces {
		t.take(done, p.from, false)
		if i == 0 {
			t.importBelow(pieces[first:])
		}
		if i == first {
			t.out.WriteString(mainHead)
		}
		switch {
		case i > first && p.moves():
			t.out.WriteString(strings.Repeat("\n", strings.Count(t.code[p.from:p.to], "\n")))
		case i == last && bareValue(p.node):
			t.out.WriteString("fmt.Println(")
			t.take(p.from, p.to, true)
			t.out.WriteString(")")
		default:
			t.take(p.from, p.to, true)
		}
		if done = p.to; i == last {
			t.out.WriteString("\n}")
		}
	}
	t.take(done, len(t.code), false)
	for _, p := range pieces[first:] {
		if !p.moves() || p.kind == token.IMPORT {
			continue
		}
		if t.out.WriteString("\n"); numbered {
			// The line below the directive stays empty, lest that become the comment of the
			// declaration.
			fmt.Fprintf(&t.out, "//line cell:%d\n\n", fileLine(t.code[:p.from])-1)
		}
		t.take(p.from, p.to, true)
	}
	t.out.WriteString("\n")
}

// fileLine returns the line, in the file that GoNB writes, of what follows the given part of a
// cell. The file begins with the package clause and an empty line, and leaves out lines that are
// not Go.
func fileLine(above string) int {
	lines := strings.Split(above, "\n")
	line := 2 + len(lines)
	for _, kind := range lineKinds(lines[:len(lines)-1]) {
		if kind == skipped {
			line--
		}
	}
	return line
}

// importBelow writes the imports among the pieces on the current line.
func (t *text) importBelow(pieces []piece) {
	for _, p := range pieces {
		if p.kind == token.IMPORT && p.node != nil {
			for _, spec := range p.node.(*ast.GenDecl).Specs {
				name, path := "", spec.(*ast.ImportSpec).Path.Value
				if spec.(*ast.ImportSpec).Name != nil {
					name = spec.(*ast.ImportSpec).Name.Name + " "
				}
				t.out.WriteString("import " + name + path + "; ")
			}
		}
	}
}

// bareValue reports whether a piece is an expression that is no valid statement.
func bareValue(node ast.Node) bool {
	statement, ok := node.(*ast.ExprStmt)
	if !ok {
		return false
	}
	switch x := ast.Unparen(statement.X).(type) {
	case *ast.CallExpr:
		return false
	case *ast.UnaryExpr:
		return x.Op != token.ARROW
	}
	return true
}
