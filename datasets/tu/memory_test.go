package tu

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/internal/heap"
)

// repeated is a file that says the same again and again.
type repeated struct {
	text  string
	bytes int
}

// writeTo writes the file.
func (r repeated) writeTo(t *testing.T, w io.Writer) {
	t.Helper()
	block := []byte(strings.Repeat(r.text, max(1, 1<<16/len(r.text))))
	for left := r.bytes; left > 0; left -= len(block) {
		_, err := w.Write(block[:min(left, len(block))/len(r.text)*len(r.text)])
		require.NoError(t, err)
	}
}

// opened opens an archive. It returns what comes of it, an error or how many graphs and edges there are, and
// the most memory that it took, in bytes.
func opened(path string) (outcome string, peak int) {
	grown := heap.Peak(func() {
		a, err := Open(path)
		if err != nil {
			outcome = err.Error()
			return
		}
		outcome = fmt.Sprintf("%d graphs, %d edges", a.Graphs(), len(a.Edges)/2)
	})
	return outcome, int(grown)
}

// zipFast writes an archive of the files without taking the memory for them. They are not packed: an
// archive that packs well is refused by its size.
func zipFast(t *testing.T, members map[string]func(io.Writer)) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bomb.zip")
	file, err := os.Create(path)
	require.NoError(t, err)
	w := zip.NewWriter(file)
	for name, write := range members {
		member, err := w.CreateHeader(&zip.FileHeader{Name: name})
		require.NoError(t, err)
		write(member)
	}
	require.NoError(t, w.Close())
	require.NoError(t, file.Close())
	return path
}

// TestBombs: reading a text takes no memory for the text. The archives hold 72 MB, with NKF_LONG=1 256 MB.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("reads long files")
	}
	size := 72 << 20
	if os.Getenv("NKF_LONG") != "" {
		size = 256 << 20
	}
	small, _ := opened(zipFast(t, members(t, toy(), nil)))
	require.Equal(t, "4 graphs, 5 edges", small)
	for name, c := range map[string]struct {
		kind, text, want string
	}{
		"a line of values":      {"node_attributes", "1,", "line 1: more than 4194304 bytes"},
		"a line of digits":      {"A", "1", "line 1: more than 4194304 bytes"},
		"a line of blanks":      {"node_labels", " ", "line 1: more than 4194304 bytes"},
		"lines of one edge":     {"A", "1, 2\n", "4 graphs, 1 edges"},
		"lines of two edges":    {"A", "1, 2\n3, 2\n2, 1\n", "4 graphs, 2 edges"},
		"self-loops":            {"A", "1, 1\n", "4 graphs, 0 edges"},
		"lines without end":     {"A", "\n", "4 graphs, 0 edges"},
		"labels of graphs":      {"graph_labels", "1\n", "more than 33554432 lines"},
		"nodes":                 {"graph_indicator", "1\n", "more than 33554432 lines"},
		"labels of nodes":       {"node_labels", "1\n", "line 9: more lines than there are nodes"},
		"wide labels of nodes":  {"node_labels", strings.Repeat("1 ", 1000) + "\n", "line 9: more lines than there are nodes"},
		"numbers of many digit": {"node_attributes", strings.Repeat("1", 1<<20) + "\n", "is not a finite"},
	} {
		t.Run(name, func(t *testing.T) {
			set := toy()
			if c.kind == "graph_labels" {
				delete(set, "graph_attributes")
			}
			path := zipFast(t, members(t, set, map[string]repeated{c.kind: {c.text, size}}))
			outcome, peak := opened(path)
			require.Contains(t, outcome, c.want)
			t.Logf("%d MB of text: %d MB of memory", size>>20, peak>>20)
			require.Less(t, peak, 24<<20)
		})
	}
}

// members returns the files of a set, of which some are repeated.
func members(t *testing.T, set map[string]string, large map[string]repeated) map[string]func(io.Writer) {
	out := map[string]func(io.Writer){}
	for kind, text := range set {
		r, ok := large[kind]
		if !ok {
			r = repeated{text, len(text)}
		}
		out["TOY_"+kind+".txt"] = func(w io.Writer) { r.writeTo(t, w) }
	}
	return out
}

// TestIndexBomb: an archive of very many files is refused by the length of its index.
func TestIndexBomb(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := range 100_000 {
		_, err := w.CreateHeader(&zip.FileHeader{Name: strconv.Itoa(i)})
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	_, err := readZip(bytes.NewReader(b.Bytes()), int64(b.Len()))
	require.ErrorContains(t, err, "the index of the archive is longer than 4194304 bytes")
}

// TestLargeArchive: a large data set is read, in memory for what is in it and the collection of garbage. That
// here has edges in both directions, in the order of their first node, labels of both ends, and four
// attributes a node; with NKF_LONG=1 it is the size of COLLAB, the largest of TUDataset.
func TestLargeArchive(t *testing.T) {
	graphs, degree := 100, 160
	if os.Getenv("NKF_LONG") != "" {
		graphs = 5000
	}
	const nodes = 75
	neighbors := func(u int) []int { // of node u of a graph, on a circle
		var out []int
		for d := 1; d <= degree/4; d++ {
			out = append(out, (u+d)%nodes, (u+nodes-d)%nodes)
		}
		return out
	}
	lines := func(of func(w io.Writer, g int)) func(io.Writer) {
		return func(w io.Writer) {
			for g := range graphs {
				of(w, g)
			}
		}
	}
	path := zipFast(t, map[string]func(io.Writer){
		"BIG_A.txt": lines(func(w io.Writer, g int) {
			for u := range nodes {
				for _, v := range neighbors(u) {
					fmt.Fprintf(w, "%d, %d\n", g*nodes+u+1, g*nodes+v+1)
				}
			}
		}),
		"BIG_graph_indicator.txt": lines(func(w io.Writer, g int) {
			fmt.Fprint(w, strings.Repeat(strconv.Itoa(g+1)+"\n", nodes))
		}),
		"BIG_graph_labels.txt": lines(func(w io.Writer, g int) { fmt.Fprintln(w, g%3) }),
		"BIG_node_attributes.txt": lines(func(w io.Writer, g int) {
			r := rand.New(rand.NewPCG(1, uint64(g)))
			for range nodes {
				fmt.Fprintf(w, "%g, %g, %g, %g\n", r.Float32(), r.Float32(), r.Float32(), r.Float32())
			}
		}),
	})
	edges := graphs * nodes * (nodes - 1) / 2
	if degree/4 < (nodes-1)/2 {
		edges = graphs * nodes * (degree / 4)
	}
	outcome, peak := opened(path)
	require.Equal(t, fmt.Sprintf("%d graphs, %d edges", graphs, edges), outcome)
	// Two nodes of each edge, and attributes.
	result := edges*8 + graphs*nodes*32
	t.Logf("%d edges: %d MB of memory for %d MB", edges, peak>>20, result>>20)
	require.Less(t, peak, 32<<20+4*result)

	a, err := Open(path)
	require.NoError(t, err)
	for _, e := range []int{0, 1, len(a.Edges)/2 - 1} {
		require.Less(t, a.Edges[2*e], a.Edges[2*e+1])
	}
}
