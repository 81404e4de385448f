package tu

import (
	"archive/zip"
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sort"

	"github.com/dustin/go-humanize/english"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/fileio"
)

// Archive is the contents of the files of a data set, graph by graph.
type Archive struct {
	name        string // DS of the file names DS_A.txt and so on
	GraphLabels []int  // [G], nil without DS_graph_labels.txt

	sha256    string  // of the zip archive; of the names and contents of the files in a folder; hexadecimal
	nodeStart []int32 // [G+1]: graph g has the nodes nodeStart[g] to nodeStart[g+1]
	edgeStart []int32 // [G+1]: graph g has the edges edgeStart[g] to edgeStart[g+1]
	edges     []int32 // [E, 2]: node numbers within the graph, the smaller first, lexicographic, each once

	graphAttributes table[float64] // the targets without labels
	nodeLabels      table[int]
	nodeAttributes  table[float64]
}

// Len returns the number of graphs.
func (a *Archive) Len() int { return len(a.nodeStart) - 1 }

// nodes returns the number of nodes of all graphs together.
func (a *Archive) nodes() int { return int(a.nodeStart[a.Len()]) }

// Open reads the data set in a zip archive or a folder.
//
// The error of a damaged data set names the file and the line.
func Open(path string) (*Archive, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("open a TU data set: %w: give the path of its zip archive or folder", err)
	}
	if info.IsDir() {
		return read(path, fileio.DirFS(path), "")
	}
	sha256, err := fileio.SHA256(path)
	if err != nil {
		return nil, err
	}
	file, err := fileio.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	archive, err := zip.NewReader(file, info.Size())
	if err != nil {
		return nil, notZip(path, err)
	}
	return read(path, archive, sha256)
}

// Read reads the data set in a zip archive.
func Read(file datasets.File) (*Archive, error) {
	archive, err := zip.NewReader(bytes.NewReader(file.Bytes), int64(len(file.Bytes)))
	if err != nil {
		return nil, notZip(file.Name, err)
	}
	return read(file.Name, archive, file.SHA256)
}

func notZip(path string, err error) error {
	return fmt.Errorf("%s: not a zip archive, or a truncated one (%w): download it again", path, err)
}

// read reads the data set at a path. Without a checksum it takes that of the files.
func read(path string, from fs.FS, sha256 string) (a *Archive, err error) {
	f, err := find(from)
	if err == nil {
		a, err = parse(f)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if a.sha256 = sha256; sha256 == "" {
		a.sha256 = f.sums.SHA256()
	}
	return a, nil
}

// parse makes an archive of the files of a data set.
func parse(f *files) (*Archive, error) {
	for _, kind := range kinds[:2] {
		if f.paths[kind] == "" {
			return nil, fmt.Errorf("%s is missing: a data set needs it", f.file(kind))
		}
	}
	a := &Archive{name: fileio.Printable(f.name)}
	graphs, err := a.readLabels(f)
	if err != nil {
		return nil, err
	}
	if err := a.readNodes(f, graphs); err != nil {
		return nil, err
	}
	if a.nodeLabels, err = readTable(f, "node_labels", a.nodes(), parseInteger); err != nil {
		return nil, err
	}
	if a.nodeAttributes, err = readTable(f, "node_attributes", a.nodes(), parseReal); err != nil {
		return nil, err
	}
	return a, a.readEdges(f)
}

// readLabels sets GraphLabels and returns the number of graphs by their labels or attributes, 0 if there are
// neither.
func (a *Archive) readLabels(f *files) (int, error) {
	labels, err := readTable(f, "graph_labels", -1, parseInteger)
	if err != nil {
		return 0, err
	}
	if labels.columns > 1 {
		return 0, fmt.Errorf("%s has %d labels a line: keep the one to learn", f.file("graph_labels"),
			labels.columns)
	}
	a.GraphLabels = labels.values
	if a.graphAttributes, err = readTable(f, "graph_attributes", -1, parseReal); err != nil {
		return 0, err
	}
	count := len(a.graphAttributes.values) / max(1, a.graphAttributes.columns)
	if labels.values != nil && count > 0 && len(labels.values) != count {
		err = fmt.Errorf("%s has %s for %d graphs: one of the files is cut off or of another data set",
			f.file("graph_attributes"), english.Plural(count, "line", ""), len(labels.values))
	}
	return max(len(labels.values), count), err
}

// bounded returns an error for more lines than there may be graphs, nodes or edges.
func bounded[T any](p place, row int, _ []T) error {
	if row == maxCount {
		return p.fail("more than %d lines, the most that are read", maxCount)
	}
	return nil
}

// readNodes sets nodeStart from DS_graph_indicator.txt.
//
// Where no file gives the number of graphs (graphs is 0), every graph must have a node. Where one does, the
// last must have one: another file that is as long as it should be tells lines that are there twice.
func (a *Archive) readNodes(f *files, graphs int) error {
	a.nodeStart = []int32{0}
	last := 0 // graph with a node, from 1
	nodes, err := readRows(f, "graph_indicator", parseInteger, func(p place, node int, values []int) error {
		g := values[0]
		switch {
		case len(values) > 1:
			return p.fail("%d values: a line holds the graph of a node, nothing else", len(values))
		case g < 1:
			return p.fail("graph %d, but graphs are numbered from 1", g)
		case graphs > 0 && g > graphs:
			return p.fail("graph %d, but graphs are numbered 1 to %d: check that this file and %s belong "+
				"together", g, graphs, f.file("graph_labels"))
		case g < last:
			return p.fail("graph %d after graph %d: the nodes of a graph must follow each other; sort the "+
				"nodes by graph and renumber them in %s", g, last, f.file("A"))
		case graphs == 0 && g > last+1:
			return p.fail("graph %d after graph %d: without %s no graph may be left out", g, last,
				f.file("graph_labels"))
		}
		for ; last < g; last++ {
			a.nodeStart = append(a.nodeStart, int32(node))
		}
		a.nodeStart[last] = int32(node + 1)
		return bounded(p, node, values)
	})
	if err == nil && last < graphs && f.paths["graph_attributes"] == "" {
		return fmt.Errorf("%s has %d lines, but the last node in %s is of graph %d: lines are there "+
			"twice, or nodes are missing; leave out graphs without nodes at the end", f.file("graph_labels"),
			graphs, f.file("graph_indicator"), last)
	}
	for len(a.nodeStart) <= graphs {
		a.nodeStart = append(a.nodeStart, int32(nodes))
	}
	return err
}

// edge joins two nodes, numbered over all graphs from 0, the smaller first.
type edge struct{ from, to int32 }

// readEdges sets edges and edgeStart from DS_A.txt.
func (a *Archive) readEdges(f *files) error {
	edges, err := a.listEdges(f)
	a.edgeStart = make([]int32, 1, a.Len()+1)
	a.edges = make([]int32, 0, 2*len(edges))
	for g := range a.Len() {
		for at := len(a.edges) / 2; at < len(edges) && edges[at].from < a.nodeStart[g+1]; at++ {
			a.edges = append(a.edges, edges[at].from-a.nodeStart[g], edges[at].to-a.nodeStart[g])
		}
		a.edgeStart = append(a.edgeStart, int32(len(a.edges)/2))
	}
	return err
}

// listEdges returns the edges in DS_A.txt, each once, without self-loops.
func (a *Archive) listEdges(f *files) (edges []edge, err error) {
	nodes, graph := a.nodes(), 0
	// Lines of a graph mostly follow each other.
	graphOf := func(node int) int {
		if v := int32(node - 1); v < a.nodeStart[graph] || v >= a.nodeStart[graph+1] {
			graph = sort.Search(a.Len(), func(g int) bool { return v < a.nodeStart[g+1] })
		}
		return graph
	}
	_, err = readRows(f, "A", parseInteger, func(p place, _ int, values []int) error {
		if len(values) != 2 {
			return p.fail("%s: a line holds the two nodes of an edge, separated by a comma",
				english.Plural(len(values), "value", ""))
		}
		for _, node := range values {
			if node < 1 || node > nodes {
				return p.fail("node %d, but nodes are numbered 1 to %d: check that this file and %s belong "+
					"together", node, nodes, f.file("graph_indicator"))
			}
		}
		u, v := min(values[0], values[1]), max(values[0], values[1])
		if g, h := graphOf(u), graphOf(v); g != h {
			return p.fail("an edge from node %d in graph %d to node %d in graph %d: remove it or correct %s",
				u, g+1, v, h+1, f.file("graph_indicator"))
		}
		if u != v {
			edges = append(edges, edge{int32(u - 1), int32(v - 1)})
		}
		return nil
	})
	slices.SortFunc(edges, func(e, o edge) int {
		return cmp.Or(cmp.Compare(e.from, o.from), cmp.Compare(e.to, o.to))
	})
	return slices.Compact(edges), err
}
