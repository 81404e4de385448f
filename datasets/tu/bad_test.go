package tu

import (
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBadFiles damages one file of the toy data set at a time. Every error has to name the file, the line
// where there is one, what is wrong and what to do.
func TestBadFiles(t *testing.T) {
	for _, c := range []struct{ kind, content, want string }{
		{"A", "1, 2\n1, 9\n", "TOY_A.txt, line 2: node 9, but nodes are numbered 1 to 8: check that"},
		{"A", "1, 2\n-1, 2\n", "TOY_A.txt, line 2: node -1,"},
		{"A", "\n\n1, 4\n", "TOY_A.txt, line 3: an edge from node 1 in graph 1 to node 4 in graph 3"},
		{"A", "1, 2\n2\n", "TOY_A.txt, line 2: 1 value, but the lines before have 2"},
		{"A", "1, 2, 3\n", "TOY_A.txt, line 1: 3 values: a line holds the two nodes of an edge"},
		{"A", "1, \n", "TOY_A.txt, line 1: column 2: an empty value is not an integer"},
		{"A", "1, x\n", `TOY_A.txt, line 1: column 2: "x" is not an integer`},
		{"A", "1, 99999999999999999999\n", `"99999999999999999999" is not an integer that this machine`},
		{"graph_indicator", "1\n1\n1\n3\n3\n5\n4\n4\n", "TOY_graph_indicator.txt, line 6: graph 5, but"},
		{"graph_indicator", "0\n1\n", "TOY_graph_indicator.txt, line 1: graph 0, but graphs"},
		{"graph_indicator", "1\n3\n2\n", "TOY_graph_indicator.txt, line 3: graph 2 after graph 3"},
		{"graph_indicator", "1, 1\n", "TOY_graph_indicator.txt, line 1: 2 values: a line holds the graph"},
		{"graph_indicator", "one\n", `TOY_graph_indicator.txt, line 1: column 1: "one" is not an integer`},
		{"graph_indicator", "\n\n", "TOY_graph_indicator.txt is empty"},
		{"graph_labels", "1\n2\n1.5\n1\n", `TOY_graph_labels.txt, line 3: column 1: "1.5" is not an integer`},
		{"graph_labels", "", "TOY_graph_labels.txt is empty"},
		{"graph_labels", "1, 2\n3, 4\n", "TOY_graph_labels.txt has 2 labels a line: keep the one to learn"},
		{"graph_labels", "-1\n-1\n10\n-1\n2\n", "TOY_graph_labels.txt has 5 lines, but the last node in " +
			"TOY_graph_indicator.txt is of graph 4: lines are there twice"},
		{"graph_labels", "1\n2\n3\n", "TOY_graph_indicator.txt, line 6: graph 4, but graphs are numbered 1 " +
			"to 3"},
		{"graph_attributes", "1\n2\n", "TOY_graph_attributes.txt has 2 lines for 4 graphs"},
		{"graph_attributes", "1\nx\n", `TOY_graph_attributes.txt, line 2: column 1: "x" is not a number`},
		{"node_labels", "1\n", "TOY_node_labels.txt has 1 line for 8 nodes: one of the files is cut off"},
		{"node_labels", "1\n2.0\n", `TOY_node_labels.txt, line 2: column 1: "2.0" is not an integer`},
		{"node_attributes", "1, 2\n3\n", "TOY_node_attributes.txt, line 2: 1 value, but the lines"},
		{"node_attributes", "1, 2\n3, NaN\n", `TOY_node_attributes.txt, line 2: column 2: "NaN" is not a`},
		{"node_attributes", "-Inf, 2\n", `TOY_node_attributes.txt, line 1: column 1: "-Inf" is not a finite`},
		{"node_attributes", "1e40, 2\n", `"1e40" is not a finite number of single precision: replace it`},
		{"node_attributes", "1,, 2\n", "TOY_node_attributes.txt, line 1: column 2: an empty value is"},
		{"node_attributes", strings.Repeat("y", 99), strings.Repeat("y", 40) + `" is not a number`},
		{"node_labels", strings.Repeat("1\n", 9), "TOY_node_labels.txt, line 9: more lines than there are"},
	} {
		set := toy()
		if c.kind == "graph_attributes" || c.kind == "graph_labels" || c.kind == "graph_indicator" {
			delete(set, "graph_attributes")
		}
		set[c.kind] = c.content
		_, err := openFiles(t, set, "TOY_%s.txt")
		require.ErrorContains(t, err, c.want, "%s: %q", c.kind, c.content)
		require.ErrorContains(t, err, "toy.zip: ")
	}
	for _, kind := range []string{"A", "graph_indicator"} {
		set := toy()
		delete(set, kind)
		_, err := openFiles(t, set, "TOY_%s.txt")
		require.Error(t, err)
	}
}

// TestBadArchives opens archives that are damaged as archives.
func TestBadArchives(t *testing.T) {
	good := zipOf(t, named(toy(), "TOY_%s.txt"))
	tampered := bytes.Clone(good)
	at := bytes.Index(tampered, []byte("TOY_A.txt")) + len("TOY_A.txt") + 3
	tampered[at] ^= 0xff
	both := named(toy(), "TOY_%s.txt")
	both["OTHER_A.txt"] = "1, 2\n"
	twice := named(toy(), "TOY_%s.txt")
	twice["sub/TOY_A.txt"] = "1, 2\n"
	bombed := named(toy(), "TOY_%s.txt")
	bombed["TOY_node_labels.txt"] = strings.Repeat("1\n", 9<<20) // 18 MiB in 18 KiB
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":        {nil, "not a zip archive"},
		"cut off":      {good[:len(good)/2], "not a zip archive"},
		"text":         {[]byte("<html>404</html>"), "download it again"},
		"tampered":     {tampered, "the file is damaged, get it again"},
		"other format": {zipOf(t, map[string]string{"data.csv": "1"}), "no file name ends in _A.txt"},
		"no files":     {zipOf(t, nil), "no file name ends in _A.txt"},
		"two sets":     {zipOf(t, both), "two data sets, OTHER and TOY: keep one"},
		"twice":        {zipOf(t, twice), "TOY_A.txt is there twice: keep one"},
		"bomb":         {bomb(t, maxBytes+2), "TOY_A.txt: the files of the data set hold more than"},
		"packed bomb":  {zipOf(t, bombed), "TOY_node_labels.txt: the files of the data set hold more than"},
		"lying bomb":   {lyingBomb(t), "the file is damaged, get it again"},
		"missing":      {zipOf(t, map[string]string{"X_A.txt": "1, 2"}), "X_graph_indicator.txt is missing"},
		"cut in the index": {
			append(bytes.Clone(good[:len(good)-60]), good[len(good)-30:]...), "not a zip archive",
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "bad.zip")
			require.NoError(t, os.WriteFile(path, c.data, 0o644))
			_, err := Open(path)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, path)
		})
	}
	_, err := Open(filepath.Join(t.TempDir(), "absent.zip"))
	require.ErrorContains(t, err, "give the path of its zip archive or folder")
	_, err = Open(t.TempDir())
	require.ErrorContains(t, err, "no file name ends in _A.txt")
	large := filepath.Join(t.TempDir(), "large.zip")
	require.NoError(t, os.WriteFile(large, nil, 0o644))
	require.NoError(t, os.Truncate(large, maxBytes+1)) // a hole: it takes no room on the disk
	_, err = Open(large)
	require.ErrorContains(t, err, "are more than the 1073741824 that a data set may have")
}

// bomb returns an archive whose TOY_A.txt declares the given size.
func bomb(t *testing.T, size uint64) []byte {
	t.Helper()
	var buffer bytes.Buffer
	w := zip.NewWriter(&buffer)
	header := &zip.FileHeader{
		Name: "TOY_A.txt", Method: zip.Store, UncompressedSize64: size, CompressedSize64: 4,
		CRC32: crc32.ChecksumIEEE([]byte("1, 2")),
	}
	member, err := w.CreateRaw(header)
	require.NoError(t, err)
	_, err = io.WriteString(member, "1, 2")
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return buffer.Bytes()
}

// lyingBomb returns an archive whose TOY_A.txt unpacks to more than it declares.
func lyingBomb(t *testing.T) []byte {
	t.Helper()
	set := toy()
	set["A"] = strings.Repeat("1, 2\n", 1<<16)
	data := zipOf(t, named(set, "TOY_%s.txt"))
	// The first of the index, which has the size at byte 24.
	at := bytes.Index(data, []byte("PK\x01\x02"))
	copy(data[at+24:], []byte{4, 0, 0, 0})
	return data
}

// TestLimitIsOnActualBytes reads members that hold more than they declare, or cannot be opened.
func TestLimitIsOnActualBytes(t *testing.T) {
	endless := member{base: "TOY_A.txt", size: 4, open: func() (io.ReadCloser, error) {
		return io.NopCloser(newlines{}), nil
	}}
	read := func(m member) error {
		f := &files{members: map[string]member{"A": m}}
		_, _, err := readRows(f, "A", parseInteger, bounded[int])
		return err
	}
	require.ErrorContains(t, read(endless), "TOY_A.txt, line 1: it holds more bytes than it declares")
	_, err := filesOf([]member{{base: "TOY_A.txt", size: 1 << 40, open: endless.open}}, maxBytes)
	require.ErrorContains(t, err, "hold more than")
	gone := func() (io.ReadCloser, error) { return nil, fmt.Errorf("gone") }
	require.ErrorContains(t, read(member{base: "x", open: gone}), "x: gone")
}

// newlines is an endless file of empty lines.
type newlines struct{}

func (newlines) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '\n'
	}
	return len(p), nil
}
