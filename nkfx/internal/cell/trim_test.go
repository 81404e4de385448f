package cell

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

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

func hiding(lone float64) func(kept int) float64 { return func(kept int) float64 { return lone } }

var _ = hiding(1)

func main() {
	var u used
	u.x = y
	Ints(nil)
}
`

// trim trims a program in a folder and returns what is left of it and the file for its binary.
func trim(t *testing.T, dir, source string) (trimmed, binary string) {
	t.Helper()
	program := filepath.Join(dir, "main.go")
	require.NoError(t, os.WriteFile(program, []byte(source), 0o644))
	binary, err := Trim(program)
	require.NoError(t, err)
	after, err := os.ReadFile(program)
	require.NoError(t, err)
	require.Equal(t, source, string(after))
	out, err := os.ReadFile(filepath.Join(dir, TrimmedFolder, "main.go"))
	require.NoError(t, err)
	_, err = parser.ParseFile(token.NewFileSet(), "", out, 0)
	require.NoError(t, err, string(out))
	return string(out), binary
}

// compiled says that the trimmed program of a folder has compiled.
func compiled(t *testing.T, dir string) {
	t.Helper()
	require.NoError(t, os.Rename(filepath.Join(dir, CompilingFile), filepath.Join(dir, CompiledFile)))
}

// What was compiled before, and is not used, is gone.
func TestTrim(t *testing.T) {
	dir := t.TempDir()
	all := []string{
		`"math"`, `"math/rand/v2"`, `"fmt"`, `. "sort"`, `_ "embed"`, `text "strings"`,
		`type used   struct{ inner }`, `type inner  int`, `type unused struct{}`,
		"const (\n\ta = iota\n\tb\n)",
		`const lone = math.Pi`, `var x, y = pair()`, `var kept = rand.Int()`, `var _    = text.ToUpper("a")`,
		`func pair() (int, int) { return 1, 2 }`, `func (unused) method() { rand.Int() }`,
		`func generic[T any]`, `func (u *used) String() string { return fmt.Sprint(b) }`,
		`func init() { generic(1) }`, "func main() {\n",
	}
	requireWithout := func(source string, gone ...string) {
		t.Helper()
		out, _ := trim(t, dir, source)
		for _, part := range all {
			stays := !slices.Contains(gone, part)
			require.Equal(t, stays, strings.Contains(out, part), "%s in\n%s", part, out)
		}
	}
	requireWithout(wholeProgram)
	requireWithout(wholeProgram) // nothing has compiled
	compiled(t, dir)
	gone := []string{
		`"math"`, `"math/rand/v2"`, `type unused struct{}`, `const lone = math.Pi`, `var kept = rand.Int()`,
		`func (unused) method() { rand.Int() }`,
	}
	requireWithout(wholeProgram, gone...)
	compiled(t, dir)
	// What a cell declares again is new, and what it uses comes back.
	again := strings.Replace(wholeProgram, "method() { rand", "method() { fmt.Print(lone); rand", 1)
	requireWithout(again, `var kept = rand.Int()`, `func (unused) method() { rand.Int() }`)
	requireWithout(wholeProgram, gone...)

	program := filepath.Join(dir, "main.go")
	for source, want := range map[string]string{
		"package": "the program of a cell",
		"package main\n\n//go:noinline\nfunc f() {}": "//go:noinline",
	} {
		require.NoError(t, os.WriteFile(program, []byte(source), 0o644))
		_, err := Trim(program)
		require.ErrorContains(t, err, want)
	}
	_, err := Trim(program + "x")
	require.ErrorContains(t, err, "no such file")
}

// TestTrimKeepsLines: a program is the same, with the lines of its cells, whatever else has been declared;
// where the cell is not known, lines are those of the program.
func TestTrimKeepsLines(t *testing.T) {
	dir, cells := t.TempDir(), t.TempDir()
	t.Setenv(FolderEnv, cells)
	run := func(number, code string) {
		t.Helper()
		require.NoError(t, os.WriteFile(filepath.Join(cells, number), []byte(code), 0o644))
	}
	run("1", "\n\nvar one = 1\n\nfunc f() int {\n\treturn one\n}")
	run("2", "%%\nf()\n\ng()")
	run("3", "//\n%%\nf()")
	const head = "package main\n\nimport (\n\t\"flag\"\n\t\"fmt\"\n)\n\n"
	const body = "var (\n\tone = 1\n)\n\nfunc f() int {\n\treturn one\n}\n\nfunc g() { fmt.Print() }\n\n" +
		"func main() {\n\tflag.Parse()\n"
	first, binary := trim(t, dir, head+body+"f()\n\n}\n")
	require.Contains(t, first, "\n//line /cell of one:3\nvar one = 1\n")
	require.Contains(t, first, "\n//line /cell of f:5\nfunc f() int {\n")
	require.Contains(t, first, fmt.Sprintf("\n//line %s/main.go:16\nfunc g() {", dir))
	require.Contains(t, first, "\n//line /this cell:2\nfunc main() { flag.Parse()\nf()\n\n}\n")
	compiled(t, dir)
	second, other := trim(t, dir, head+body+"f()\n\n}\n")
	require.NotContains(t, second, "func g()")
	require.NotEqual(t, binary, other)
	later, _ := trim(t, dir, strings.Replace(head, "\t\"flag\"\n\t\"fmt\"", "\t\"fmt\"\n\t\"flag\"", 1)+
		"type more struct{}\n\n"+strings.Replace(body, "\tone", "\tbefore = 2\n\tone", 1)+"f()\n\n}\n")
	require.Contains(t, later, "type more", "it is new")
	compiled(t, dir)
	later, same := trim(t, dir, strings.Replace(head, "\t\"flag\"\n\t\"fmt\"", "\t\"fmt\"\n\t\"flag\"", 1)+
		"type more struct{}\n\n"+strings.Replace(body, "\tone", "\tbefore = 2\n\tone", 1)+"f()\n\n}\n")
	require.Equal(t, second, later)
	require.Equal(t, other, same)

	top, _ := trim(t, dir, head+body+"f()\n\ng()\n\n}\n")
	require.Contains(t, top, "\n//line /this cell:1\nfunc main() { flag.Parse()\nf()\n\ng()\n\n}\n")
	run("4", "%%\nf()\n!date\nf()")
	parted, _ := trim(t, dir, head+body+"f()\nf()\n\n}\n")
	require.Contains(t, parted, fmt.Sprintf("\n//line %s/main.go:18\nfunc main() {\n", dir),
		"lines do not follow each other")
}

// TestTrimForgets: the binaries asked for last stay.
func TestTrimForgets(t *testing.T) {
	dir := t.TempDir()
	var made []string
	for i := range binaries + 3 {
		_, binary := trim(t, dir, fmt.Sprintf("package main\n\nfunc main() { println(%d) }\n", i))
		require.NoError(t, os.WriteFile(binary, nil, 0o755))
		at := time.Now().Add(time.Duration(i-100) * time.Minute)
		require.NoError(t, os.Chtimes(binary, at, at))
		made = append(made, binary)
		if i == 2 {
			_, again := trim(t, dir, "package main\n\nfunc main() { println(0) }\n") // now
			require.Equal(t, made[0], again)
		}
	}
	for i, binary := range made {
		_, err := os.Stat(binary)
		require.Equal(t, i == 0 || i > 3, err == nil, i)
	}
}

// TestTrimUnknownName: without the name of a package nothing is known to be unused.
func TestTrimUnknownName(t *testing.T) {
	dir := t.TempDir()
	const source = "package main\n\nimport \"example.com/other\"\n\nvar x = renamed.Value\n\nfunc main() {}\n"
	for range 2 {
		out, _ := trim(t, dir, source)
		require.Contains(t, out, "import \"example.com/other\"\n")
		require.Contains(t, out, "var x = renamed.Value\n")
		compiled(t, dir)
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
