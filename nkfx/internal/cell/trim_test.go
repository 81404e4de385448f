package cell

import (
	"go/ast"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const wholeProgram = `package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	. "sort"
	_ "embed"
	text "strings"
)

type (
	used   struct{ inner }
	inner  int
	unused struct{}
)

const (
	a = iota
	b
)

const lone = math.Pi

var (
	x, y = pair()
	kept = rand.Int()
	_    = text.ToUpper("a")
)

func pair() (int, int) { return 1, 2 }

func (unused) method() { rand.Int() }

func (u *used) String() string { return fmt.Sprint(b) }

func generic[T any](v T) T { return v }

func init() { generic(1) }

func main() {
	var u used
	u.x = y
	Ints(nil)
}
`

// What was compiled before, and is not used, is gone; lines are where they were.
func TestTrim(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "main.go")
	trim := func(source string) string {
		require.NoError(t, os.WriteFile(program, []byte(source), 0o644))
		require.NoError(t, Trim(program))
		out, err := os.ReadFile(program)
		require.NoError(t, err)
		require.Equal(t, strings.Count(source, "\n"), strings.Count(string(out), "\n"))
		return string(out)
	}
	compiled := func() {
		require.NoError(t, os.Rename(filepath.Join(dir, CompilingFile), filepath.Join(dir, CompiledFile)))
	}
	require.Equal(t, wholeProgram, trim(wholeProgram), "all is new")
	require.Equal(t, wholeProgram, trim(wholeProgram), "and still is, if it did not compile")
	compiled()
	want := wholeProgram
	for _, part := range []string{
		`"math"`, `"math/rand/v2"`, `unused struct{}`, `const lone = math.Pi`, `kept = rand.Int()`,
		`func (unused) method() { rand.Int() }`,
	} {
		want = strings.Replace(want, part, strings.Repeat(" ", len(part)), 1)
	}
	require.Equal(t, want, trim(wholeProgram))
	compiled()
	// What a cell declares again is new, and what it uses comes back.
	again := strings.Replace(wholeProgram, "method() {", "method() { fmt.Print(lone);", 1)
	require.Equal(t, strings.Replace(again, `kept = rand.Int()`, `                 `, 1), trim(again))
	require.Equal(t, want, trim(wholeProgram))

	require.NoError(t, os.WriteFile(program, []byte("package"), 0o644))
	require.ErrorContains(t, Trim(program), "the program of a cell")
	require.ErrorContains(t, Trim(program+"x"), "no such file")
}

// TestTrimUnknownName: without the name of a package nothing is known to be unused.
func TestTrimUnknownName(t *testing.T) {
	program := filepath.Join(t.TempDir(), "main.go")
	const source = "package main\n\nimport \"example.com/other\"\n\nvar x = renamed.Value\n\nfunc main() {}\n"
	for range 2 {
		require.NoError(t, os.WriteFile(program, []byte(source), 0o644))
		require.NoError(t, Trim(program))
		out, err := os.ReadFile(program)
		require.NoError(t, err)
		require.Equal(t, source, string(out))
		dir := filepath.Dir(program)
		require.NoError(t, os.Rename(filepath.Join(dir, CompilingFile), filepath.Join(dir, CompiledFile)))
	}
}

// Names follow from paths as goimports assumes them.
func TestPackageName(t *testing.T) {
	for path, want := range map[string]string{
		"fmt": "fmt", "math/rand/v2": "rand", "gopkg.in/yaml.v3": "yaml", "go.yaml.in/yaml/v3": "yaml",
		"github.com/mattn/go-isatty": "isatty", "github.com/dustin/go-humanize/english": "english",
	} {
		spec := &ast.ImportSpec{Path: &ast.BasicLit{Value: strconv.Quote(path)}}
		require.Equal(t, want, packageName(spec))
	}
}
