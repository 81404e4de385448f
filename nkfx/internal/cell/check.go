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
	"slices"
	"strings"
)

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
		again := slices.Collect(maps.Values(paths))
		if list, err := packages.List(context.Background(), again...); err == nil {
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
	b := &Built{After: after, Reads: k.reads(kept)}
	used := k.used(after, kept)
	for name, path := range showImports {
		if strings.Contains(shown.before+shown.after, name+".") {
			used[name] = path
		}
	}
	flags := !c.whole() && (args || used["flag"] == "flag")
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

// Typing returns a cell that is being typed: brackets that are open at its end are closed, so that gopls
// understands what is in them.
func Typing(code string) *Cell {
	c := New(code, 0)
	if !c.open {
		return c
	}
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(c.source)), []byte(c.source), nil, 0)
	closing := ""
	for _, tok, _ := s.Scan(); tok != token.EOF; _, tok, _ = s.Scan() {
		switch {
		case tok == token.LBRACE:
			closing = "\n}" + closing
		case brackets[tok] > 0:
			closing = map[token.Token]string{token.LPAREN: ")", token.LBRACK: "]"}[tok] + closing
		case brackets[tok] < 0:
			closing = strings.TrimPrefix(closing, "\n")
			closing = closing[min(1, len(closing)):]
		}
	}
	return New(code+closing, 0)
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

// used returns the imports that what is kept of the program uses, paths by names.
func (k *checked) used(after *Memory, kept map[int]bool) map[string]string {
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
		if name, ok := object.(*types.PkgName); ok {
			used[name.Name()] = name.Imported().Path()
		} else if pkg := object.Pkg(); pkg != nil && pkg != k.pkg && !k.selected[id] {
			if path, ok := after.imports["."+pkg.Path()]; ok {
				used["."+path] = path
			}
		}
	}
	return used
}

// check checks the program of a cell with all that the memory holds, or returns what no parser understands.
func (m *Memory) check(c *Cell, packages *Packages, paths map[string]string) (*checked, []*Error) {
	if c.stray >= 0 {
		return nil, []*Error{{c, c.stray, "nothing opens this " + c.source[c.stray:c.stray+1]}}
	}
	k := &checked{
		Program: compose(c, m.units, importLines(paths), way{}, false), fset: token.NewFileSet(), cell: c,
		selected: map[*ast.Ident]bool{},
	}
	var err error
	k.file, err = parser.ParseFile(k.fset, "", k.Text(), parser.SkipObjectResolution)
	if list := (scanner.ErrorList)(nil); errors.As(err, &list) {
		e := k.mistake(list[0].Pos.Offset, list[0].Msg)
		what, _, ok := strings.Cut(e.Message, ", found ")
		if ok && e.Offset >= len(strings.TrimSpace(e.Cell.Code)) {
			e.Message = what + ", found the end of the cell" // and not what is written behind
		}
		return nil, []*Error{e}
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
		if u.cell == k.cell || u.stays() {
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

// reads reports whether what is kept of the program reads standard input.
func (k *checked) reads(kept map[int]bool) bool {
	for id, object := range k.info.Uses {
		if object.Pkg() == nil || !kept[k.unitAt(id.Pos())] {
			continue
		}
		switch object.Pkg().Path() + "." + object.Name() {
		case "fmt.Scan", "fmt.Scanf", "fmt.Scanln", "os.Stdin":
			return true
		}
	}
	return false
}
