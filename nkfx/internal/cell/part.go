package cell

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// part is a declaration that can be left out as a whole.
type part struct {
	node  ast.Node
	names []string // declared names, none for what always stays, as main
	of    string   // receiver type of a method
	uses  []string // identifiers, those before a dot with the dot
	sum   string
	known bool // it has been compiled before
	kept  bool

	keyword string // what the group of the node begins with
}

// title names the part in stacks.
func (p *part) title() string {
	if p.of != "" {
		return p.of + "." + p.node.(*ast.FuncDecl).Name.Name
	}
	if f, ok := p.node.(*ast.FuncDecl); ok {
		return f.Name.Name
	}
	return strings.Join(p.names, ",")
}

// runs reports whether the part has code with lines in stacks.
func (p *part) runs() bool {
	switch n := p.node.(type) {
	case *ast.FuncDecl, *ast.ValueSpec:
		return true
	case *ast.GenDecl:
		return n.Tok == token.VAR
	}
	return false
}

// partsOf returns the declarations of a program, imports left out.
func partsOf(file *ast.File) []*part {
	var parts []*part
	add := func(n ast.Node, names ...*ast.Ident) *part {
		p := &part{node: n}
		for _, name := range names {
			if name.Name != "_" { // a variable of that name is there for its value
				p.names = append(p.names, name.Name)
			}
		}
		p.collect(n, map[string]bool{})
		parts = append(parts, p)
		return p
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			switch {
			case d.Recv != nil:
				add(d).of = receiver(d.Recv.List[0].Type)
			case d.Name.Name == "main" || d.Name.Name == "init":
				add(d)
			default:
				add(d, d.Name)
			}
		case *ast.GenDecl:
			if d.Tok == token.CONST { // constants may continue one another
				var names []*ast.Ident
				for _, spec := range d.Specs {
					names = append(names, spec.(*ast.ValueSpec).Names...)
				}
				add(d, names...)
				continue
			}
			for _, spec := range d.Specs {
				var node ast.Node = d
				keyword := ""
				if d.Lparen.IsValid() {
					node, keyword = spec, d.Tok.String()+" "
				}
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					add(node, spec.Names...).keyword = keyword
				case *ast.TypeSpec:
					add(node, spec.Name).keyword = keyword
				}
			}
		}
	}
	return parts
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

// collect collects the names in the part but for those that are hidden, by parameters. Another local name
// counts as a use of a global one, which keeps too much at worst.
func (p *part) collect(n ast.Node, hidden map[string]bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			p.collectFrom(n.Recv, n.Type, n.Body, hidden)
			return false
		case *ast.FuncLit:
			p.collectFrom(nil, n.Type, n.Body, hidden)
			return false
		case *ast.FuncType:
			p.collectFrom(nil, n, nil, hidden)
			return false
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && !hidden[x.Name] {
				p.uses = append(p.uses, x.Name+".")
			}
			p.collect(n.X, hidden)
			return false
		case *ast.Ident:
			if !hidden[n.Name] {
				p.uses = append(p.uses, n.Name)
			}
		}
		return true
	})
}

// collectFrom collects those of a function, whose parameters hide global names in its body and not in their
// own types.
func (p *part) collectFrom(receiver *ast.FieldList, of *ast.FuncType, body *ast.BlockStmt,
	hidden map[string]bool,
) {
	inner := maps.Clone(hidden)
	for _, list := range []*ast.FieldList{receiver, of.TypeParams, of.Params, of.Results} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			p.collect(field.Type, hidden)
			for _, name := range field.Names {
				inner[name.Name] = true
			}
		}
	}
	if body != nil {
		p.collect(body, inner)
	}
}

// keepUsed marks the parts that are new and all that kept parts use, and returns the names that
// they use.
func keepUsed(parts []*part) (used map[string]bool) {
	used = map[string]bool{}
	isUsed := func(name string) bool { return used[name] }
	for again := true; again; {
		again = false
		for _, p := range parts {
			always := len(p.names) == 0 && p.of == ""
			wanted := used[p.of] || slices.ContainsFunc(p.names, isUsed)
			if p.kept || p.known && !always && !wanted {
				continue
			}
			p.kept, again = true, true
			for _, name := range slices.Concat(p.uses, p.names) {
				used[name] = true
			}
		}
	}
	return used
}
