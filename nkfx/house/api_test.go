package house_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"os"
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
// that has changed, breaks their programs; a new one is a promise.
func TestAPI(t *testing.T) {
	var now []string
	for _, s := range sources(t) {
		if s.path == "nkfx/cmd/nkf" || strings.Contains("/"+s.path, "/internal/") ||
			strings.HasPrefix(s.path, "nkfx/examples/") {
			continue
		}
		text := strings.Join(strings.Fields(s.docs().Doc), " ")
		require.Equal(t, slices.Contains(plumbing, s.path), strings.Contains(text, noPromise), s.path)
		if !slices.Contains(plumbing, s.path) {
			now = append(now, s.api(t)...)
		}
	}
	text := strings.Join(now, "\n") + "\n"
	if *update {
		require.NoError(t, os.WriteFile(apiFile, []byte(text), 0o666))
		return
	}
	before := strings.Split(strings.TrimSuffix(string(must(os.ReadFile(apiFile))), "\n"), "\n")
	const meant = ": if this is meant, run `make api` and say so in CHANGELOG.md"
	without := func(lines, others []string) []string {
		return slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
			return slices.Contains(others, line)
		})
	}
	require.Empty(t, without(before, now), "gone or changed"+meant)
	require.Empty(t, without(now, before), "new"+meant)
}

// api returns a line for everything the package exports.
func (s *source) api(t *testing.T) []string {
	t.Helper()
	p := s.docs()
	var lines []string
	add := func(format string, args ...any) {
		lines = append(lines, s.path+": "+fmt.Sprintf(format, args...))
	}
	values, functions := members(p)
	for _, v := range values {
		for _, spec := range v.Decl.Specs {
			value := *spec.(*ast.ValueSpec)
			value.Doc, value.Comment = nil, nil
			if v.Decl.Tok == token.VAR && value.Type != nil {
				value.Values = nil
			}
			add("%s %s", v.Decl.Tok, s.print(t, &value))
		}
	}
	for _, f := range functions {
		decl := *f.Decl
		decl.Doc, decl.Body = nil, nil
		add("%s", s.print(t, &decl))
	}
	for _, typ := range p.Types {
		for _, spec := range typ.Decl.Specs {
			s.types(t, spec.(*ast.TypeSpec), add)
		}
	}
	slices.Sort(lines)
	return lines
}

// types adds the lines of a type: one for each exported field of a struct.
func (s *source) types(t *testing.T, spec *ast.TypeSpec, add func(string, ...any)) {
	t.Helper()
	structure, ok := spec.Type.(*ast.StructType)
	if !ok {
		plain := *spec
		plain.Doc, plain.Comment = nil, nil
		add("type %s", s.print(t, &plain))
		return
	}
	add("type %s struct", spec.Name.Name)
	for _, field := range structure.Fields.List {
		tag := ""
		if field.Tag != nil {
			tag = " " + field.Tag.Value
		}
		if len(field.Names) == 0 {
			add("type %s struct, embeds %s%s", spec.Name.Name, s.print(t, field.Type), tag)
		}
		for _, name := range field.Names {
			add("type %s struct, %s %s%s", spec.Name.Name, name.Name, s.print(t, field.Type), tag)
		}
	}
}

// print returns the text of a node on one line, without comments.
func (s *source) print(t *testing.T, node any) string {
	t.Helper()
	if inner, ok := node.(ast.Node); ok {
		ast.Inspect(inner, func(n ast.Node) bool {
			if field, ok := n.(*ast.Field); ok {
				field.Doc, field.Comment = nil, nil
			}
			return true
		})
	}
	var buffer bytes.Buffer
	require.NoError(t, (&printer.Config{Mode: printer.RawFormat}).Fprint(&buffer, s.fset, node))
	return strings.Join(strings.Fields(buffer.String()), " ")
}
