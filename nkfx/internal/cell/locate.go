package cell

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// FolderEnv names the environment variable with the folder of the cells that were run, as GoNB got
// them, in files named by their numbers.
const FolderEnv = "NKF_CELLS"

// Locate says which line of which cell the innermost call in a stack of the program is on, and
// which line called it from another cell. It returns "" if the stack does not lead through the
// program.
func Locate(program string, stack []uintptr) string {
	var lines []int // the innermost first
	frames := runtime.CallersFrames(stack)
	for more := len(stack) > 0; more; {
		var frame runtime.Frame
		if frame, more = frames.Next(); frame.File == program {
			lines = append(lines, frame.Line)
		}
	}
	source, err := os.ReadFile(program)
	if err != nil || len(lines) == 0 {
		return ""
	}
	cells := ranCells()
	inner, line := find(string(source), lines[0], cells)
	if inner == 0 {
		return ""
	}
	place := fmt.Sprintf("cell [%d], line %d", inner, line)
	if outer, line := find(string(source), lines[len(lines)-1], cells); outer != 0 && outer != inner {
		place += fmt.Sprintf(", called in cell [%d], line %d", outer, line)
	}
	return place
}

// ran is a cell that was run.
type ran struct {
	number int
	code   string
}

// ranCells returns the cells that were run, the last first.
func ranCells() (cells []ran) {
	dir := os.Getenv(FolderEnv)
	files, _ := os.ReadDir(dir)
	for _, file := range files {
		number, err := strconv.Atoi(file.Name())
		code, readErr := os.ReadFile(filepath.Join(dir, file.Name()))
		if err == nil && readErr == nil {
			cells = append(cells, ran{number, string(code)})
		}
	}
	slices.SortFunc(cells, func(a, b ran) int { return cmp.Compare(b.number, a.number) })
	return cells
}

// find returns the number of the cell that a line of a program comes from, 0 if unknown, and the
// line in it. GoNB reorders declarations but leaves the text of each, by which they are found.
func find(program string, line int, cells []ran) (number, at int) {
	for _, b := range blocks(program, false) {
		if line < b.line || line > b.line+strings.Count(b.text, "\n") {
			continue
		}
		for _, c := range cells {
			file, numbers := fileOf(c.code)
			for _, candidate := range blocks(file, true) {
				at := candidate.line + line - b.line
				if candidate.text == b.text && at <= len(numbers) {
					return c.number, numbers[at-1]
				}
			}
		}
	}
	return 0, 0
}

// block is a function, or the value of a variable, in a file.
type block struct {
	text string
	line int
}

// blocks returns the blocks of a file, at the lines that its directives name if directed.
func blocks(source string, directed bool) (found []block) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	add := func(n ast.Node) {
		from, to := fset.Position(n.Pos()).Offset, fset.Position(n.End()).Offset
		found = append(found, block{source[from:to], fset.PositionFor(n.Pos(), directed).Line})
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
	return found
}

// fileOf returns the file that GoNB makes of a cell, and the line of the cell for each of its
// lines.
func fileOf(code string) (file string, numbers []int) {
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
