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
)

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

// Excerpt returns the line of the mistake, and a caret below the place.
func (e *Error) Excerpt() []string {
	_, text, before := e.Cell.Line(e.Offset)
	space := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, before)
	return []string{"    " + text, "    " + space + "^"}
}

// Built is a program that runs a cell.
type Built struct {
	*Program
	After *Memory // what there is to later cells
	Reads bool    // from standard input
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

	selected map[*ast.Ident]bool // the names behind a dot
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
	if errs != nil {
		return nil, errs
	}
	kept := k.kept()
	if errs = k.mistakes(kept); errs != nil {
		// The packages may have changed since they were listed.
		if list, err := packages.List(context.Background(), slices.Collect(maps.Values(paths))...); err == nil {
			packages.Add(list)
			k, _ = after.check(c, packages, paths)
			kept = k.kept()
			errs = k.mistakes(kept)
		}
		if errs != nil {
			return nil, errs
		}
	}
	shown := k.way()
	b := &Built{After: after}
	used := map[string]string{}
	for name, path := range after.imports {
		if name == "_"+path {
			used[name] = path
		}
	}
	for id, object := range k.info.Uses {
		if !kept[k.unitAt(id.Pos())] {
			continue
		}
		b.Reads = b.Reads || readsInput(object)
		if name, ok := object.(*types.PkgName); ok {
			used[name.Name()] = name.Imported().Path()
		} else if pkg := object.Pkg(); pkg != nil && pkg != k.pkg && !k.selected[id] {
			if path, ok := after.imports["."+pkg.Path()]; ok {
				used["."+path] = path
			}
		}
	}
	for name, path := range map[string]string{"fmt": "fmt", "nkfx": showPackage, "figures": showPackage + "/figures"} {
		if strings.Contains(shown.before+shown.after, name+".") {
			used[name] = path
		}
	}
	flags := args || used["flag"] == "flag"
	if flags {
		used["flag"] = "flag"
	}
	var units []*unit
	for i, u := range after.units {
		if kept[i] {
			units = append(units, u)
		}
	}
	b.Program = compose(c, units, importLines(used), shown, flags)
	return b, nil
}

// take takes the imports of a cell.
func (m *Memory) take(c *Cell, packages *Packages) (errs []*Error) {
	for _, p := range c.pieces {
		if p.kind != token.IMPORT || p.node == nil {
			continue
		}
		for _, spec := range p.node.(*ast.GenDecl).Specs {
			spec := spec.(*ast.ImportSpec)
			path, _ := strconv.Unquote(spec.Path.Value) // as the parser has done
			name, err := packages.name(path)
			switch {
			case err != nil:
				errs = append(errs, &Error{c, p.offset(spec.Path.Pos()), err.Error()})
			case spec.Name != nil && (spec.Name.Name == "_" || spec.Name.Name == "."):
				m.imports[spec.Name.Name+path] = path
			case spec.Name != nil:
				m.imports[spec.Name.Name] = path
			default:
				m.imports[name] = path
			}
		}
	}
	return errs
}

// selection matches a name with what may be selected from it.
var selection = regexp.MustCompile(`([\pL_][\pL\d_]*)\s*\.\s*([\pL_][\pL\d_]*)?`)

// wanted returns the imports that the memory and a cell may need, paths by names.
func (m *Memory) wanted(c *Cell, packages *Packages) map[string]string {
	selected := map[string][]string{}
	text := []string{c.source}
	declared := map[string]bool{}
	for _, u := range m.units {
		for _, name := range u.names {
			declared[name] = true
		}
		if u.cell != c {
			for _, part := range u.chunks {
				text = append(text, u.cell.source[part.from:part.to])
			}
		}
	}
	for _, match := range selection.FindAllStringSubmatch(strings.Join(text, "\n"), -1) {
		selected[match[1]] = append(selected[match[1]], match[2])
	}
	paths := map[string]string{}
	for name, path := range m.imports {
		if len(selected[name]) > 0 || name[0] == '.' || name == "_"+path {
			paths[name] = path
		}
	}
	for name, names := range selected {
		if _, ok := paths[name]; ok || declared[name] {
			continue
		}
		if path := packages.find(name, names); path != "" {
			paths[name] = path
		}
	}
	return paths
}

// importLines returns the lines that import packages, paths by names.
func importLines(paths map[string]string) (lines []string) {
	for name, path := range paths {
		if name == "."+path || name == "_"+path {
			name = name[:1]
		}
		lines = append(lines, fmt.Sprintf("import %s %q\n", name, path))
	}
	slices.Sort(lines)
	return lines
}

// check checks the program of a cell with all that the memory holds, or returns what no parser understands.
func (m *Memory) check(c *Cell, packages *Packages, paths map[string]string) (*checked, []*Error) {
	k := &checked{Program: compose(c, m.units, importLines(paths), way{}, false), fset: token.NewFileSet(), cell: c,
		selected: map[*ast.Ident]bool{}}
	var err error
	k.file, err = parser.ParseFile(k.fset, "", k.Text(), parser.SkipObjectResolution)
	if list := (scanner.ErrorList)(nil); errors.As(err, &list) {
		return nil, []*Error{k.mistake(list[0].Pos.Offset, list[0].Msg)}
	}
	k.info = types.Info{Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Importer: packages, Error: func(err error) {
		if e := (types.Error{}); errors.As(err, &e) {
			k.errs = append(k.errs, e)
		}
	}}
	k.pkg, _ = conf.Check("main", k.fset, []*ast.File{k.file}, &k.info) // the errors are in errs
	at, last := 0, c.last()
	if last >= 0 {
		at, _ = k.At(c, c.pieces[last].from)
	}
	ast.Inspect(k.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			k.selected[n.Sel] = true
		case *ast.ExprStmt:
			if last >= 0 && k.offset(n.Pos()) == at {
				k.value = n
			}
		}
		return true
	})
	return k, nil
}

// offset returns the offset of a position in the program.
func (k *checked) offset(at token.Pos) int { return k.fset.PositionFor(at, false).Offset }

func (k *checked) mistake(offset int, message string) *Error {
	c, at := k.Cell(offset)
	if c == nil {
		c, at = k.cell, 0
	}
	return &Error{c, at, strings.TrimPrefix(message, "syntax error: ")}
}

// unitAt returns the index of the declaration with a position, -1 for main.
func (k *checked) unitAt(at token.Pos) int {
	offset := k.offset(at)
	return slices.IndexFunc(k.units, func(u placed) bool { return u.from <= offset && offset < u.to })
}

// kept returns the indices of the declarations that stay, those of the cell and all that is used, and -1.
func (k *checked) kept() map[int]bool {
	uses := map[int][]int{}
	for id, object := range k.info.Uses {
		if object.Pkg() == k.pkg && object.Pos().IsValid() {
			from := k.unitAt(id.Pos())
			uses[from] = append(uses[from], k.unitAt(object.Pos()))
		}
	}
	kept, queue := map[int]bool{}, []int{-1}
	for i, u := range k.units {
		if u.cell == k.cell || len(u.names) == 0 {
			queue = append(queue, i)
		}
		for j, method := range k.units {
			if method.of != "" && slices.Contains(u.names, method.of) {
				uses[i] = append(uses[i], j)
			}
		}
	}
	for len(queue) > 0 {
		next := queue[0]
		if queue = queue[1:]; !kept[next] {
			kept[next] = true
			queue = append(queue, uses[next]...)
		}
	}
	return kept
}

// mistakes returns the errors of what stays, one for each line.
func (k *checked) mistakes(kept map[int]bool) (errs []*Error) {
	lines := map[string]bool{}
	for _, e := range k.errs {
		unused := strings.HasSuffix(e.Msg, "is not used") && k.value != nil &&
			k.value.Pos() <= e.Pos && e.Pos <= k.value.End()
		if unused || strings.HasSuffix(e.Msg, "imported and not used") ||
			strings.Contains(e.Msg, "imported as") && strings.HasSuffix(e.Msg, "and not used") ||
			strings.HasPrefix(e.Msg, "\t") || !kept[k.unitAt(e.Pos)] {
			continue
		}
		mistake := k.mistake(k.offset(e.Pos), e.Msg)
		line, _, _ := mistake.Cell.Line(mistake.Offset)
		if place := fmt.Sprint(mistake.Cell.ID, line); !lines[place] {
			lines[place] = true
			errs = append(errs, mistake)
		}
	}
	return errs
}

// showPackage is the package whose Show shows figures.
const showPackage = "github.com/neuralkforms/nkf/nkfx"

// way returns how the last expression is shown, nothing for one without a value.
func (k *checked) way() way {
	if k.value == nil {
		return way{}
	}
	value := k.info.Types[k.value.X]
	line := way{"fmt.Println(", ")"}
	switch t := value.Type.(type) {
	case nil:
		return way{}
	case *types.Tuple:
		if t.Len() == 0 || k.counts() {
			return way{}
		}
		return line
	case *types.Signature:
		return way{`fmt.Printf("%T\n", `, ")"}
	}
	receive, ok := ast.Unparen(k.value.X).(*ast.UnaryExpr)
	if !value.IsValue() && !value.IsNil() || ok && receive.Op == token.ARROW {
		return way{}
	}
	if types.Identical(value.Type, types.Universe.Lookup("error").Type()) {
		return way{"if err := (", "); err != nil { fmt.Println(err) }"}
	}
	methods := types.NewMethodSet(value.Type)
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return methods.Lookup(nil, name) == nil })
	}
	const arranged = `nkfx.Show(figures.Arrange("", 1, `
	switch name := value.Type.String(); {
	case has("HTML"), has("SVG"), has("ColorModel", "Bounds", "At"):
		return way{"nkfx.Show(", ")"}
	case name == "*gonum.org/v1/plot.Plot":
		return way{arranged + "&figures.Panel{Plot: ", "}))"}
	case name == "*"+showPackage+"/figures.Panel":
		return way{arranged, "))"}
	case has("Plot") && strings.Contains(methods.Lookup(nil, "Plot").Type().String(), "gonum.org/v1/plot"):
		return way{arranged + `figures.NewPanel("", `, ")))"}
	}
	return line
}

// counts reports whether the last call returns (n int, err error), as fmt.Println does, and so is there for
// what it writes or reads.
func (k *checked) counts() bool {
	call, ok := ast.Unparen(k.value.X).(*ast.CallExpr)
	if !ok {
		return false
	}
	f, ok := k.info.Types[call.Fun].Type.(*types.Signature)
	return ok && f.Results().Len() == 2 && f.Results().At(0).Name() == "n" && f.Results().At(1).Name() == "err"
}

// readsInput reports whether an object reads standard input, or is it.
func readsInput(object types.Object) bool {
	if object.Pkg() == nil {
		return false
	}
	switch object.Pkg().Path() + "." + object.Name() {
	case "fmt.Scan", "fmt.Scanf", "fmt.Scanln", "os.Stdin":
		return true
	}
	return false
}

// Compiler translates what a compiler says of a program, whose lines are those of cells, into the mistakes
// that it names. Cells are found by their IDs.
func Compiler(said string, cells func(id string) *Cell) (errs []*Error) {
	for _, match := range compilerLine.FindAllStringSubmatch(said, -1) {
		if c := cells(match[1]); c != nil {
			line, _ := strconv.Atoi(match[2])
			column, _ := strconv.Atoi(match[3])
			errs = append(errs, &Error{c, c.offset(line, column), match[4]})
		}
	}
	return errs
}

var compilerLine = regexp.MustCompile(`(?m)` + StackFolder + `([0-9a-f]{12}):(\d+)(?::(\d+))?: (.*)$`)

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
