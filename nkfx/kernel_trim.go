package nkfx

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// GoNB makes of every cell a program with all that the cells before declare. To link GoMLX, to start a
// backend and to read data takes seconds, which a cell that needs none of them can do without.

const (
	compilingFile = "nkf_compiling" // what the program has that is being compiled
	compiledFile  = "nkf_compiled"  // what the programs had that were
	importsFile   = "nkf_imports"   // names of packages by their paths
)

// TrimCell takes out of the program of a cell what earlier cells declare and this one does not use, so that
// it compiles and starts faster. What was never compiled stays, that its errors be found. Lines keep their
// numbers. The kernel runs it before every build; files beside the program keep what was compiled.
func TrimCell(ctx context.Context, program string) error {
	source, err := os.ReadFile(program)
	if err != nil {
		return fmt.Errorf("the program of a cell: %w", err)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, program, source, parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("the program of a cell: %w", err)
	}
	dir := filepath.Dir(program)
	known := map[string]bool{}
	for _, sum := range readFields(filepath.Join(dir, compiledFile)) {
		known[sum] = true
	}
	blank := func(n ast.Node) {
		part := source[fset.Position(n.Pos()).Offset:fset.Position(n.End()).Offset]
		for i := range part {
			if part[i] != '\n' {
				part[i] = ' '
			}
		}
	}
	parts := cellParts(file, func(n ast.Node) string {
		sum := sha256.Sum256(source[fset.Position(n.Pos()).Offset:fset.Position(n.End()).Offset])
		return hex.EncodeToString(sum[:8])
	})
	qualifiers := keepUsed(parts, known)
	names, err := importNames(ctx, dir, file.Imports)
	if err != nil {
		return err
	}
	var sums []string
	for _, p := range parts {
		if !p.kept {
			blank(p.node)
		}
		if p.kept || known[p.sum] {
			sums = append(sums, p.sum)
		}
	}
	for _, spec := range file.Imports {
		name := names[strings.Trim(spec.Path.Value, `"`)]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if name != "_" && name != "." && !qualifiers[name] {
			blank(spec)
		}
	}
	err = os.WriteFile(filepath.Join(dir, compilingFile), []byte(strings.Join(sums, "\n")), 0o644)
	if err != nil {
		return fmt.Errorf("the program of a cell: %w", err)
	}
	return os.WriteFile(program, source, 0o644)
}

// cellPart is a declaration that can be left out as a whole.
type cellPart struct {
	node  ast.Node
	names []string // that it declares; none for main and other parts that are never left out
	of    string   // the type of a method
	uses  []string // names that may be declared by others
	from  []string // names before a dot, which may be packages
	sum   string   // of its text
	kept  bool
}

// cellParts returns the declarations of a program but for its imports.
func cellParts(file *ast.File, sum func(ast.Node) string) []*cellPart {
	var parts []*cellPart
	add := func(n ast.Node, names ...string) *cellPart {
		p := &cellPart{node: n, names: names, sum: sum(n)}
		p.look(n)
		parts = append(parts, p)
		return p
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			switch p := add(d); {
			case d.Recv != nil:
				p.of = receiver(d.Recv.List[0].Type)
			case d.Name.Name != "main" && d.Name.Name != "init" && d.Name.Name != "_":
				p.names = []string{d.Name.Name}
			}
		case *ast.GenDecl:
			switch d.Tok {
			case token.CONST: // which may go on from one another
				p := add(d)
				for _, spec := range d.Specs {
					p.names = append(p.names, identifiers(spec.(*ast.ValueSpec).Names)...)
				}
			case token.VAR:
				for _, spec := range d.Specs {
					add(cellSpec(d, spec), identifiers(spec.(*ast.ValueSpec).Names)...)
				}
			case token.TYPE:
				for _, spec := range d.Specs {
					add(cellSpec(d, spec), spec.(*ast.TypeSpec).Name.Name)
				}
			}
		}
	}
	return parts
}

// cellSpec returns the node to leave out for one of the specifications of a declaration.
func cellSpec(d *ast.GenDecl, spec ast.Spec) ast.Node {
	if d.Lparen.IsValid() {
		return spec
	}
	return d
}

// identifiers returns names without _, which nobody can use: a variable of that name is there for its value.
func identifiers(list []*ast.Ident) []string {
	var names []string
	for _, name := range list {
		if name.Name != "_" {
			names = append(names, name.Name)
		}
	}
	return names
}

// receiver returns the name of the type of a method.
func receiver(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.ParenExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.IndexListExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}

// look collects the names in the part. Some may be local ones: then a part is kept that need not be.
func (p *cellPart) look(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				p.from = append(p.from, x.Name)
			}
			p.look(n.X)
			return false
		case *ast.Ident:
			p.uses = append(p.uses, n.Name)
		}
		return true
	})
}

// keepUsed marks the parts that are new, and those that parts which are kept use. It returns the names before
// dots in them.
func keepUsed(parts []*cellPart, known map[string]bool) (qualifiers map[string]bool) {
	used := map[string]bool{}
	isUsed := func(name string) bool { return used[name] }
	qualifiers = map[string]bool{}
	for again := true; again; {
		again = false
		for _, p := range parts {
			always := len(p.names) == 0 && p.of == ""
			wanted := used[p.of] || slices.ContainsFunc(p.names, isUsed)
			if p.kept || known[p.sum] && !always && !wanted {
				continue
			}
			p.kept, again = true, true
			for _, name := range slices.Concat(p.uses, p.names) {
				used[name] = true
			}
			for _, name := range p.from {
				qualifiers[name] = true
			}
		}
	}
	return qualifiers
}

// importNames returns the names of the packages that a program imports without giving them one. They are
// kept in dir, because Go takes a while to tell.
func importNames(ctx context.Context, dir string, imports []*ast.ImportSpec) (map[string]string, error) {
	names := map[string]string{}
	kept := filepath.Join(dir, importsFile)
	for fields := range slices.Chunk(readFields(kept), 2) {
		names[fields[0]] = fields[len(fields)-1]
	}
	var unknown []string
	for _, spec := range imports {
		if path := strings.Trim(spec.Path.Value, `"`); spec.Name == nil && names[path] == "" {
			unknown = append(unknown, path)
		}
	}
	if len(unknown) == 0 {
		return names, nil
	}
	cmd := exec.CommandContext(ctx, "go",
		append([]string{"list", "-find", "-f", "{{.ImportPath}} {{.Name}}"}, unknown...)...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("asking Go for the names of packages: %w", err)
	}
	for fields := range slices.Chunk(strings.Fields(string(out)), 2) {
		names[fields[0]] = fields[len(fields)-1]
	}
	var all bytes.Buffer
	for _, path := range slices.Sorted(maps.Keys(names)) {
		fmt.Fprintln(&all, path, names[path])
	}
	return names, os.WriteFile(kept, all.Bytes(), 0o644)
}

// readFields returns the words in a file, none if it is not there.
func readFields(path string) []string {
	content, _ := os.ReadFile(path)
	return strings.Fields(string(content))
}
