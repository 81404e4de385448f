package nkfx

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/janpfeifer/gonb/gonbui/protocol"
	pkgerrors "github.com/pkg/errors"
)

// mechanics is what GoMLX says, before what is wrong, of the way there.
var mechanics = regexp.MustCompile(`failed during graph construction/compilation: |` +
	`compilation failed for Exec "(?:[^"\\]|\\.)*": |` +
	`graphFn for "(?:[^"\\]|\\.)*" panicked: |runtime panic: : `)

// sentence returns what an error says, without the way there, on one line.
func sentence(err error) string {
	return strings.Join(strings.Fields(mechanics.ReplaceAllString(err.Error(), "")), " ")
}

// where says which line of which cell led to an error: the innermost of the stack that the error carries, as
// those of GoMLX do, otherwise of the caller's. It is empty elsewhere than in a notebook.
func where(err error) string {
	dir := os.Getenv(protocol.GONB_TMP_DIR_ENV)
	if dir == "" {
		return ""
	}
	program := filepath.Join(dir, "main.go")
	source, readErr := os.ReadFile(program)
	if readErr != nil {
		return ""
	}
	lines := cellFrames(errorStack(err), program)
	if len(lines) == 0 {
		stack := make([]uintptr, 64)
		lines = cellFrames(stack[:runtime.Callers(2, stack)], program)
	}
	if len(lines) == 0 {
		return ""
	}
	cells := keptCells(os.Getenv(cellsEnv))
	inner, ok := findLine(string(source), lines[0], cells)
	if !ok {
		return ""
	}
	if outer, ok := findLine(string(source), lines[len(lines)-1], cells); ok && outer.cell != inner.cell {
		return fmt.Sprintf("%v, called in %v: ", inner, outer)
	}
	return inner.String() + ": "
}

// errorStack returns the stack where the error was made, if it is one of package github.com/pkg/errors.
func errorStack(err error) (stack []uintptr) {
	for ; err != nil; err = errors.Unwrap(err) {
		if traced, ok := err.(interface {
			StackTrace() pkgerrors.StackTrace
		}); ok {
			stack = stack[:0]
			for _, frame := range traced.StackTrace() {
				stack = append(stack, uintptr(frame))
			}
		}
	}
	return stack
}

// cellFrames returns the lines of the program of a cell in a stack, the innermost first.
func cellFrames(stack []uintptr, program string) (lines []int) {
	if len(stack) == 0 {
		return nil
	}
	frames := runtime.CallersFrames(stack)
	for {
		frame, more := frames.Next()
		if frame.File == program {
			lines = append(lines, frame.Line)
		}
		if !more {
			return lines
		}
	}
}

// keptCell is a cell that was run, as GoNB got it.
type keptCell struct {
	number int
	code   string
}

// keptCells returns the cells that were run, the last first.
func keptCells(dir string) (cells []keptCell) {
	files, _ := os.ReadDir(dir)
	for _, file := range files {
		number, err := strconv.Atoi(file.Name())
		code, readErr := os.ReadFile(filepath.Join(dir, file.Name()))
		if err == nil && readErr == nil {
			cells = append(cells, keptCell{number, string(code)})
		}
	}
	slices.SortFunc(cells, func(a, b keptCell) int { return b.number - a.number })
	return cells
}

// cellLine is a line of a cell.
type cellLine struct{ cell, line int }

// String returns the line as a reader counts.
func (l cellLine) String() string { return fmt.Sprintf("cell [%d], line %d", l.cell, l.line) }

// findLine finds the line of a program in the cells that it was made of. GoNB orders declarations anew, but
// leaves each as it is written: what has the same text is the same.
func findLine(program string, line int, cells []keptCell) (cellLine, bool) {
	for _, b := range codeBlocks(program, false) {
		if line < b.line || line > b.line+strings.Count(b.text, "\n") {
			continue
		}
		for _, c := range cells {
			file, numbers := cellFile(c.code)
			for _, candidate := range codeBlocks(file, true) {
				at := candidate.line + line - b.line
				if candidate.text == b.text && at <= len(numbers) {
					return cellLine{c.number, numbers[at-1]}, true
				}
			}
		}
	}
	return cellLine{}, false
}

// codeBlock is a function, or the value of a variable, in a file.
type codeBlock struct {
	text string
	line int
}

// codeBlocks returns the blocks of a file, at the lines in it or at those that directives in it name.
func codeBlocks(source string, directed bool) (blocks []codeBlock) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	add := func(n ast.Node) {
		from, to := fset.Position(n.Pos()).Offset, fset.Position(n.End()).Offset
		blocks = append(blocks, codeBlock{source[from:to], fset.PositionFor(n.Pos(), directed).Line})
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			d.Doc = nil
			add(d)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if values, ok := spec.(*ast.ValueSpec); ok {
					for _, x := range values.Values {
						add(x)
					}
				}
			}
		}
	}
	return blocks
}

// cellFile returns the file that GoNB makes of a cell, and for each of its lines that of the cell.
func cellFile(code string) (file string, numbers []int) {
	lines := strings.Split(code, "\n")
	out := []string{"package main", ""}
	numbers = []int{1, 1}
	end := ""
	for i, kind := range lineKinds(lines) {
		switch kind {
		case goLine:
			out, numbers = append(out, lines[i]), append(numbers, i+1)
		case mainMark:
			out, numbers = append(out, "func main() {", "\tflag.Parse()"), append(numbers, i+1, i+1)
			end = "\n\n}"
		}
	}
	return strings.Join(out, "\n") + end, numbers
}
