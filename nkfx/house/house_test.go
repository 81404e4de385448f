// Package house_test holds the whole module to its own rules: who may import whom, what is documented, how
// long lines are, which names are promised to users, and that the commands and programs of README.md work.
package house_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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
	tests []*ast.File
}

// sources returns the packages of the module, by path.
func sources(t *testing.T) []*source {
	t.Helper()
	var all []*source
	for _, path := range goFiles(t) {
		folder := filepath.ToSlash(filepath.Dir(path))
		if len(all) == 0 || all[len(all)-1].path != folder {
			all = append(all, &source{path: folder, fset: token.NewFileSet()})
		}
		s := all[len(all)-1]
		file := must(parser.ParseFile(s.fset, filepath.Join(root, path), nil, parser.ParseComments))
		if strings.HasSuffix(path, "_test.go") {
			s.tests = append(s.tests, file)
		} else {
			s.files = append(s.files, file)
		}
	}
	require.Greater(t, len(all), 10)
	return slices.DeleteFunc(all, func(s *source) bool { return len(s.files) == 0 })
}

// goFiles returns the paths of all Go files, folder after folder.
func goFiles(t *testing.T) []string {
	t.Helper()
	paths := files(t, ".go")
	slices.SortFunc(paths, func(a, b string) int {
		return strings.Compare(filepath.Dir(a)+"\x00"+a, filepath.Dir(b)+"\x00"+b)
	})
	return paths
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

// imports returns the paths that files import.
func imports(files []*ast.File) []string {
	var paths []string
	for _, file := range files {
		for _, spec := range file.Imports {
			paths = append(paths, must(strconv.Unquote(spec.Path.Value)))
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// TestDataFlowsOneWay: datasets, then layers, then nkfx; a program that trains a model of its own, or asks
// one that was trained, gets neither plotting nor notebooks.
func TestDataFlowsOneWay(t *testing.T) {
	const plot, gonb = "gonum.org/v1/plot", "github.com/janpfeifer/gonb"
	forbidden := map[string][]string{
		"datasets": {module + "/layers", module + "/nkfx", plot, gonb},
		"layers":   {module + "/nkfx", plot, gonb},
	}
	const outputs = "nkfx/internal/outputs"
	light := []string{module + "/datasets", module + "/layers", module + "/nkfx/train",
		module + "/" + outputs}
	watched := []string{"nkfx/train", "nkfx/models", outputs}
	for _, s := range sources(t) {
		top, _, _ := strings.Cut(s.path, "/")
		for _, path := range imports(s.files) {
			for _, no := range forbidden[top] {
				require.False(t, path == no || strings.HasPrefix(path, no+"/"), "%s imports %s", s.path, path)
			}
			if !slices.Contains(watched, s.path) {
				continue
			}
			ours := func(room string) bool { return path == room || strings.HasPrefix(path, room+"/") }
			heavy := strings.HasPrefix(path, plot) || strings.HasPrefix(path, gonb) ||
				strings.HasPrefix(path, module) && !slices.ContainsFunc(light, ours)
			require.False(t, heavy, "%s imports %s", s.path, path)
		}
	}
}

// TestEverythingExportedIsDocumented: in one sentence that begins with the name.
func TestEverythingExportedIsDocumented(t *testing.T) {
	for _, s := range sources(t) {
		p := s.docs()
		if p.Name == "main" {
			require.NotEmpty(t, p.Doc, s.path)
			continue
		}
		if !strings.HasPrefix(p.Doc, "Package "+p.Name+" ") {
			t.Errorf("%s: the comment of the package does not begin with its name", s.path)
		}
		named := func(name, text string) {
			words := strings.Fields(text)
			if len(words) > 1 && slices.Contains([]string{"A", "An", "The"}, words[0]) {
				words = words[1:]
			}
			if len(words) == 0 || strings.TrimRight(words[0], ",.:;'s") != strings.TrimRight(name, "s") {
				t.Errorf("%s: the comment of %s does not begin with its name", s.path, name)
			}
		}
		values, functions := members(p)
		for _, f := range functions {
			named(f.Name, f.Doc)
		}
		for _, typ := range p.Types {
			named(typ.Name, typ.Doc)
		}
		for _, v := range values {
			for _, spec := range v.Decl.Specs {
				value := spec.(*ast.ValueSpec)
				if v.Doc == "" && value.Doc == nil && value.Comment == nil {
					t.Errorf("%s: %s has no comment", s.path, value.Names[0].Name)
				}
			}
		}
	}
}

// TestClock: nothing in nkf depends on what time it is. Times are only subtracted from each other, which Go
// does by a clock that never jumps; files have dates, but those say no more than which is older, or
// that a plug-in is another.
func TestClock(t *testing.T) {
	dates := []string{"Unix", "UnixMilli", "UnixMicro", "UnixNano", "Date", "Clock", "Year", "YearDay",
		"Weekday", "Format", "AppendFormat", "Parse", "ParseInLocation", "ModTime"}
	var found []string
	for _, s := range sources(t) {
		for _, file := range s.files {
			imported := slices.Contains(imports([]*ast.File{file}), "time")
			ast.Inspect(file, func(node ast.Node) bool {
				use, ok := node.(*ast.SelectorExpr)
				if ok && (imported || use.Sel.Name == "ModTime") && slices.Contains(dates, use.Sel.Name) {
					name := filepath.Base(s.fset.Position(use.Pos()).Filename)
					found = append(found, s.path+"/"+name+" "+use.Sel.Name)
				}
				return true
			})
		}
	}
	slices.Sort(found)
	require.Equal(t, []string{
		"layers/backends/internal/compiled/folder_linux.go ModTime",
		"layers/backends/programs.go ModTime", "layers/backends/xla/sum.go ModTime",
		"nkfx/internal/scratch/scratch.go ModTime", // folders of the last minute are left alone
	}, slices.Compact(found))
}

// TestLines: 110 columns where a tab counts four, and nothing that is left to do.
func TestLines(t *testing.T) {
	const columns = 110
	unfinished := []string{"TO" + "DO", "FIX" + "ME", "X" + "XX:"}
	for _, path := range goFiles(t) {
		number := 0
		for line := range strings.Lines(readText(path)) {
			number++
			width := 0
			for _, r := range strings.TrimRight(line, "\n") {
				if r == '\t' {
					width += 4 - width%4
				} else {
					width++
				}
			}
			if width > columns {
				t.Errorf("%s:%d has %d columns", path, number, width)
			}
			for _, word := range unfinished {
				if strings.Contains(line, word) {
					t.Errorf("%s:%d: %s", path, number, word)
				}
			}
		}
	}
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

// must returns the result of a call that cannot fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
