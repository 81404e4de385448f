package nkfx

import (
	"go/parser"
	"go/token"
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
		require.Equal(t, code, cellProgram(code))
	}
}

// cellCases are cells without a mark, what becomes of them, and what they print in GoNB, one after the other.
var cellCases = []struct{ code, program, prints string }{
	{
		`fmt.Println("hi")`,
		"func main() { flag.Parse(); fmt.Println(\"hi\")\n}\n", "hi\n",
	},
	{"x := 1", "var x  = 1", ""},
	{"x", "func main() { flag.Parse(); fmt.Println(x)\n}\n", "1\n"},
	{
		"// A sum.\nimport \"strconv\"\nvar y = 2\n\n" +
			"z := x + y // local\nfmt.Println(strconv.Itoa(z)); z++\n// end",
		"// A sum.\nimport \"strconv\"\nvar y = 2\n\n" +
			"func main() { flag.Parse(); z := x + y // local\nfmt.Println(strconv.Itoa(z)); z++\n}\n// end\n",
		"3\n",
	},
	{
		"!echo shell\nn := 20\n// double doubles.\nfunc double(n int) int {\n\treturn 2 * n\n}\n" +
			"import m \"math\"\nconst half = 0.5; fmt.Println(double(n), m.Sqrt(4), half)\nn += 2\nn + 1",
		"!echo shell\nimport m \"math\"; func main() { flag.Parse(); n := 20\n// double doubles.\n\n\n\n" +
			"\n; fmt.Println(double(n), m.Sqrt(4), half)\nn += 2\nfmt.Println(n + 1)\n}\n" +
			"//line cell:4\n\nfunc double(n int) int {\n\treturn 2 * n\n}\n" +
			"//line cell:8\n\nconst half = 0.5\n",
		"shell\n40 2 0.5\n23\n",
	},
	{
		"type pair struct{ a, b int }\nfunc (p pair) sum() int { return p.a + p.b }\n" +
			"fmt.Println(pair{1, y}.sum())",
		"type pair struct{ a, b int }\nfunc (p pair) sum() int { return p.a + p.b }\n" +
			"func main() { flag.Parse(); fmt.Println(pair{1, y}.sum())\n}\n",
		"3\n",
	},
	{
		"a, err := strconv.Atoi(\"4\")\nvar b = a\nf := func() int {\n\treturn a + b\n}",
		"var a, err  = strconv.Atoi(\"4\")\nvar b = a\nvar f  = func() int {\n\treturn a + b\n}", "",
	},
	{"fmt.Println(f(), err)", "func main() { flag.Parse(); fmt.Println(f(), err)\n}\n", "8 <nil>\n"},
	{
		"a, err := 1, error(nil)\nb, err := 2, err\nfmt.Print(a, b, err)", // err is defined twice
		"func main() { flag.Parse(); a, err := 1, error(nil)\nb, err := 2, err\nfmt.Print(a, b, err)\n}\n",
		"1 2 <nil>",
	},
	{
		"if x > 0 {\n\tfmt.Println(`%%`)\n} else {\n}\n" +
			"loop:\nfor i := range 3 {\n\tif i > 0 { break loop }\n}",
		"func main() { flag.Parse(); if x > 0 {\n\tfmt.Println(`%%`)\n} else {\n}\n" +
			"loop:\nfor i := range 3 {\n\tif i > 0 { break loop }\n}\n}\n",
		"%%\n",
	},
	{
		"func() { fmt.Println(\"literal\") }()",
		"func main() { flag.Parse(); func() { fmt.Println(\"literal\") }()\n}\n", "literal\n",
	},
	{"(1 + 2i)", "func main() { flag.Parse(); fmt.Println((1 + 2i))\n}\n", "(1+2i)\n"},
}

func TestCellProgram(t *testing.T) {
	for _, c := range cellCases {
		require.Equal(t, c.program, cellProgram(c.code), c.code)
	}
}

// What is wrong with a statement is said of the statement, not that it is none that declares.
func TestCellsWithErrors(t *testing.T) {
	for code, want := range map[string]string{
		"\nfmt.Println(\"hi\"":        "4:45",
		"hello world":                 "3:35: expected ';', found world",
		"x := 1\nif x {\nfunc f() {}": "expected '(', found f",
	} {
		_, err := parser.ParseFile(token.NewFileSet(), "", "package main\n\n"+cellProgram(code), 0)
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
		program, moved := cellProgramAt(cell, at, false)
		word := func(text string, at int) string {
			begin := strings.LastIndexAny(text[:at], "\n ;(") + 1
			return text[begin:at]
		}
		require.Equal(t, word(cell, at), word(program, moved), "%q", program)
	}
	// ä has one unit and two bytes, the clef two and four.
	for units, offset := range []int{0, 2, 6, 6, 7, 7} {
		require.Equal(t, offset, utf16Offset("ä𝄞x", units))
	}
}

// FuzzCellProgram: whatever is typed, a program that was made of it is left alone, and valid if its pieces
// are.
func FuzzCellProgram(f *testing.F) {
	for _, c := range cellCases {
		f.Add(c.code)
	}
	f.Add("%%\nx := 1")
	f.Fuzz(func(t *testing.T, code string) {
		program := cellProgram(code)
		if program == code {
			return
		}
		require.Equal(t, program, cellProgram(program))
		source, _ := goSource(code)
		pieces, _ := cellPieces(source)
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
