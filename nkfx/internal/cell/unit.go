package cell

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// unit is a declaration that a program has or leaves out as a whole.
type unit struct {
	cell   *Cell
	chunks []chunk
	names  []string // "_" alone if it has none
	of     string   // receiver type of a method, which is its only name
	idents []*ast.Ident
	p      piece
}

// chunk is a part of a program: text, or that of a cell.
type chunk struct {
	text     string
	from, to int
}

// units returns the declarations among the pieces of a cell, those below main's mark left out.
func (c *Cell) units() (units []*unit) {
	for _, p := range c.pieces {
		switch node := p.node.(type) {
		case *ast.FuncDecl:
			u := c.unit(p, p.lead, p.to, "", node.Name)
			if node.Recv != nil && len(node.Recv.List) > 0 {
				u.of = receiver(node.Recv.List[0].Type)
				u.names = []string{u.of + "." + node.Name.Name}
			}
			units = append(units, u)
		case *ast.GenDecl:
			if node.Tok != token.IMPORT && !p.local {
				units = append(units, c.group(p, node)...)
			}
		case *ast.AssignStmt:
			if !c.defines || p.defines() == nil {
				continue
			}
			u := c.unit(p, p.lead, p.to, "", nil)
			for _, left := range node.Lhs {
				u.name(left.(*ast.Ident))
			}
			assign := p.offset(node.TokPos)
			u.chunks = []chunk{{from: p.lead, to: p.from}, {text: "var "}, {from: p.from, to: assign},
				{text: " "}, {from: assign + 1, to: p.to}} // = in the place of :=
			units = append(units, u)
		}
	}
	for _, u := range units {
		if len(u.names) == 0 {
			u.names = []string{"_"}
		}
	}
	return units
}

// stays reports whether programs have the unit even if nothing uses it.
func (u *unit) stays() bool { return u.names[0] == "init" || u.names[0] == "_" }

// group returns the parts of a declaration that can stand alone. Constants may continue one another.
func (c *Cell) group(p piece, node *ast.GenDecl) (units []*unit) {
	whole := c.unit(p, p.lead, p.to, "", nil)
	for _, spec := range node.Specs {
		u := whole
		if node.Tok != token.CONST && node.Lparen.IsValid() {
			u = c.unit(p, p.offset(spec.Pos()), p.offset(spec.End()), node.Tok.String()+" ", nil)
			units = append(units, u)
		}
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				u.name(name)
			}
		case *ast.TypeSpec:
			u.name(spec.Name)
		}
	}
	if units == nil && len(node.Specs) > 0 {
		return []*unit{whole}
	}
	return units
}

func (c *Cell) unit(p piece, from, to int, keyword string, name *ast.Ident) *unit {
	u := &unit{cell: c, p: p, chunks: []chunk{{from: from, to: to}}}
	if keyword != "" {
		u.chunks = slices.Insert(u.chunks, 0, chunk{text: keyword})
	}
	if name != nil {
		u.name(name)
	}
	return u
}

// name adds a declared name. A variable called _ is there for its value.
func (u *unit) name(id *ast.Ident) {
	if id.Name != "_" {
		u.names, u.idents = append(u.names, id.Name), append(u.idents, id)
	}
}

// without returns the unit without names that are declared again: nil if none is left, or else with _ in
// their places.
func (u *unit) without(again map[string]bool) *unit {
	if !slices.ContainsFunc(u.names, func(n string) bool { return again[n] }) {
		return u
	}
	if !slices.ContainsFunc(u.names, func(n string) bool { return !again[n] }) {
		return nil
	}
	left := &unit{cell: u.cell, p: u.p, chunks: slices.Clone(u.chunks)}
	for i, id := range u.idents {
		if !again[u.names[i]] {
			left.name(id)
			continue
		}
		at := u.p.offset(id.Pos())
		j := slices.IndexFunc(left.chunks, func(c chunk) bool { return c.from <= at && at < c.to })
		c := left.chunks[j]
		end := at + len(id.Name)
		left.chunks = slices.Replace(left.chunks, j, j+1, chunk{from: c.from, to: at}, chunk{text: "_"},
			chunk{from: end, to: c.to})
	}
	return left
}

// receiver returns the name of the receiver type of a method.
func receiver(x ast.Expr) (name string) {
	ast.Inspect(x, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return name == ""
	})
	return name
}

// Memory is what the cells that have run declare.
type Memory struct {
	units   []*unit
	imports map[string]string // paths by names; the paths themselves for . and _, which are no names
}

// with returns what the memory holds once a cell has run.
func (m *Memory) with(c *Cell) *Memory {
	after := &Memory{imports: map[string]string{}}
	for name, path := range m.imports {
		after.imports[name] = path
	}
	again := map[string]bool{"main": true} // that of another cell does not run
	own := c.units()
	for _, u := range own {
		for _, name := range u.names {
			again[name] = true
			delete(after.imports, name)
		}
	}
	for _, u := range m.units {
		if left := u.without(again); left != nil {
			after.units = append(after.units, left)
		}
	}
	after.units = append(after.units, own...)
	return after
}

// Remove forgets declarations and imports, those without a name by their path, and all without names.
func (m *Memory) Remove(names ...string) {
	gone := map[string]bool{}
	for _, name := range names {
		gone[name] = true
		for _, kind := range []string{"", ".", "_"} {
			delete(m.imports, kind+name)
		}
	}
	if len(names) == 0 {
		*m = Memory{}
	}
	var left []*unit
	for _, u := range m.units {
		if u := u.without(gone); u != nil && !gone[u.of] {
			left = append(left, u)
		}
	}
	m.units = left
}

// List returns what the memory holds, a line each.
func (m *Memory) List() string {
	lines := importLines(m.imports)
	for _, u := range m.units {
		kind := u.p.kind.String()
		if u.p.kind == token.ILLEGAL {
			kind = "var"
		}
		lines = append(lines, kind+" "+strings.Join(u.names, ", ")+"\n")
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}
