package figures_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEveryFigureHasAnExample: what draws, and all functions that return something to be drawn or shown, are
// used by an example that runs, and every golden image is the output of one.
func TestEveryFigureHasAnExample(t *testing.T) {
	outputs := "\n"
	used := map[string]bool{}
	for _, example := range doc.Examples(parse(t, true)...) {
		require.NotEmpty(t, example.Output, "Example%s does not run", example.Name)
		outputs += example.Output
		ast.Inspect(example.Code, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && typeName(s.X) == "figures" {
				used[s.Sel.Name] = true
			}
			return true
		})
	}
	names := drawing(parse(t, false))
	require.Subset(t, names,
		[]string{"Heat", "PathFields", "MatrixPanel", "Results", "NewMolecule", "Signed"})
	for _, name := range names {
		require.True(t, used[name] || used["New"+name], "no example uses %s", name)
	}
	images, err := filepath.Glob("testdata/*.png")
	require.NoError(t, err)
	for _, image := range images {
		require.Contains(t, outputs, "\n"+filepath.Base(image)+"\n", "no example draws it")
	}
}

// parse returns the files of the package, its tests or the others.
func parse(t *testing.T, tests bool) (files []*ast.File) {
	t.Helper()
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	set := token.NewFileSet()
	for _, entry := range entries {
		name := entry.Name()
		if strings.HasSuffix(name, ".go") && strings.HasSuffix(name, "_test.go") == tests {
			file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
			require.NoError(t, err)
			files = append(files, file)
		}
	}
	return files
}

// drawing returns the exported types with a method Plot, and the exported functions whose result is one of
// these, a figure, a panel, a table or a scale, or several.
func drawing(files []*ast.File) (names []string) {
	drawn := map[string]bool{}
	var functions []*ast.FuncDecl
	for _, file := range files {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			switch {
			case ok && f.Recv == nil:
				functions = append(functions, f)
			case ok && f.Name.Name == "Plot":
				name := typeName(f.Recv.List[0].Type)
				drawn[name] = true
				if ast.IsExported(name) {
					names = append(names, name)
				}
			}
		}
	}
	for _, name := range []string{"Figure", "Panel", "Table", "Scale"} {
		drawn[name] = true
	}
	for _, f := range functions {
		if f.Name.IsExported() && f.Type.Results != nil && drawn[typeName(f.Type.Results.List[0].Type)] {
			names = append(names, f.Name.Name)
		}
	}
	return names
}

// typeName returns the name of a type, or of what it points to or is a slice of.
func typeName(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.StarExpr:
		return typeName(x.X)
	case *ast.ArrayType:
		return typeName(x.Elt)
	case *ast.Ident:
		return x.Name
	}
	return ""
}
