package house_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	mostLines      = 60  // of a function
	mostComplexity = 15  // branches of a function, and one
	mostFileLines  = 350 // of a file without tests
)

// TestShapes: no function or file is past the bounds.
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
	require.Empty(t, found, "too large: part them")
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
