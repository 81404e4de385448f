package cell

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Built is a program that runs a cell.
type Built struct {
	*Program
	After *Memory // what there is to later cells
	Reads bool    // from standard input

	imports map[string]string // paths by names
	shown   way               // how the last expression is
}

// checked is the whole program of a cell with what go/types knows of it.
type checked struct {
	*Program
	file  *ast.File
	pkg   *types.Package
	info  types.Info
	errs  []types.Error
	fset  *token.FileSet
	cell  *Cell
	value *ast.ExprStmt // the last expression of main, nil for none

	kept  map[int]bool      // the declarations that stay, by index, and main
	used  map[string]string // the imports of these, paths by names
	reads bool              // these read standard input
}

// Program returns the program that runs a cell, without declarations that it does not use, or its mistakes.
// Args says that the program gets arguments.
func (m *Memory) Program(c *Cell, packages *Packages, args bool) (*Built, []*Error) {
	after := m.with(c)
	if errs := after.take(c, packages); errs != nil {
		return nil, errs
	}
	paths := after.wanted(c, packages)
	k, errs := after.check(c, packages, paths)
	if k == nil {
		return nil, errs
	}
	if errs != nil { // the packages may have changed since they were listed
		again := slices.Collect(maps.Values(paths))
		if list, err := packages.List(context.Background(), again...); err == nil {
			packages.Add(list)
			k, errs = after.check(c, packages, paths)
		}
	}
	if errs != nil {
		return nil, errs
	}
	shown := k.way()
	for name, path := range showImports {
		if strings.Contains(shown.before+shown.after, name+".") {
			k.used[name] = path
		}
	}
	flags := !c.whole() && (args || k.used["flag"] == "flag")
	if flags {
		k.used["nkf_flag"] = "flag"
	}
	var units []*unit
	for i, u := range after.units {
		if k.kept[i] {
			units = append(units, u)
		}
	}
	return &Built{compose(c, units, importLines(k.used), shown, flags), after, k.reads, k.used, shown}, nil
}

// Typed returns the two files that gopls reads while a cell is typed: what earlier cells declare, and the
// cell.
func (m *Memory) Typed(c *Cell, packages *Packages) (earlier string, now *Program) {
	after := m.with(c)
	_ = after.take(c, packages) // what cannot be imported is not completed either
	lines := importLines(after.wanted(c, packages))
	var old, own []*unit
	for _, u := range after.units {
		if u.cell == c {
			own = append(own, u)
		} else {
			old = append(old, u)
		}
	}
	past := &Program{}
	past.text.WriteString("package main\n\n" + strings.Join(lines, ""))
	for _, u := range old {
		past.unit(u)
	}
	return past.Text(), compose(c, own, lines, way{}, false)
}

// check checks the program of a cell with all that the memory holds. It returns nil for what no parser
// understands.
func (m *Memory) check(c *Cell, packages *Packages, paths map[string]string) (*checked, []*Error) {
	if c.wrong != nil {
		return nil, []*Error{c.wrong}
	}
	k := &checked{
		Program: compose(c, m.units, importLines(paths), way{}, false), fset: token.NewFileSet(), cell: c,
	}
	if e := k.parse(); e != nil {
		return nil, []*Error{e}
	}
	k.info = types.Info{Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Importer: packages, Error: func(err error) {
		if e := (types.Error{}); errors.As(err, &e) {
			k.errs = append(k.errs, e)
		}
	}}
	k.pkg, _ = conf.Check("main", k.fset, []*ast.File{k.file}, &k.info) // the errors are in errs
	k.trim(m.imports)
	return k, k.mistakes()
}

// parse parses the program and returns the first mistake of the cell.
func (k *checked) parse() *Error {
	var err error
	k.file, err = parser.ParseFile(k.fset, "", k.Text(), parser.SkipObjectResolution)
	list := (scanner.ErrorList)(nil)
	if !errors.As(err, &list) {
		return nil
	}
	e, end := k.mistake(list[0].Pos.Offset, list[0].Msg), k.cell.end()
	what, _, ok := strings.Cut(e.Message, ", found ")
	if e.Cell != k.cell || ok && e.Offset >= end {
		e = &Error{k.cell, end, what + ", found the end of the cell"} // and not what is written behind
	}
	return e
}

// end returns the offset of the end of the code, without empty lines.
func (c *Cell) end() int { return len(strings.TrimRight(c.Code, " \t\n")) }

// uses is what a declaration, or main, uses.
type uses struct {
	units   []int       // the declarations, by index
	imports [][2]string // names and paths
	reads   bool        // standard input
}

// walk returns the uses of each declaration, and of main after them, and finds the last expression.
func (k *checked) walk(imports map[string]string) []uses {
	last := -1 // where the last expression is
	if i := k.cell.last(); i >= 0 {
		last, _ = k.At(k.cell, k.cell.pieces[i].from)
	}
	all := make([]uses, len(k.units)+1)
	for _, d := range k.file.Decls {
		u := &all[k.unitAt(d.Pos())]
		selected := map[*ast.Ident]bool{} // the names behind a dot
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ExprStmt:
				if k.offset(n.Pos()) == last {
					k.value = n
				}
			case *ast.SelectorExpr:
				selected[n.Sel] = true
			case *ast.Ident:
				if object := k.info.Uses[n]; object != nil {
					k.note(u, object, selected[n], imports)
				}
			}
			return true
		})
	}
	return all
}

// trim decides what stays of the program: the declarations of the cell, and all that these and main use.
func (k *checked) trim(imports map[string]string) {
	k.kept, k.used = map[int]bool{}, map[string]string{}
	for name, path := range imports {
		if name == "_"+path {
			k.used[name] = path
		}
	}
	all, queue := k.walk(imports), []int{len(k.units)}
	for i, u := range k.units {
		if u.cell == k.cell || u.stays() {
			queue = append(queue, i)
		}
		for j, method := range k.units {
			if method.of != "" && slices.Contains(u.names, method.of) {
				all[i].units = append(all[i].units, j)
			}
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		if i := queue[0]; !k.kept[i] {
			k.kept[i] = true
			k.reads = k.reads || all[i].reads
			for _, i := range all[i].imports {
				k.used[i[0]] = i[1]
			}
			queue = append(queue, all[i].units...)
		}
	}
}

// note notes that an object is used, by a name that is behind a dot or not.
func (k *checked) note(u *uses, object types.Object, selected bool, imports map[string]string) {
	pkg := object.Pkg()
	if name, ok := object.(*types.PkgName); ok {
		u.imports = append(u.imports, [2]string{name.Name(), name.Imported().Path()})
	} else if pkg == k.pkg && object.Pos().IsValid() {
		u.units = append(u.units, k.unitAt(object.Pos()))
	} else if pkg != nil {
		if path, ok := imports["."+pkg.Path()]; ok && !selected {
			u.imports = append(u.imports, [2]string{"." + path, path})
		}
		switch pkg.Path() + "." + object.Name() {
		case "fmt.Scan", "fmt.Scanf", "fmt.Scanln", "os.Stdin":
			u.reads = true
		}
	}
}

// offset returns the offset of a position in the program.
func (k *checked) offset(at token.Pos) int { return k.fset.PositionFor(at, false).Offset }

func (k *checked) mistake(offset int, message string) *Error {
	c, at := k.Cell(offset)
	if c == nil {
		c, at = k.cell, 0
	}
	return &Error{c, at, strings.TrimSuffix(strings.TrimPrefix(message, "syntax error: "), ":")}
}

// unitAt returns the index of the declaration with a position, or how many there are for main.
func (k *checked) unitAt(at token.Pos) int {
	offset := k.offset(at)
	i := slices.IndexFunc(k.units, func(u placed) bool { return u.from <= offset && offset < u.to })
	if i < 0 {
		return len(k.units)
	}
	return i
}

// mistakes returns the errors of what stays, one for each line.
func (k *checked) mistakes() (errs []*Error) {
	lines := map[string]bool{}
	for _, e := range k.errs {
		unused := strings.HasSuffix(e.Msg, "is not used") && k.value != nil &&
			k.value.Pos() <= e.Pos && e.Pos <= k.value.End()
		if unused || strings.HasSuffix(e.Msg, "imported and not used") ||
			strings.Contains(e.Msg, "imported as") && strings.HasSuffix(e.Msg, "and not used") ||
			strings.HasPrefix(e.Msg, "\t") || !k.kept[k.unitAt(e.Pos)] {
			continue
		}
		mistake := k.mistake(k.offset(e.Pos), e.Msg)
		if i := k.unitAt(e.Pos); i < len(k.units) && mistake.Cell != k.cell {
			mistake.Message += "; to forget it: %rm " + k.units[i].names[0]
		}
		line, _, _ := mistake.Cell.Line(mistake.Offset)
		if place := fmt.Sprint(mistake.Cell.ID, line); !lines[place] {
			lines[place] = true
			errs = append(errs, mistake)
		}
	}
	return errs
}

// Error is a mistake in a cell.
type Error struct {
	Cell    *Cell
	Offset  int
	Message string
}

// Error returns the place and the message.
func (e *Error) Error() string {
	line, _, _ := e.Cell.Line(e.Offset)
	return fmt.Sprintf("%s, line %d: %s", e.Cell.Name(), line, e.Message)
}

// Name is what errors call the cell.
func (c *Cell) Name() string {
	if c.Number == 0 {
		return "this cell"
	}
	return fmt.Sprintf("cell [%d]", c.Number)
}

// Excerpt returns the line of the mistake, or the part of it that one can see at once, and a caret below the
// place.
func (e *Error) Excerpt() []string {
	_, text, before := e.Cell.Line(e.Offset)
	line, at := []rune(text), utf8.RuneCountInString(before)
	from := max(0, at-longestLine)
	space := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, string(line[from:at]))
	return []string{"    " + string(line[from:min(len(line), at+longestLine)]), "    " + space + "^"}
}

// longestLine is how many characters of a line are shown before a mistake, and behind.
const longestLine = 100

// Compiler translates what a compiler says of a program, whose lines are those of cells, into the mistakes
// that it names. Cells are found by their IDs.
func Compiler(said string, cells func(id string) *Cell) (errs []*Error) {
	for _, match := range compilerLine.FindAllStringSubmatch(said, -1) {
		if c := cells(match[1]); c != nil {
			line, _ := strconv.Atoi(match[2])
			column, _ := strconv.Atoi(match[3])
			message := showing.ReplaceAllString(strings.TrimSuffix(match[4], ":"), "")
			errs = append(errs, &Error{c, c.offset(line, column), message})
		}
	}
	return errs
}

// showing matches what names the functions that show values, which no cell calls.
var showing = regexp.MustCompile(` in argument to nkf_\w+\.\w+`)

var compilerLine = regexp.MustCompile(`(?m)` + StackFile + `([0-9a-f]{12}):(\d+)(?::(\d+))?: (.*)$`)
