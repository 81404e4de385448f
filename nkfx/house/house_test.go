// Package house_test holds the whole module to those of its rules that no linter knows (.golangci.yml has the
// others): which names are promised to users, where links of comments lead, that the commands and programs of
// the guides work, where their numbers and pictures come from, and that notebooks show what their code does.
package house_test

import (
	"flag"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// update makes a test write the file that it otherwise compares with.
var update = flag.Bool("update", false, "write what is compared: testdata/api.txt, pictures, notebooks")

const (
	root   = "../.."
	module = "github.com/neuralkforms/nkf"
)

// source is a package of the module.
type source struct {
	path  string // below the root, with slashes, "layers/gnn"
	fset  *token.FileSet
	files []*ast.File // without tests
}

// sources returns the packages of the module, by path.
func sources(t *testing.T) (all []*source) {
	t.Helper()
	packages := map[string]*source{}
	for _, name := range files(t, ".go") {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		folder := path.Dir(name)
		if packages[folder] == nil {
			packages[folder] = &source{path: folder, fset: token.NewFileSet()}
		}
		s := packages[folder]
		file := must(parser.ParseFile(s.fset, filepath.Join(root, name), nil, parser.ParseComments))
		s.files = append(s.files, file)
	}
	require.Greater(t, len(packages), 10)
	for _, folder := range slices.Sorted(maps.Keys(packages)) {
		all = append(all, packages[folder])
	}
	return all
}

// files returns the paths below the root, with slashes, of the files with these extensions, but for those
// that are built, or of results and of tests.
func files(t *testing.T, extensions ...string) (paths []string) {
	t.Helper()
	skipped := []string{"build", "results", "testdata"}
	require.NoError(t, fs.WalkDir(os.DirFS(root), ".", func(path string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil || path == ".":
			return err
		case entry.IsDir() && (strings.HasPrefix(name, ".") || slices.Contains(skipped, name)):
			return fs.SkipDir
		case slices.Contains(extensions, filepath.Ext(name)):
			paths = append(paths, path)
		}
		return nil
	}))
	return paths
}

// readText returns a file below the root as text.
func readText(path string) string { return string(must(os.ReadFile(filepath.Join(root, path)))) }

// docs returns the documentation of what the package exports, or with a mode of more.
func (s *source) docs(mode ...any) *doc.Package {
	return must(doc.NewFromFiles(s.fset, slices.Clone(s.files), module+"/"+s.path, mode...))
}

// members returns the values and functions of a package, those of its types included.
func members(p *doc.Package) (values []*doc.Value, functions []*doc.Func) {
	values, functions = slices.Concat(p.Consts, p.Vars), slices.Clone(p.Funcs)
	for _, typ := range p.Types {
		values = slices.Concat(values, typ.Consts, typ.Vars)
		functions = slices.Concat(functions, typ.Funcs, typ.Methods)
	}
	return values, functions
}

// TestTopLevel: the folders of the design, and beside them what every repository has.
func TestTopLevel(t *testing.T) {
	entries := must(os.ReadDir(root))
	var top []string
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasPrefix(name, ".") && !slices.Contains([]string{"build", "results"}, name) {
			top = append(top, name)
		}
	}
	require.Equal(t, []string{
		"CHANGELOG.md", "CONTRIBUTING.md", "Dockerfile", "LICENSE", "Makefile", "README.md",
		"datasets", "go.mod", "go.sum", "layers", "nkfx", "notebooks",
	}, top)
}

// must returns the result of a call that cannot fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
