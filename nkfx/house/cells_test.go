package house_test

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// split parts a cell at the line %%: declarations above it, the body of main below. main says
// whether it has one.
func split(cell string) (declarations, body string, main bool) {
	if strings.HasPrefix(cell, "%%") {
		cell = "\n" + cell
	}
	declarations, body, main = strings.Cut(cell, "\n%%")
	return declarations, body, main
}

// program is what GoNB makes of the cells of a notebook up to one of them: all that they declare,
// the last of a name where there are several, and the body of that cell.
type program struct {
	files map[string]*ast.File // by name of what they declare
	order []string             // of the names
	fset  *token.FileSet
}

// add adds what a cell declares, and returns the file with its body, which is empty where there is
// none.
func (p *program) add(name, cell string) (*ast.File, error) {
	above, body, _ := split(cell)
	// The numbers of lines in errors are those of the cell.
	file, err := parser.ParseFile(p.fset, name, "package main;"+above, 0)
	if err != nil {
		return nil, err
	}
	for _, d := range file.Decls {
		key := declared(d)
		if _, again := p.files[key]; !again {
			p.order = append(p.order, key)
		}
		p.files[key] = &ast.File{Package: file.Package, Name: file.Name, Decls: []ast.Decl{d}}
	}
	text := fmt.Sprintf("package main;func main() {\n//line %s:%d\n%s\n}",
		name, strings.Count(above, "\n")+1, strings.TrimPrefix(body, "%%"))
	return parser.ParseFile(p.fset, name, text, 0)
}

// declared returns a name for a declaration, the same for what replaces it.
func declared(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return d.Name.Name
		}
		return types.ExprString(d.Recv.List[0].Type) + "." + d.Name.Name
	case *ast.GenDecl:
		var names []string
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ImportSpec:
				names = append(names, s.Path.Value)
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					names = append(names, n.Name)
				}
			}
		}
		return strings.Join(names, ",")
	}
	return ""
}

// unusedImport is what the type checker says about one.
var unusedImport = regexp.MustCompile(`" imported (as \w+ )?and not used$`)

// check type-checks the program with that main. Imports that are not used are no errors: goimports
// removes them before GoNB compiles.
func (p *program) check(main *ast.File, packages types.Importer) error {
	all := &ast.File{Package: main.Package, Name: main.Name}
	var rest []ast.Decl
	for _, key := range p.order {
		for _, d := range p.files[key].Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
				all.Decls = append(all.Decls, d)
			} else {
				rest = append(rest, d)
			}
		}
	}
	all.Decls = append(append(all.Decls, rest...), main.Decls...)
	var found []error
	config := types.Config{Importer: packages, Error: func(err error) {
		if !unusedImport.MatchString(err.Error()) {
			found = append(found, err)
		}
	}}
	_, _ = config.Check("main", p.fset, []*ast.File{all}, nil) // its error is the first of found
	return errors.Join(found...)
}

// compiled returns an importer of packages as the build cache has them.
func compiled(t *testing.T, fset *token.FileSet, paths []string) types.Importer {
	t.Helper()
	args := append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}"}, paths...)
	cmd := exec.Command("go", args...)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	require.NoError(t, err, complaint.String())
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		exports[path] = file
	}
	return importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no package %s", path)
		}
		return os.Open(exports[path])
	})
}

// checkNotebook type-checks a notebook cell by cell.
func checkNotebook(fset *token.FileSet, cells []string, packages types.Importer) error {
	p := &program{files: map[string]*ast.File{}, fset: fset}
	var found []error
	for i, cell := range cells {
		main, err := p.add(fmt.Sprintf("code cell %d", i+1), cell)
		if err == nil {
			err = p.check(main, packages)
		}
		found = append(found, err)
	}
	return errors.Join(found...)
}

// imported returns what cells import.
func imported(t *testing.T, cells []string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for _, cell := range cells {
		above, _, _ := split(cell)
		file, err := parser.ParseFile(token.NewFileSet(), "", "package main;"+above, parser.ImportsOnly)
		require.NoError(t, err)
		for _, s := range file.Imports {
			out[strings.Trim(s.Path.Value, `"`)] = true
		}
	}
	return out
}

// TestNotebooksCompile holds the notebooks to the packages they import, without running them.
func TestNotebooksCompile(t *testing.T) {
	books := map[string][]string{}
	imports := map[string]bool{}
	eachNotebook(t, func(t *testing.T, path string) {
		for _, c := range readNotebook(t, path).code() {
			books[path] = append(books[path], string(c.Source))
		}
		maps.Copy(imports, imported(t, books[path]))
	})
	fset := token.NewFileSet()
	packages := compiled(t, fset, slices.Sorted(maps.Keys(imports)))
	for _, path := range slices.Sorted(maps.Keys(books)) {
		require.NoError(t, checkNotebook(fset, books[path], packages), path)
	}
}
