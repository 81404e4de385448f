package cell

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFind: lines of a program are found in the cells that it was made of, commands and marks
// counted.
func TestFind(t *testing.T) {
	cells := []ran{
		newRan(2, "%%\n\nf()"),
		newRan(1, "import \"fmt\"\n!true\nvar x = g()\n\nfunc f() {\n\tfmt.Println(x)\n}"),
	}
	const program = "package main\n\nimport \"fmt\"\n\nvar (\n\tx = g()\n)\n\n" +
		"func f() {\n\tfmt.Println(x)\n}\n\n" +
		"func main() {\n\tflag.Parse()\n\nf()\n\n}\n"
	for line, want := range map[int][2]int{4: {}, 6: {1, 3}, 9: {1, 5}, 10: {1, 6}, 16: {2, 3}} {
		number, at := find(program, line, cells)
		require.Equal(t, want, [2]int{number, at}, "line %d", line)
	}
}
