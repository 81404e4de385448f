package cell

import (
	"encoding/json"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// GoNB takes these cells, or says itself what is wrong with them: they stay as they are.
func TestCellsThatStay(t *testing.T) {
	for _, code := range []string{
		"",
		"\n // nothing",
		"%%\nfmt.Println(1)",
		"import \"fmt\"\n\nvar x = 1\n\n%% -flag\nx := 2\nfmt.Println(x)",
		"//gonb:%%\nx := 1",
		"%main\nx++",
		"%exec f\nx := 1",
		"%test\nfmt.Println(1)",
		"%%bash\nls *.go",
		"%%writefile x.txt\nx := 1",
		"!ls\n%env A=1",
		"!echo \\\nx := 1",
		"func f() int {\n\treturn 1\n}",
		"func main() {\n\tfmt.Println(1)\n}",
		"func main() {}\nfmt.Println(1)",
		"package main\n\ntype T struct{}\n\nfunc (T) M() {}",
		"const (\n\ta = iota\n\tb\n)\n\nvar f = func() int { return 1 }()",
		"func f() {\n\tfmt.Println(1",
		"func f() {}}\nfmt.Println(1)",
		"type T struct {\n\tx int,\n}",
		"fmt.Println(`a\r`)",
	} {
		require.Equal(t, code, Program(code))
	}
}

// testCase is a cell without a mark, the program of it, and what GoNB prints, one cell after the
// other.
type testCase struct{ Code, Program, Prints string }

// cases are also run in GoNB, by package kernel.
func cases(t testing.TB) (list []testCase) {
	content, err := os.ReadFile("testdata/cells.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(content, &list))
	require.NotEmpty(t, list)
	return list
}

func TestProgram(t *testing.T) {
	for _, c := range cases(t) {
		require.Equal(t, c.Program, Program(c.Code), c.Code)
	}
}

// What is wrong with a statement is said of the statement, not that it is none that declares.
func TestCellsWithErrors(t *testing.T) {
	for code, want := range map[string]string{
		"\nfmt.Println(\"hi\"":        "4:45",
		"hello world":                 "3:35: expected ';', found world",
		"x := 1\nif x {\nfunc f() {}": "expected '(', found f",
	} {
		_, err := parser.ParseFile(token.NewFileSet(), "", "package main\n\n"+Program(code), 0)
		require.ErrorContains(t, err, want, code)
	}
}

// The cursor stays at the text that it was at.
func TestCellCursor(t *testing.T) {
	for _, code := range []string{
		"fmt.Pri|", "x := 1\nfmt.|", "x := str|ings.ToUpper(\"a\")", "|x := 1",
		"fmt.Println(1)\nfunc f() {\n\tmath.S|\n}", "fmt.Println(1)\nmath.P|i", "%%\nfmt.P|", "// |\nx++",
	} {
		at := strings.Index(code, "|")
		cell := code[:at] + code[at+1:]
		program, moved := ProgramAt(cell, at, false)
		word := func(text string, at int) string {
			begin := strings.LastIndexAny(text[:at], "\n ;(") + 1
			return text[begin:at]
		}
		require.Equal(t, word(cell, at), word(program, moved), "%q", program)
	}
}

// FuzzProgram: whatever is typed, a program that was made of it is left alone, and valid if its
// pieces are.
func FuzzProgram(f *testing.F) {
	for _, c := range cases(f) {
		f.Add(c.Code)
	}
	f.Add("%%\nx := 1")
	f.Fuzz(func(t *testing.T, code string) {
		program := Program(code)
		if program == code {
			return
		}
		require.Equal(t, program, Program(program))
		source, _ := goSource(code)
		pieces, _ := splitPieces(source)
		for _, p := range pieces {
			if p.node == nil {
				return
			}
		}
		source, _ = goSource(program)
		_, err := parser.ParseFile(token.NewFileSet(), "", "package p;"+source, parser.SkipObjectResolution)
		if err != nil { // pieces do not include comments
			require.Regexp(t, "comment not terminated|illegal (character NUL|byte order mark)", err, program)
		}
	})
}
