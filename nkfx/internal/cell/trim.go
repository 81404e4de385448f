package cell

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Files beside the program of a cell, with checksums of declarations.
const (
	CompilingFile = "nkf_compiling" // those in the program being compiled
	CompiledFile  = "nkf_compiled"  // those compiled before
)

// Trim blanks what earlier cells declare and this one does not use in the program of a cell, since
// GoNB gives every cell all that the cells before it declare: linking GoMLX, starting a backend and
// reading data takes seconds that a cell without them need not wait. Declarations that are not
// listed in [CompiledFile] stay, so that their errors are found. Lines keep their numbers. Trim
// writes [CompilingFile], which the caller renames to CompiledFile once the program has compiled.
// Should package names not follow from their import paths, the program stays whole.
func Trim(program string) error {
	source, err := os.ReadFile(program)
	if err != nil {
		return fmt.Errorf("the program of a cell: %w", err)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, program, source, parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("the program of a cell: %w", err)
	}
	text := func(n ast.Node) []byte {
		return source[fset.Position(n.Pos()).Offset:fset.Position(n.End()).Offset]
	}
	compiled, _ := os.ReadFile(filepath.Join(filepath.Dir(program), CompiledFile)) // absent at first
	known := strings.Fields(string(compiled))
	parts := partsOf(file)
	all := map[string]bool{}
	for _, p := range parts {
		sum := sha256.Sum256(text(p.node))
		p.sum = hex.EncodeToString(sum[:8])
		p.known = slices.Contains(known, p.sum)
		for _, name := range p.uses {
			all[name] = true
		}
	}
	named := func(spec *ast.ImportSpec, used map[string]bool) bool {
		name := packageName(spec)
		return name == "_" || name == "." || used[name+"."]
	}
	if !slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return !named(i, all) }) {
		used := keepUsed(parts)
		for _, p := range parts {
			if !p.kept {
				blank(text(p.node))
			}
		}
		for _, spec := range file.Imports {
			if !named(spec, used) {
				blank(text(spec))
			}
		}
	}
	var sums strings.Builder
	for _, p := range parts {
		fmt.Fprintln(&sums, p.sum)
	}
	err = os.WriteFile(filepath.Join(filepath.Dir(program), CompilingFile), []byte(sums.String()), 0o644)
	if err != nil {
		return fmt.Errorf("the program of a cell: %w", err)
	}
	return os.WriteFile(program, source, 0o644)
}

// blank replaces all but line ends by spaces.
func blank(text []byte) {
	for i := range text {
		if text[i] != '\n' {
			text[i] = ' '
		}
	}
}

// part is a declaration that can be left out as a whole.
type part struct {
	node  ast.Node
	names []string // declared names, none for what always stays, as main
	of    string   // receiver type of a method
	uses  []string // identifiers, those before a dot with the dot
	sum   string
	known bool // it has been compiled before
	kept  bool
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
		p.look(n)
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
				if d.Lparen.IsValid() {
					node = spec
				}
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					add(node, spec.Names...)
				case *ast.TypeSpec:
					add(node, spec.Name)
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

// look collects the names in the part. A local name counts as a use of a global one, which keeps
// too much at worst.
func (p *part) look(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				p.uses = append(p.uses, x.Name+".")
			}
			p.look(n.X)
			return false
		case *ast.Ident:
			p.uses = append(p.uses, n.Name)
		}
		return true
	})
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

var majorVersion = regexp.MustCompile(`^v\d+$`)

// packageName returns the name under which a file imports a package: its own, or what goimports
// assumes from the path.
func packageName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	from := strings.Trim(spec.Path.Value, `"`)
	name := path.Base(from)
	if majorVersion.MatchString(name) {
		name = path.Base(path.Dir(from))
	}
	name = strings.TrimPrefix(name, "go-")
	if end := strings.IndexFunc(name, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}); end >= 0 {
		name = name[:end]
	}
	return name
}
