package kernel

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
)

// processes returns the processes of the kernels of this test, by a part of their command lines.
func processes(t *testing.T, part string) (found []int) {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	for _, path := range lines {
		line, err := os.ReadFile(path)
		text := string(line)
		if err == nil && strings.Contains(text, os.TempDir()) && strings.Contains(text, part) {
			process, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			require.NoError(t, err)
			found = append(found, process)
		}
	}
	return found
}

// TestKernelCells runs cells without a mark in GoNB, one after the other.
func TestKernelCells(t *testing.T) {
	s := openSession(t)
	content, err := os.ReadFile("../cell/testdata/cells.json")
	require.NoError(t, err)
	var cells []struct{ Code, Prints string }
	require.NoError(t, json.Unmarshal(content, &cells))
	for _, c := range cells {
		require.Equal(t, c.Prints, s.run(t, c.Code), c.Code)
	}
	for code, want := range map[string]string{
		// Lines are those of the cell, in functions that have moved, too.
		"x := 2\n!echo hi\nfunc bad() int {\n\n\treturn no\n}\nfmt.Println(x)": `Line 5<.*undefined: no`,
		"k := 2\n\nfmt.Println(k, nope)":                                       `Line 3<.*undefined: nope`,
		"var i = 3\n%%\nfmt.Println([]int{1}[i])":                              `/this cell:3 `,
		"hello world":            `Line 1<.*expected ';', found world`,
		"x := 1\nfmt.Println(2)": `declared and not used: x`,
		"func one() int {\n\treturn 1\n}\nfmt.Println(one())\nreturn": `^1\n$`,
	} {
		require.Regexp(t, regexp.MustCompile(`(?s)`+want), s.run(t, code), code)
	}
}

// TestKernelTrimsCells: a cell computes what it uses, and what it declares, and no more.
func TestKernelTrimsCells(t *testing.T) {
	s := openSession(t)
	quick := func(code string) time.Duration {
		least := time.Hour
		for i := range 5 { // the machine has other things to do
			begin := time.Now()
			require.Equal(t, fmt.Sprintln(i), s.run(t, fmt.Sprintf(code, i)))
			least = min(least, time.Since(begin))
		}
		return least
	}
	require.Equal(t, "reading\n", s.run(t, "import \"github.com/neuralkforms/nkf/nkfx\"\n"+
		"var backend = nkfx.Must(nkfx.Backend())\n"+
		"func read() []int {\n\tfmt.Println(\"reading\")\n\treturn []int{1, 2}\n}\nvar data = read()\n"+
		"type counter struct{ n int }\nfunc (c *counter) add() { c.n++ }\nvar _ = 1"))
	require.Less(t, quick("fmt.Println(%d)"), time.Second)
	require.Equal(t, "5\n", s.run(t, "func five() int { return 5 }\nfmt.Println(five())"))
	again := "var data = func() []int {\n\tfmt.Println(\"reading\")\n\treturn []int{1, 2}\n}()"
	for range 2 {
		require.Equal(t, "reading\n", s.run(t, again), "a cell is what it was")
	}
	require.Equal(t, "reading\n2\n", s.run(t, "fmt.Println(len(data))"))
	require.Equal(t, "1\n", s.run(t, "%%\nvar c counter\nc.add()\nfmt.Println(c.n)"))
	require.NotEmpty(t, s.run(t, "fmt.Println(nkfx.BackendName(backend))"))
	require.Contains(t, s.run(t, "func wrong() int { return \"a\" }"), "cannot use")
	require.Equal(t, "3\n", s.run(t, "fmt.Println(3)"), "what has errors was not taken")
}

// TestKernelKeepsValues is what the notebook quickstart says: declarations are there for later
// cells, values are not, unless they are kept.
func TestKernelKeepsValues(t *testing.T) {
	s := openSession(t)
	require.Empty(t, s.run(t, "import \"github.com/neuralkforms/nkf/nkfx\"\n\nvar counter int"))
	for range 2 {
		require.Equal(t, "1\n", s.run(t, "counter++\nfmt.Println(counter)"))
	}
	require.Contains(t, s.run(t, "nkfx.Must(nkfx.Kept[int](\"n\"))"), `run the cell with Keep("n", …) first`)
	require.Empty(t, s.run(t, "nkfx.Check(nkfx.Keep(\"n\", 1))"))
	for n := range 2 {
		require.Equal(t, fmt.Sprintln(n+2), s.run(t, "n := *nkfx.Must(nkfx.Kept[int](\"n\")) + 1\n"+
			"nkfx.Check(nkfx.Keep(\"n\", n))\nfmt.Println(n)"))
	}
}

// TestErrorsNameTheirLines: a cell that fails says where, whichever cell the line is in.
func TestErrorsNameTheirLines(t *testing.T) {
	s := openSession(t)
	require.Empty(t, s.run(t, `import (
	"github.com/gomlx/gomlx/core/graph"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/nkfx"
)
!true
var form = exterior.Formula(2, 1, func(x []*graph.Node) []*graph.Node { return x })

func integrate(simplices [][]int32) {
	backend := nkfx.Must(nkfx.Backend())
	nkfx.Must(graph.CallOnce(backend, func(v, s *graph.Node) *graph.Node {
		return exterior.Integrate(form, v, s)
	}, [][]float64{{0, 0}, {1, 0}, {0, 1}}, simplices))
}`))
	const wrong = "nkf: cell [1], line 12, called in cell [2], line 3: exterior.Integrate: " +
		"the simplices (Int32)[1, 3] have 3 corners each, and a 1-form takes 2\n"
	for _, c := range [][2]string{
		{"%%\n\nintegrate([][]int32{{0, 1, 2}})", wrong},
		{"fmt.Print(1)\n\n\nnkfx.Check(fmt.Errorf(\"no data\"))", "1nkf: cell [3], line 4: no data\n"},
		{"n := 1\nfunc late() {\n\tnkfx.Must(1, fmt.Errorf(\"late\"))\n}\nn++\nlate()",
			"nkf: cell [4], line 3: late\n"},
		{"late()", "nkf: cell [4], line 3, called in cell [5], line 1: late\n"},
		{"func boom(x []int) int {\n\treturn x[7]\n}", ""},
		{"\nboom(nil)", "main.boom(...)\n\t/cell of boom:2\nmain.main()\n\t/this cell:2 "},
		{"//\nvar none = nkfx.Must(0, fmt.Errorf(\"none\"))", "nkf: cell [8], line 2: none\n"},
	} {
		require.Contains(t, s.run(t, c[0]), c[1])
	}
}

// TestKernelCompletes: Tab completes and Shift-Tab explains, with or without a mark in the cell,
// and gopls ends with the kernel.
func TestKernelCompletes(t *testing.T) {
	s := openSession(t)
	require.FileExists(t, filepath.Join(root, ".tools", "bin", "gopls"), "`make kernel` builds it")
	var of []int
	t.Cleanup(func() { // after the kernel's end, for which the session waits
		require.Eventually(t, func() bool {
			for _, process := range of {
				if !gone(process) {
					return false
				}
			}
			return true
		}, time.Minute, 10*time.Millisecond)
	})
	require.Empty(t, s.run(t, "// area returns a number.\nfunc area() float64 { return 1 }"))
	for _, c := range []struct {
		code  string
		at    int
		match string
		start int
	}{
		{"%%\nfmt.Printl", 13, "Println", 7},
		{"fmt.Printl", 10, "Println", 4},
		{"x := \"ä\"\nfmt.Printl\nfunc f() {}", 19, "Println", 13},
		{"fmt.Println(1)\nfunc f() {\n\tfmt.Printl\n}", 37, "Println", 31},
		{"fmt.Println(are", 15, "area", 12},
	} {
		got := s.request(t, "complete_request", map[string]any{"code": c.code, "cursor_pos": c.at})
		require.Contains(t, got["matches"], c.match, c.code)
		require.EqualValues(t, c.start, got["cursor_start"], c.code)
		require.EqualValues(t, c.at, got["cursor_end"], c.code)
	}
	for code, at := range map[string]int{"fmt.Println(1)": 6, "%%\nfmt.Println(1)": 9} {
		got := s.request(t, "inspect_request",
			map[string]any{"code": code, "cursor_pos": at, "detail_level": 0})
		require.Contains(t, fmt.Sprint(got["data"]), "Println formats using the default formats", code)
	}
	of = processes(t, "gopls")
	require.NotEmpty(t, of)
}

// TestGoplsEndsWithKilledKernel: a kernel that is killed cannot end gopls, which then does so by
// itself.
func TestGoplsEndsWithKilledKernel(t *testing.T) {
	backendtest.NeedLong(t)
	checkout, err := filepath.Abs(root)
	require.NoError(t, err)
	t.Setenv("TMPDIR", t.TempDir())
	path, ports := connection(t)
	ended := make(chan error, 1)
	go func() { ended <- Kernel{Checkout: checkout}.Run(t.Context(), path) }()
	s := &session{f: &front{key: []byte("secret")}}
	s.output = openSocket(t, "SUB", ports["iopub_port"])
	s.shell = openSocket(t, "DEALER", ports["shell_port"])
	s.request(t, "complete_request", map[string]any{"code": "%%\nfmt.Printl", "cursor_pos": 13})
	of := processes(t, "gopls")
	require.NotEmpty(t, of)
	for _, process := range processes(t, "-go_work=") {
		killed, err := os.FindProcess(process)
		require.NoError(t, err)
		require.NoError(t, killed.Kill())
	}
	require.ErrorContains(t, <-ended, "killed")
	require.Eventually(t, func() bool { return len(processes(t, "gopls")) == 0 }, 3*time.Minute, time.Second)
}

// Cells that wait while one fails do not run, unless the request says otherwise; those that come later do.
func TestCellsAfterAnError(t *testing.T) {
	s := openSession(t)
	for _, stop := range []bool{true, false} {
		var ids []string
		for _, code := range []string{"fmt.Println(nope)", `fmt.Println("second")`, `fmt.Println("third")`} {
			s.send(t, "execute_request", map[string]any{
				"code": code, "silent": false, "store_history": true, "stop_on_error": stop,
			})
			ids = append(ids, s.id)
		}
		want := []string{"error", "aborted", "aborted"}
		if !stop {
			want = []string{"error", "ok", "ok"}
		}
		for i, id := range ids {
			s.id = id
			kind, reply := s.answer(t, s.shell)
			require.Equal(t, "execute_reply", kind)
			require.Equal(t, want[i], reply["status"])
			for state := ""; state != "idle"; {
				kind, content := s.answer(t, s.output)
				if kind == "status" {
					state = content["execution_state"].(string)
				}
				require.True(t, want[i] != "aborted" || kind == "status", "%s of an aborted cell", kind)
			}
		}
		number := map[bool]string{true: "cell [2]", false: "cell [6]"}[stop] // aborted cells have none
		require.Contains(t, s.run(t, "nkfx.Check(fmt.Errorf(\"none\"))"), number)
	}
}
