package nkfx

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

// cellProgram returns a cell in which statements stand beside declarations, and none of GoNB's marks says
// what is to run, as a cell that GoNB runs. Lines keep their numbers, so that errors name the right ones.
// All that is valid for GoNB comes back as it was.
//
// Declarations above the first statement, and all imports, constants, types and functions, stay what they
// are, and are there for later cells. The rest is the body of main; of a value alone in the end it prints
// the value. A cell of nothing but definitions x := … declares variables instead: as a program it would not
// do anything.
func cellProgram(code string) string {
	program, _ := cellProgramAt(code, 0, true)
	return program
}

// cellProgramAt returns the program and where in it a byte of the cell is. Without numbered, functions that
// are declared below statements lose the numbers of their lines.
func cellProgramAt(code string, cursor int, numbered bool) (program string, at int) {
	source, plain := goSource(code)
	// The scanner does not count carriage returns, and replaces what is not UTF-8.
	if !plain || strings.Contains(code, "\r") || !utf8.ValidString(code) {
		return code, cursor
	}
	fset := token.NewFileSet()
	if _, err := parser.ParseFile(fset, "", "package p;"+source, parser.SkipObjectResolution); err == nil {
		return code, cursor
	}
	pieces, ok := cellPieces(source)
	if !ok || !slices.ContainsFunc(pieces, func(p cellPiece) bool { return !p.declares() }) ||
		slices.ContainsFunc(pieces, declaresMain) {
		return code, cursor
	}
	t := &cellText{code: code, cursor: cursor}
	if definitions(pieces) {
		t.declareVariables(pieces)
	} else {
		t.wrap(pieces, numbered)
	}
	return t.out.String(), t.at
}

// declaresMain returns whether the piece is func main.
func declaresMain(p cellPiece) bool {
	f, ok := p.node.(*ast.FuncDecl)
	return ok && f.Recv == nil && f.Name.Name == "main"
}

// defines returns the names on the left of x, y := …, or nil for any other piece.
func (p cellPiece) defines() []string {
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

// definitions returns whether all statements define variables, and none defines one again.
func definitions(pieces []cellPiece) bool {
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

// cellText is a program that is made of pieces of a cell.
type cellText struct {
	code   string
	cursor int
	out    strings.Builder
	at     int // of the cursor in out
}

// copy takes code over. A cursor between two pieces belongs to both, to what is between them it does not.
func (t *cellText) copy(from, to int, piece bool) {
	if from < t.cursor && t.cursor <= to || piece && from == t.cursor {
		t.at = t.out.Len() + t.cursor - from
	}
	t.out.WriteString(t.code[from:to])
}

// declareVariables writes x := … as var x = ….
func (t *cellText) declareVariables(pieces []cellPiece) {
	done := 0
	for _, p := range pieces {
		t.copy(done, p.from, false)
		if done = p.from; p.defines() != nil {
			assign := p.from + int(p.node.(*ast.AssignStmt).TokPos) - 1 - len(statementHead)
			t.out.WriteString("var ")
			t.copy(p.from, assign, true)
			t.out.WriteString(" ") // as wide as the colon
			done = assign + 1
		}
		t.copy(done, p.to, true)
		done = p.to
	}
	t.copy(done, len(t.code), false)
}

// wrap writes the statements as the body of main. What has to leave the body moves: imports to the top,
// which is where Go wants them, the rest below.
func (t *cellText) wrap(pieces []cellPiece, numbered bool) {
	first := slices.IndexFunc(pieces, func(p cellPiece) bool { return !p.declares() })
	last := len(pieces) - 1
	for pieces[last].moves() {
		last--
	}
	done := 0
	for i, p := range pieces {
		t.copy(done, p.from, false)
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
			t.copy(p.from, p.to, true)
			t.out.WriteString(")")
		default:
			t.copy(p.from, p.to, true)
		}
		if done = p.to; i == last {
			t.out.WriteString("\n}")
		}
	}
	t.copy(done, len(t.code), false)
	for _, p := range pieces[first:] {
		if !p.moves() || p.kind == token.IMPORT {
			continue
		}
		if t.out.WriteString("\n"); numbered {
			// The line below the directive stays empty, lest that become the comment of the declaration.
			fmt.Fprintf(&t.out, "//line cell:%d\n\n", fileLine(t.code[:p.from])-1)
		}
		t.copy(p.from, p.to, true)
	}
	t.out.WriteString("\n")
}

// fileLine returns the line, in the file that GoNB writes, of what follows a part of a cell. The file begins
// with the package and an empty line, and leaves out the lines that are no Go.
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

// importBelow writes what is imported below the first statement on the line that is begun.
func (t *cellText) importBelow(pieces []cellPiece) {
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

// bareValue returns whether a piece is an expression that Go has no use for as a statement.
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
