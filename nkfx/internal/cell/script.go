package cell

import (
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Part is a cell of a notebook: code, or text.
type Part struct{ Code, Text string }

// script is a notebook that becomes a program.
type script struct {
	*Program
	imports map[string]string // of all cells, paths by names
	units   []*unit           // the declarations that stay
	called  []string          // the functions of cells
}

// Script returns a notebook as one program: the declarations of each cell, its statements as a function, and
// a main that calls these functions. Text and commands become comments. Of declarations of one name the last
// stays, and a variable is set once, when the program begins.
func Script(parts []Part, packages *Packages) (string, []*Error) {
	s := &script{Program: &Program{plain: true}, imports: map[string]string{}}
	memory, count := &Memory{}, 0
	cells, shown := make([]*Cell, len(parts)), make([]way, len(parts))
	for i, part := range parts {
		if part.Code == "" {
			continue
		}
		count++
		c := New(part.Code, count)
		if cells[i] = c; !c.IsGo() {
			continue
		}
		built, errs := memory.Program(c, packages, false)
		if errs != nil {
			return "", errs
		}
		memory, shown[i] = built.After, built.shown.outside()
		for name, path := range built.imports {
			if other := s.imports[name]; other != "" && other != path {
				return "", []*Error{{c, 0, fmt.Sprintf("%s is %s here, and %s in another cell: one program "+
					"cannot have both", name, path, other)}}
			}
			s.imports[name] = path
		}
	}
	s.units = memory.units
	names := s.short()
	for i, c := range cells {
		shown[i] = way{names.Replace(shown[i].before), names.Replace(shown[i].after)}
		s.comment(parts[i].Text)
		if c != nil {
			s.cell(c, shown[i])
		}
	}
	return s.finish(packages)
}

// outside returns the way for a program that no kernel runs.
func (w way) outside() way {
	unmarked := strings.NewReplacer(
		strings.TrimSuffix(printed.before, "ln("), "nkf_fmt.Print", printed.after, ")")
	w = way{unmarked.Replace(w.before), unmarked.Replace(w.after)}
	before := strings.ReplaceAll(w.before, "nkf_value{", "") // and the brace that closes it
	if before == w.before {
		return w
	}
	if i := strings.LastIndex(w.after, "})"); i >= 0 {
		return way{before, w.after[:i] + w.after[i+1:]}
	}
	i := strings.LastIndex(before, "})")
	return way{before[:i] + before[i+1:], w.after}
}

// comment writes text as a comment.
func (s *script) comment(text string) {
	if text = strings.TrimSpace(text); text != "" {
		s.text.WriteString("\n// " + strings.ReplaceAll(text, "\n", "\n// ") + "\n\n")
	}
}

// cell writes what a cell declares, and its statements as a function.
func (s *script) cell(c *Cell, shown way) {
	if c.Other {
		s.comment(c.Code)
		return
	}
	s.comment(strings.Join(slices.DeleteFunc(slices.Clone(c.Commands), mark.MatchString), "\n"))
	name := fmt.Sprintf("cell%d", c.Number)
	for s.declares(name) {
		name += "_"
	}
	whole := c.whole()
	for _, u := range s.units {
		if u.cell == c && u.names[0] != "main" {
			s.unit(u)
		}
	}
	runs := c.main != "" || slices.ContainsFunc(c.pieces, piece.runs) && !c.defines
	switch {
	case whole:
		for _, u := range c.units() {
			if u.names[0] == "main" {
				s.unit(u.renamed(name))
			}
		}
	case runs:
		s.text.WriteString("\nfunc " + name + "() {")
		s.body(c, shown)
		if c.main != "" {
			s.text.WriteString("\n" + c.main + "()")
		}
		s.text.WriteString("\n}\n")
	default:
		return
	}
	s.called = append(s.called, name)
}

// renamed returns a function under another name.
func (u *unit) renamed(name string) *unit {
	at := u.p.offset(u.idents[0].Pos())
	renamed := *u
	renamed.chunks = []chunk{{from: u.p.lead, to: at}, {text: name}, {from: at + len("main"), to: u.p.to}}
	return &renamed
}

// short gives packages that show values their usual names where these are free, and returns what puts them in
// the place of the others.
func (s *script) short() *strings.Replacer {
	var names []string
	for name, path := range showImports {
		short := strings.TrimPrefix(name, "nkf_")
		other := s.imports[short]
		if s.imports[name] == "" || other != "" && other != path || s.declares(short) {
			continue
		}
		delete(s.imports, name)
		s.imports[short], names = path, append(names, name+".", short+".")
	}
	return strings.NewReplacer(names...)
}

// declares reports whether a declaration has that name.
func (s *script) declares(name string) bool {
	return slices.ContainsFunc(s.units, func(u *unit) bool { return slices.Contains(u.names, name) })
}

// finish adds main and the imports that the program uses, and checks it: declarations that were replaced may
// be missed.
func (s *script) finish(packages *Packages) (string, []*Error) {
	s.text.WriteString("\nfunc main() {\n")
	if s.imports["nkf_flag"] != "" {
		s.text.WriteString("nkf_flag.Parse()\n")
	}
	for _, name := range s.called {
		s.text.WriteString(name + "()\n")
	}
	s.text.WriteString("}\n")
	const head = "package main\n\n"
	lines := importLines(s.imports)
	before := head + strings.Join(lines, "")
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", before+s.Text(), parser.SkipObjectResolution)
	if err != nil {
		return "", []*Error{{New("", 0), 0, err.Error()}}
	}
	var errs []*Error
	conf := types.Config{Importer: packages, Error: func(err error) {
		e := types.Error{}
		if !errors.As(err, &e) {
			return
		}
		at := fset.PositionFor(e.Pos, false)
		if i := at.Line - 1 - strings.Count(head, "\n"); i < len(lines) {
			lines[i] = "" // it is not used
		} else if c, offset := s.Cell(at.Offset - len(before)); c != nil {
			errs = append(errs, &Error{c, offset, e.Msg})
		}
	}}
	if _, _ = conf.Check("main", fset, []*ast.File{file}, nil); errs != nil { // the errors are in errs
		return "", errs
	}
	for i, line := range lines {
		if f := strings.Fields(line); len(f) == 3 { // the usual name goes without saying
			lines[i] = strings.Join(f[1:], " ") + "\n"
			if name, err := packages.name(strings.Trim(f[2], `"`)); err == nil && name == f[1] {
				lines[i] = f[2] + "\n"
			}
		}
	}
	text, err := format.Source([]byte(head + "import (\n" + strings.Join(lines, "") + ")\n" + s.Text()))
	if err != nil {
		return "", []*Error{{New("", 0), 0, err.Error()}}
	}
	return string(text), nil
}
