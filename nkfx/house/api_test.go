package house_test

import (
	"go/ast"
	"go/format"
	"go/token"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const apiFile = "testdata/api.txt"

// plumbing are the packages that only others of nkf import: their documentation says so. No folder named
// internal can hold them, since datasets, layers and nkfx all need them.
var plumbing = []string{
	"datasets/fileio", "datasets/packing", "layers/backends/xla", "layers/backends/xla/xlatest",
	"layers/backendtest",
}

const noPromise = "It may change at any time: what is promised to users is in other packages."

// TestAPI compares what the module exports with the list of what users were promised. A name that is gone, or
// that has changed, breaks their programs; a new one is a promise. The documentation of each package shows a
// program that uses it.
func TestAPI(t *testing.T) {
	var now strings.Builder
	for _, s := range sources(t) {
		if s.path == "nkfx/cmd/nkf" || strings.Contains("/"+s.path, "/internal/") ||
			strings.HasPrefix(s.path, "nkfx/examples/") {
			continue
		}
		text := s.docs().Doc // the first call takes the comments
		kept := !slices.Contains(plumbing, s.path)
		require.Equal(t, !kept, strings.Contains(strings.Join(strings.Fields(text), " "), noPromise), s.path)
		if kept {
			require.Regexp(t, `\n\t.*\b`+path.Base(s.path)+`\.[A-Z]`, text, "%s: a program", s.path)
			s.writeAPI(&now)
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(apiFile, []byte(now.String()), 0o666))
	}
	require.Equal(t, string(must(os.ReadFile(apiFile))), now.String(),
		"if this is meant, run `make api` and say so in CHANGELOG.md")
}

// writeAPI writes the declarations of what the package exports, as go doc does, without comments.
func (s *source) writeAPI(to *strings.Builder) {
	p := s.docs()
	values, functions := slices.Concat(p.Consts, p.Vars), p.Funcs
	to.WriteString("\npackage " + s.path + "\n")
	for _, typ := range p.Types {
		values = slices.Concat(values, typ.Consts, typ.Vars)
		functions = slices.Concat(functions, typ.Funcs, typ.Methods)
		s.write(to, typ.Decl)
	}
	for _, v := range values {
		s.write(to, v.Decl)
	}
	for _, f := range functions {
		f.Decl.Body = nil
		s.write(to, f.Decl)
	}
}

// write writes a declaration without comments and values of variables.
func (s *source) write(to *strings.Builder, decl ast.Decl) {
	ast.Inspect(decl, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.GenDecl:
			n.Doc = nil
		case *ast.FuncDecl:
			n.Doc = nil
		case *ast.TypeSpec:
			n.Doc, n.Comment = nil, nil
		case *ast.ValueSpec:
			n.Doc, n.Comment = nil, nil
			if decl.(*ast.GenDecl).Tok == token.VAR {
				n.Values = nil
			}
		case *ast.StructType:
			n.Incomplete = false // or else a comment says so
		case *ast.Field:
			n.Doc, n.Comment = nil, nil
		}
		return true
	})
	if err := format.Node(to, token.NewFileSet(), decl); err != nil {
		panic(err)
	}
	to.WriteString("\n")
}
