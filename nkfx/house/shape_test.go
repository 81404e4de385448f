package house_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	mostLines      = 60  // of a function
	mostComplexity = 15  // branches of a function, and one
	mostFileLines  = 350 // of a file without tests
)

const shapesFile = "testdata/shapes.txt"

var shapes = flag.Bool("shapes", false, "write "+shapesFile)

// TestShapes: no function or file is past the bounds but those of testdata/shapes.txt, a list that only gets
// shorter; -shapes writes it.
func TestShapes(t *testing.T) {
	var found []string
	for _, s := range sources(t) {
		for _, file := range s.files {
			path := s.path + "/" + filepath.Base(s.fset.Position(file.Pos()).Filename)
			if s.fset.Position(file.FileEnd).Line > mostFileLines {
				found = append(found, path)
			}
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok {
					lines := s.fset.Position(f.End()).Line - s.fset.Position(f.Pos()).Line + 1
					if lines > mostLines || complexity(f) > mostComplexity {
						found = append(found, fmt.Sprint(path, " ", f.Name.Name))
					}
				}
			}
		}
	}
	slices.Sort(found)
	if *shapes {
		require.NoError(t, os.WriteFile(shapesFile, []byte(strings.Join(found, "\n")+"\n"), 0o644))
	}
	listed, err := os.ReadFile(shapesFile)
	require.NoError(t, err)
	for _, name := range found {
		require.Contains(t, strings.Split(string(listed), "\n"), name, "it is too large: part it")
	}
}

// complexity returns the cyclomatic complexity of a function.
func complexity(f *ast.FuncDecl) int {
	count := 1
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.CommClause:
			count++
		case *ast.CaseClause:
			if n.List != nil {
				count++
			}
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				count++
			}
		}
		return true
	})
	return count
}
