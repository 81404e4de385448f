package cell

import (
	"fmt"
	"go/scanner"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// standard are packages of the standard library.
func standard(t testing.TB) *Packages {
	t.Helper()
	goTool, err := exec.LookPath("go")
	require.NoError(t, err)
	p := &Packages{Go: goTool, Dir: "."}
	list, err := p.List(t.Context(), "fmt", "math/...", "strings", "strconv", "errors", "os", "flag", "image",
		"sort", "crypto/rand", "text/template", "html/template")
	require.NoError(t, err)
	p.Add(list)
	return p
}

// notebook runs cells one after the other, in what go/types takes for a program.
type notebook struct {
	*testing.T
	memory   *Memory
	packages *Packages
	count    int
}

// imported matches an import.
var imported = regexp.MustCompile(`^import \w+ "(.*)"$`)

func open(t *testing.T) *notebook { return &notebook{t, &Memory{}, standard(t), 0} }

// values makes the lines that show values shorter.
var values = strings.NewReplacer(printed.before, "fmt.Println(", printed.after, ")",
	strings.TrimSuffix(printed.before, "ln(")+"f(", "fmt.Printf(")

// run returns the program of a cell, without what all programs have, or its mistakes. The body of its main
// comes last.
func (n *notebook) run(code string) string {
	n.Helper()
	n.count++
	built, mistakes := n.memory.Program(New(code, n.count), n.packages, false)
	var lines, imports []string
	for _, m := range mistakes {
		lines = append(lines, m.Error())
	}
	if mistakes == nil {
		n.memory = built.After
		for line := range strings.Lines(built.Text()) {
			line = values.Replace(strings.TrimSpace(line))
			line = strings.ReplaceAll(line, "nkf_", "")
			if path := imported.FindStringSubmatch(line); path != nil {
				imports, line = append(imports, "+"+path[1]), ""
			}
			if line != "" && line != "package main" && !strings.HasPrefix(line, "//line") {
				lines = append(lines, line)
			}
		}
	}
	slices.Sort(imports)
	lines = append(slices.Compact(imports), lines...)
	text, body, ok := strings.Cut(strings.Join(lines, "\n"), "func main() {\n")
	if ok {
		text += "main: " + strings.TrimSuffix(body, "}")
	}
	return strings.TrimSpace(text)
}

// TestProgram: what becomes of a cell, after those above it.
func TestProgram(t *testing.T) {
	n := open(t)
	for _, c := range [][2]string{
		{"fmt.Println(1)", "+fmt\nmain: fmt.Println(1)"},
		{"x := 1", "var x  = 1\nmain:"},
		{"x", "+fmt\nvar x  = 1\nmain: fmt.Println(x)"},
		{"y := 2\nx + y", "+fmt\nvar x  = 1\nmain: y := 2\nfmt.Println(x + y)"},
		{"x + 1;", "cell [5], line 1: x + 1 (value of type int) is not used"},
		{"len(\"ä\") // bytes", "+fmt\nmain: fmt.Println(len(\"ä\")) // bytes"},
		{"// Three.\nfunc three() (int, error) { return 3, nil }\nthree()",
			"+fmt\n// Three.\nfunc three() (int, error) { return 3, nil }\nmain: fmt.Println(three())"},
		{"func none() {}\nnone()", "func none() {}\nmain: none()"},
		{"math.Sqrt", "+fmt\n+math\nmain: fmt.Printf(\"%T\\n\", math.Sqrt)"},
		{`errors.New("a")`, "+errors\n+fmt\n" +
			`main: if err := (errors.New("a")); err != nil { fmt.Println(err) }`},
		{"image.NewGray(image.Rect(0, 0, 1, 1)).At(0, 0)",
			"+fmt\n+image\nmain: fmt.Println(image.NewGray(image.Rect(0, 0, 1, 1)).At(0, 0))"},
		{"image.NewGray(image.Rect(0, 0, 1, 1))", "+github.com/neuralkforms/nkf/nkfx\n+image\n" +
			"type value struct{ v interface{} }\nfunc (v value) CellValue() interface{} { return v.v }\n" +
			"main: nkfx.Show(value{image.NewGray(image.Rect(0, 0, 1, 1))})"},
		{"!echo hi\nz := 1\nfunc double(n int) int { return 2 * n }\nimport m \"math\"\n" +
			"z += double(m.MaxInt8)\nvar b = z\nb",
			"+fmt\n+math\nfunc double(n int) int { return 2 * n }\nmain: z := 1\n" +
				"z += double(m.MaxInt8)\nvar b = z\nfmt.Println(b)"},
		{"var a, b = 1, 2\n%%\nc := a\nc", "+fmt\nvar a, b = 1, 2\nmain: c := a\nfmt.Println(c)"},
		{"a := 5\nm.E", "cell [15], line 1: declared and not used: a"},
		{"a := \"new\"", "var a  = \"new\"\nmain:"},
		{"b", "+fmt\nvar _, b = 1, 2\nmain: fmt.Println(b)"},
		{"type T[E any] struct{ e E }\n\nfunc (t T[E]) Get() E { return t.e }\nT[int]{3}.Get()",
			"+fmt\ntype T[E any] struct{ e E }\nfunc (t T[E]) Get() E { return t.e }\n" +
				"main: fmt.Println(T[int]{3}.Get())"},
		{"const (\n\tfirst = iota\n\tsecond\n)\nvar (\n\tp = second\n\tq = 2\n)",
			"const (\nfirst = iota\nsecond\n)\nvar p = second\nvar q = 2\nmain:"},
		{"p", "+fmt\nconst (\nfirst = iota\nsecond\n)\nvar p = second\nmain: fmt.Println(p)"},
		{"%exec none", "func none() {}\nmain: none()"},
		{"rand.N(3)", "+fmt\n+math/rand/v2\nmain: fmt.Println(rand.N(3))"},
		{"nope(3)\nfmt.Println(none2, none3)\nthree(1)",
			"cell [23], line 1: undefined: nope\ncell [23], line 2: undefined: none2\n" +
				"cell [23], line 3: too many arguments in call to three\n\thave (number)\n\twant ()"},
		{"hello world", "cell [24], line 1: expected ';', found world"},
		{"\nfmt.Println(\"hi\"", "cell [25], line 2: missing ',' before newline in argument list"},
		{"import \"example.com/none\"", "cell [26], line 1: there is no package example.com/none in the " +
			"modules of this notebook; to add one: !*go get example.com/none"},
		{"1\n}\n2", "cell [27], line 2: nothing opens this }"},
		{"1 +", "cell [28], line 1: expected operand, found the end of the cell"},
		{"package main\n\nfunc main() { }", "func main() { }"},
		{"package foo", "cell [30], line 1: cells are of package main"},
		{"/* a", "cell [31], line 1: comment not terminated"},
		{"func init() { }", "func init() { }\nmain:"},
		{"func init() { }", "func init() { }\nmain:"}, // one takes the place of the other
		// Of three packages of a name that have this the shortest path is imported.
		{"rand.Int()", "+fmt\n+math/rand\nfunc init() { }\nmain: fmt.Println(rand.Int())"},
		{"import \"github.com/neuralkforms/nkf/datasets/mesh\"\n&mesh.Mesh{}",
			"+github.com/neuralkforms/nkf/datasets/mesh\n+github.com/neuralkforms/nkf/nkfx\n" +
				"+github.com/neuralkforms/nkf/nkfx/figures\nfunc init() { }\n" +
				"type value struct{ v interface{} }\n" +
				"func (v value) CellValue() interface{} { return v.v }\nmain: func(m *mesh.Mesh) { " +
				"nkfx.Show(value{figures.Arrange(\"\", 1, figures.NewPanel(\"\", &figures.Mesh{Vertices: " +
				"m.Vertices, Triangles: m.Triangles, View: figures.Front}).Bare())}) }" +
				"(&mesh.Mesh{})"},
	} {
		require.Equal(t, c[1], n.run(c[0]), c[0])
	}
	// A method of an earlier cell does not fit the type anymore.
	require.Equal(t, "cell [18], line 3: t.e undefined (type T[E] has no field or method e); "+
		"to forget it: %rm T.Get", n.run("type T[E any] struct{ other E }"))
	n.memory.Remove("T", "x", "init")
	require.NotContains(t, n.memory.List(), "T.Get")
	require.Contains(t, n.memory.List(), "func double\n")
	require.Contains(t, n.run("x"), "undefined: x")
	n.memory.Remove()
	require.Empty(t, n.memory.List())
}

// TestProgramIsTheSame: a cell that is run again is the program that it was, whatever was declared since.
func TestProgramIsTheSame(t *testing.T) {
	n := open(t)
	n.run("func f() int { return 1 }")
	first := n.run("f()")
	n.run("func g() int { return f() }")
	require.Equal(t, first, n.run("f()"))
}

// TestReads: a program that reads standard input is known.
func TestReads(t *testing.T) {
	n := open(t)
	for code, reads := range map[string]bool{
		"var s string\nfmt.Scanln(&s)": true, "os.Stdin": true, "fmt.Sscan(\"1\", new(int))": false,
	} {
		built, mistakes := n.memory.Program(New(code, 1), n.packages, false)
		require.Empty(t, mistakes)
		require.Equal(t, reads, built.Reads, code)
	}
}

// TestCommands: what GoNB gets of a cell, and what is Go.
func TestCommands(t *testing.T) {
	for code, want := range map[string]string{
		"":                                   "[] false false",
		"// nothing":                         "[] false false",
		"%%bash\nls *.go":                    "[] false true",
		"!ls\n%env A=1":                      "[!ls %env A=1] false false",
		"!echo \\\nx := 1\nx":                "[!echo \\\nx := 1] true false",
		"x := `\n!ls`\n/*\n%%\n*/":           "[] true false",
		"//gonb:%%\nx++":                     "[//gonb:%%] true false",
		"package main\nfunc f() {}":          "[package main] true false",
		"func TestA(t *testing.T) {}\n%test": "[%test] true false",
		"%%nosuch\nhello":                    "[] true false",
		// Lines of Go may begin like commands.
		"a &&\n!b":                          "[] true false",
		"[]bool{\n!a,\n}":                   "[] true false",
		"(7\n% 3)":                          "[] true false",
		"x := 7 /\n// gonb\n//gonb:!ls\n%d": "[] true false",
		"a\n!ls\nf()\n%env A=1":             "[!ls %env A=1] true false",
	} {
		c := New(code, 1)
		require.Equal(t, want, fmt.Sprint(c.Commands, c.IsGo(), c.Other), code)
	}
	const tests = "func TestA(t *testing.T) {}\nfunc BenchmarkB(b *testing.B) {}\n" +
		"func TestMain(m *testing.M) {}\nfunc FuzzC(f *testing.F) {}\nfunc ExampleT_Method() {}\n" +
		"func Example() {}\nfunc Testify() {}"
	require.Equal(t, []string{"TestA", "BenchmarkB", "FuzzC", "ExampleT_Method", "Example"},
		New(tests, 1).Tests())
}

// TestStatus: a cell that goes on is told from one that is wrong.
func TestStatus(t *testing.T) {
	for status, codes := range map[string][]string{
		"complete": {"", "x", "fmt.Println(1)\n", "if x {\n}", "func f() {}", "%%bash\nfor", "!ls (",
			"undefined +\n\n1"},
		"incomplete": {"f(1,", "f(1", "x := `a", "x +", "x :=\n", "func f() {\n\tx := 1\n",
			"for i := range 3 {", "/* a",
			"import (", "[]int{\n1,", "x := []string{\"a\",", "type T struct {\n", "if x", "a &&"},
		"invalid": {"f(1)}", "hello world", "x := )", "\"a", "f(1 2", "x = = 1\nfor {", "'ab'", "'a",
			"package foo", "@"},
	} {
		for _, code := range codes {
			require.Equal(t, status, New(code, 0).Status(), code)
		}
	}
}

// TestCompiler: what the compiler says of a program is said of its cells.
func TestCompiler(t *testing.T) {
	c := New("a\n\nfunc f() {\n\tä, b := g()\n}", 7)
	errs := Compiler("# cells/nkf_cell\n"+StackFile+c.ID+
		":4:5: cannot use b as int value in argument to nkf_fmt.Sprintln (overflows)\nother:1: text\n",
		func(string) *Cell { return c })
	require.Len(t, errs, 1)
	require.EqualError(t, errs[0], "cell [7], line 4: cannot use b as int value (overflows)")
	require.Equal(t, []string{"    \tä, b := g()", "    \t  ^"}, errs[0].Excerpt())
}

// fragments are parts of random cells.
var fragments = []string{
	"x%d := math.Sqrt(2)", "fmt.Println(\"∫ω\", x%d)", "func f%d(größe int) int {\n\treturn größe + 1\n}",
	"type T%d[E any] struct {\n\ta, b E\n}", "func (t *T%d[E]) Set(e E) { t.a = e }", "// a comment %d",
	"const c%d = 1; var w = c%[1]d", "var (\n\tp%d = 1 // one\n\tq = \"ä\"\n)", "!ls %d", "%%%%", "%%args %d",
	"import m%d \"math\"", "for i := range %d {\n\tif i > 0 { break }\n}", "layers.KForm(scope, %d",
	"math.Sq",
	"x := math.Sq", "if %d > 0 {", "}", ")", "", "f%d()", "y, err := strconv.Atoi(`%d`)", "/* %d", "`raw %d",
	"go func() { s := []int{%d}; s[0]++ }()", "a.b.c%d", ";", "𝄞%d",
}

// FuzzPositions: for random cells and every offset, the name under the cursor is the same in the cell and in
// the program, and leads back; what is not in the program is a comment, a command, or unused.
func FuzzPositions(f *testing.F) {
	for seed := range uint64(100) {
		f.Add(seed)
	}
	packages := standard(f)
	f.Fuzz(func(t *testing.T, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 1))
		code := func() string {
			var lines []string
			for range random.IntN(9) {
				line := fragments[random.IntN(len(fragments))]
				if strings.Contains(line, "%") {
					line = fmt.Sprintf(line, random.IntN(3))
				}
				lines = append(lines, line)
			}
			return strings.Join(lines, "\n")
		}
		memory := &Memory{}
		if built, mistakes := memory.Program(New(code(), 1), packages, false); mistakes == nil {
			memory = built.After
		}
		c := New(code(), 2)
		_, typed := memory.Typed(c, packages)
		requireSame(t, c, typed)
		if built, mistakes := memory.Program(c, packages, false); mistakes == nil {
			requireSame(t, c, built.Program)
		}
	})
}

func requireSame(t *testing.T, c *Cell, p *Program) {
	t.Helper()
	names := namesOf(c)
	for offset := range len(c.Code) + 1 {
		at, ok := p.At(c, offset)
		if !ok {
			require.False(t, names[offset], "%d of %q in %q", offset, c.Code, p.Text())
			continue
		}
		name := nameAt(c.source, offset)
		require.Equal(t, name, nameAt(p.Text(), at), "%d of %q in %q", offset, c.Code, p.Text())
		cell, back := p.Cell(at)
		require.Same(t, c, cell)
		require.Equal(t, name, nameAt(c.source, back), "%d of %q in %q", offset, c.Code, p.Text())
	}
}

// namesOf returns the offsets of the names in a cell that are in its program: all but those of imports.
func namesOf(c *Cell) map[int]bool {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(c.source))
	s.Init(file, []byte(c.source), func(token.Position, string) {}, 0)
	names := map[int]bool{}
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return names
		}
		at := file.Offset(pos)
		imported := slices.ContainsFunc(c.pieces, func(p piece) bool {
			return p.kind == token.IMPORT && p.from <= at && at < p.to
		})
		for i := range len(text) + 1 {
			names[at+i] = tok == token.IDENT && !imported || names[at+i]
		}
	}
}

func nameAt(text string, at int) string {
	from, to := at, at
	for from > 0 && isName(text[from-1]) {
		from--
	}
	for to < len(text) && isName(text[to]) {
		to++
	}
	return text[from:to]
}

// TestTyping: open brackets are closed, the inner ones first.
func TestTyping(t *testing.T) {
	for code, want := range map[string]string{
		"func a() {\n\tdefer func() {\n\t\tx": "func a() {\n\tdefer func() {\n\t\tx\n}\n}",

		"f(g[a":         "f(g[a])",
		"f({1}, (2":     "f({1}, (2))",
		"x":             "x",
		"f(\"(\"":       "f(\"(\")",
		"if x {\n}\ny(": "if x {\n}\ny()",
	} {
		require.Equal(t, want, Typing(code).Code)
	}
}

// TestScript: a notebook as a program prints what its cells print one after the other, and says of what
// cannot be one program why.
func TestScript(t *testing.T) {
	packages := standard(t)
	text, mistakes := Script([]Part{
		{Text: "# A notebook\nof two lines"},
		{Code: "x := 2"},
		{Code: "%%bash\necho no Go"},
		{Code: "!ls\n// double is twice as much.\nfunc double(n int) int { return 2 * n }\n" +
			"cell4 := double(x)\ncell4"},
		{Code: "math.Sqrt"},
		{Code: "func double(n int) int { return n + n }\n" +
			"func main() { fmt.Println(strings.Repeat(\"b\", double(x))) }"},
		{Code: "%%\nfor range 1 {\n\tfmt.Println(`\na`)\n}\nvar cell1 = 1\n_ = cell1"},
		{Code: "func cell7() { fmt.Println(7) }\n%exec cell7"},
		{Code: "errors.New(\"an error\")"},
	}, packages)
	require.Empty(t, mistakes)
	require.Contains(t, text, "// # A notebook\n// of two lines\n")
	require.Contains(t, text, "// !ls\n")
	require.Contains(t, text, "import (\n\t\"errors\"\n\t\"fmt\"\n\t\"math\"\n\t\"strings\"\n)")
	require.NotContains(t, text, "\n%")
	require.NotContains(t, text, "nkf_")
	path := filepath.Join(t.TempDir(), "main.go")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	out, err := exec.Command(packages.Go, "run", path).CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, "4\nfunc(float64) float64\nbbbb\n\na\n7\nan error\n", string(out))

	for want, parts := range map[string][]Part{
		"cell [2], line 1: undefined: y": {{Code: "1"}, {Code: "y"}},
		"cell [1], line 2: too many arguments in call to f": {{Code: "func f(n int) int { return n }\nf(1)"},
			{Code: "func f() {}"}},
		"cell [2], line 1: rand is crypto/rand here, and math/rand/v2 in": {
			{Code: "import \"math/rand/v2\"\nrand.Int()"}, {Code: "import \"crypto/rand\"\nrand.Text()"}},
	} {
		_, mistakes := Script(parts, packages)
		require.NotEmpty(t, mistakes)
		require.ErrorContains(t, mistakes[0], want)
	}
}
