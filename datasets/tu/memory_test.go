package tu

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
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
		"lines of one edge":     {"A", "1, 2\n", "4 graphs, 1 edges"},
		"labels of graphs":      {"graph_labels", "1\n", "more than 33554432 lines"},
		"nodes":                 {"graph_indicator", "1\n", "more than 33554432 lines"},
		"labels of nodes":       {"node_labels", "1\n", "line 9: more lines than there are nodes"},
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
