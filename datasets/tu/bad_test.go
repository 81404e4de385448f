package tu

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
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
		{"graph_indicator", "\n\n", "TOY_graph_indicator.txt is empty"},
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
		{"node_attributes", "1e40, 2\n", `"1e40" is not a finite number of single precision: replace it`},
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

// TestBadArchives opens archives that are damaged as archives, or unpack to more than they may.
func TestBadArchives(t *testing.T) {
	with := func(name, content string) []byte {
		members := named(toy(), "TOY_%s.txt")
		members[name] = content
		return zipOf(t, members)
	}
	good := zipOf(t, named(toy(), "TOY_%s.txt"))
	tampered, bomb := bytes.Clone(good), bytes.Clone(good)
	lying := with("TOY_A.txt", strings.Repeat("1, 2\n", 1<<16))
	tampered[bytes.Index(good, []byte("TOY_A.txt"))+len("TOY_A.txt")+3] ^= 0xff
	// Byte 24 of the first file in the index is its size.
	copy(lying[bytes.Index(lying, []byte("PK\x01\x02"))+24:], []byte{4, 0, 0, 0})
	copy(bomb[bytes.Index(bomb, []byte("PK\x01\x02"))+24:], []byte{0, 0, 0, 0x50})
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":        {nil, "not a zip archive"},
		"cut off":      {good[:len(good)/2], "not a zip archive"},
		"text":         {[]byte("<html>404</html>"), "download it again"},
		"tampered":     {tampered, "TOY_A.txt: zip: checksum error: the file is damaged, get it again"},
		"other format": {zipOf(t, map[string]string{"data.csv": "1"}), "no file name ends in _A.txt"},
		"two sets":     {with("OTHER_A.txt", "1, 2\n"), "two data sets, OTHER and TOY: keep one"},
		"twice":        {with("sub/TOY_A.txt", "1, 2\n"), "TOY_A.txt is there twice: keep one"},
		"bomb":         {bomb, "the files of the data set hold more than"},
		"packed bomb":  {with("TOY_node_labels.txt", strings.Repeat("1\n", 10<<20)), "hold more than 1"},
		"lying bomb":   {lying, "the file is damaged, get it again"},
		"missing":      {zipOf(t, map[string]string{"X_A.txt": "1, 2"}), "X_graph_indicator.txt is missing"},
		"cut in the index": {
			append(bytes.Clone(good[:len(good)-60]), good[len(good)-30:]...), "not a zip archive",
		},
	} {
		_, err := Read(datasets.File{Name: "bad.zip", Bytes: c.data})
		require.ErrorContains(t, err, c.want, name)
		require.ErrorContains(t, err, "bad.zip: ")
	}
	_, err := Open(filepath.Join(t.TempDir(), "absent.zip"))
	require.ErrorContains(t, err, "give the path of its zip archive or folder")
	_, err = Open("doc.go")
	require.ErrorContains(t, err, "doc.go: not a zip archive")
}

// TestBounds: lines, graphs and nodes are bounded, and whatever is past a bound is an error.
func TestBounds(t *testing.T) {
	set := toy()
	set["node_attributes"] = strings.Repeat("1,", maxLine/2+1)
	_, err := openFiles(t, set, "TOY_%s.txt")
	require.ErrorContains(t, err, "line 1: more than 4194304 bytes in a line")
	f := &files{FS: fstest.MapFS{"x": {Data: []byte("1,2\n\n3,4\n")}}, name: "x", left: 4,
		paths: map[string]string{"node_labels": "x"}, bounds: bounds{lines: 1}}
	_, err = readTable(f, "node_labels", parseInteger)
	require.ErrorContains(t, err, "x_node_labels.txt, line 3: more than 1 lines, the most that are read")
	f.left, f.lines = 3, 2
	_, err = readTable(f, "node_labels", parseInteger)
	require.ErrorContains(t, err, "line 3: more than 134217728 labels and attributes")
}
