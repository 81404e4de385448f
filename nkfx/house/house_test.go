// Package house_test holds the module to those of its rules that neither a linter (.golangci.yml) nor Sphinx
// (make site, which follows links) knows: which names are promised to users, that the commands and programs
// of guides and notebooks work, where numbers and pictures come from, and that notebooks show what their code
// does.
package house_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
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
		folder := path.Dir(name)
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if packages[folder] == nil {
			packages[folder] = &source{path: folder, fset: token.NewFileSet()}
		}
		s := packages[folder]
		file := must(parser.ParseFile(s.fset, filepath.Join(root, name), nil, parser.ParseComments))
		s.files = append(s.files, file)
	}
	for _, folder := range slices.Sorted(maps.Keys(packages)) {
		all = append(all, packages[folder])
	}
	return all
}

// docs returns the documentation of what the package exports, or with a mode of more.
func (s *source) docs(mode ...any) *doc.Package {
	return must(doc.NewFromFiles(s.fset, slices.Clone(s.files), module+"/"+s.path, mode...))
}

// files returns the paths below the root, with slashes, of the files with an extension, but for those that
// are built, or of results and of tests.
func files(t *testing.T, extension string) (paths []string) {
	t.Helper()
	skipped := []string{"build", "results", "testdata"}
	require.NoError(t, fs.WalkDir(os.DirFS(root), ".", func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil || path == ".":
			return err
		case entry.IsDir() && (strings.HasPrefix(name, ".") || slices.Contains(skipped, name)):
			return fs.SkipDir
		case filepath.Ext(name) == extension:
			paths = append(paths, path)
		}
		return nil
	}))
	require.Greater(t, len(paths), 10)
	return paths
}

// readText returns a file below the root as text.
func readText(path string) string { return string(must(os.ReadFile(filepath.Join(root, path)))) }

// run runs a command in a folder.
func run(folder string, words ...string) error {
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out[max(0, len(out)-500):])
	}
	return nil
}

// must returns the result of a call that cannot fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// TestTopLevel: the folders of the design, and beside them what every repository has.
func TestTopLevel(t *testing.T) {
	var top []string
	for _, entry := range must(os.ReadDir(root)) {
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
