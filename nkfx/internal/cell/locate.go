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

// Names of files in the stacks of trimmed programs, whose lines are those of cells.
const (
	thisCell = "/this cell" // of main
	cellFile = "/cell of "  // and the name of what the cell declares
)

// stackFile returns the name of a file in stacks.
func stackFile(title string) string {
	if title == "main" {
		return thisCell
	}
	return cellFile + title
}

// Locate says which line of which cell the innermost call in a stack of the program is on, and
// which line called it from another cell. It returns "" if the stack does not lead through the
// program.
func Locate(program string, stack []uintptr) string {
	var calls []runtime.Frame // the innermost first
	frames := runtime.CallersFrames(stack)
	for more := len(stack) > 0; more; {
		var frame runtime.Frame
		if frame, more = frames.Next(); frame.File == program || frame.File == thisCell ||
			strings.HasPrefix(frame.File, cellFile) {
			calls = append(calls, frame)
		}
	}
	if len(calls) == 0 {
		return ""
	}
	cells := ranCells()
	at := func(call runtime.Frame) (number, line int) {
		if call.File != program {
			return declared(call.File, call.Line, cells), call.Line
		}
		source, _ := os.ReadFile(program) // without, no line is found
		return find(string(source), call.Line, cells)
	}
	inner, line := at(calls[0])
	if inner == 0 {
		return ""
	}
	place := fmt.Sprintf("cell [%d], line %d", inner, line)
	if outer, line := at(calls[len(calls)-1]); outer != 0 && outer != inner {
		place += fmt.Sprintf(", called in cell [%d], line %d", outer, line)
	}
	return place
}

// declared returns the number of the cell that was the last to have a line of a file in stacks, 0 if unknown.
func declared(stack string, line int, cells []ran) int {
	for _, c := range cells {
		for _, b := range c.blocks {
			end := b.line + strings.Count(b.text, "\n")
			if stackFile(b.name) == stack && b.line <= len(c.numbers) && c.numbers[b.line-1] <= line &&
				(end > len(c.numbers) || line <= c.numbers[end-1]) {
				return c.number
			}
		}
	}
	return 0
}

// ran is a cell that was run, as the file that GoNB makes of it.
type ran struct {
	number  int
	titles  []string // of what it declares
	blocks  []block
	numbers []int // the line of the cell for each line of the file
}

func newRan(number int, code string) ran {
	text, numbers := fileOf(code)
	c := ran{number: number, blocks: blocks(text, true), numbers: numbers}
	if file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution); err == nil {
		for _, p := range partsOf(file) {
			c.titles = append(c.titles, p.title())
		}
	}
	return c
}

// ranCells returns the cells that were run, the last first.
func ranCells() (cells []ran) {
	dir := os.Getenv(FolderEnv)
	files, _ := os.ReadDir(dir)
	for _, file := range files {
		number, err := strconv.Atoi(file.Name())
		code, readErr := os.ReadFile(filepath.Join(dir, file.Name()))
		if err == nil && readErr == nil {
			cells = append(cells, newRan(number, string(code)))
		}
	}
	slices.SortFunc(cells, func(a, b ran) int { return cmp.Compare(b.number, a.number) })
	return cells
}

// origin returns the cell that a block of a program comes from, and the block in it. GoNB reorders
// declarations but leaves the text of each, by which they are found.
func origin(b block, cells []ran) (c ran, own block, ok bool) {
	for _, c := range cells {
		if i := slices.IndexFunc(c.blocks, func(own block) bool { return own.text == b.text }); i >= 0 {
			return c, c.blocks[i], true
		}
	}
	return ran{}, block{}, false
}

// find returns the number of the cell that a line of a program comes from, 0 if unknown, and the
// line in it.
func find(program string, line int, cells []ran) (number, at int) {
	for _, b := range blocks(program, false) {
		if line < b.line || line > b.line+strings.Count(b.text, "\n") {
			continue
		}
		c, own, ok := origin(b, cells)
		if at := own.line + line - b.line; ok && at <= len(c.numbers) {
			return c.number, c.numbers[at-1]
		}
	}
	return 0, 0
}

// linesOf returns a function that tells on which line of its cell something begins that begins and ends on
// lines of a program, if that is known and nothing else than Go is between its lines.
func linesOf(program string, cells []ran) func(first, last int) (at int, ok bool) {
	all := blocks(program, false)
	return func(first, last int) (at int, ok bool) {
		for _, b := range all {
			if b.line < first || b.line > last {
				continue
			}
			if c, own, ok := origin(b, cells); ok {
				return beginning(c.numbers, own, b.line-first)
			}
		}
		return 0, false
	}
}

// beginning returns the line of a cell where something begins that has a block so many lines below, if all
// lines of the block follow each other. The numbers are those of [fileOf], which puts two lines of main in
// the place of a mark: the second counts.
func beginning(numbers []int, b block, below int) (at int, ok bool) {
	from, to := b.line, min(len(numbers), b.line+strings.Count(b.text, "\n")) // counted from 1
	for i := to; i >= from; i-- {
		here := numbers[i-1] - (i - b.line) - below
		if i < to && here != at && !(i == from && strings.HasPrefix(b.text, markedMain)) {
			return 0, false
		} else if i == to {
			at = here
		}
	}
	return at, from <= to
}

// markedMain begins main in the file that GoNB makes of a cell with a mark.
const markedMain = "func main() {\n\tflag.Parse()\n"

// block is a function, or the value of a variable, in a file.
type block struct {
	name string // of what declares it, as in stacks
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
	for _, p := range partsOf(file) {
		add := func(n ast.Node) {
			from, to := fset.Position(n.Pos()).Offset, fset.Position(n.End()).Offset
			found = append(found, block{p.title(), source[from:to], fset.PositionFor(n.Pos(), directed).Line})
		}
		ast.Inspect(p.node, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				n.Doc = nil
				add(n)
			case *ast.ValueSpec:
				for _, x := range n.Values {
					add(x)
				}
			case *ast.GenDecl:
				return true
			}
			return false
		})
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
