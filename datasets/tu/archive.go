package tu

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"sort"

	"github.com/dustin/go-humanize/english"

	"github.com/neuralkforms/nkf/datasets"
)

// Archive is the contents of the files of a data set, graph by graph.
type Archive struct {
	Name      string  // DS of the file names DS_A.txt and so on
	SHA256    string  // of the zip archive; of the names and contents of the files in a folder; hexadecimal
	NodeStart []int32 // [G+1]: graph g has the nodes NodeStart[g] to NodeStart[g+1]
	EdgeStart []int32 // [G+1]: graph g has the edges EdgeStart[g] to EdgeStart[g+1]
	Edges     []int32 // [E, 2]: node numbers within the graph, the smaller first, lexicographic, each once

	GraphLabels    []int // [G], nil without DS_graph_labels.txt
	NodeLabels     Table[int]
	NodeAttributes Table[float64]
}

// Graphs returns the number of graphs.
func (a *Archive) Graphs() int { return len(a.NodeStart) - 1 }

// Nodes returns the number of nodes of all graphs together.
func (a *Archive) Nodes() int { return int(a.NodeStart[a.Graphs()]) }

// Open reads the data set in a zip archive or a folder.
//
// The error of a damaged data set names the file and the line.
func Open(path string) (*Archive, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("open a TU data set: %w: give the path of its zip archive or folder", err)
	}
	var f *files
	switch {
	case info.IsDir():
		f, err = readFolder(path)
	case info.Mode().IsRegular():
		var file *os.File
		if file, err = os.Open(path); err == nil {
			defer file.Close()
			f, err = readZip(file, info.Size())
		}
	default: // a pipe or a device may have no end
		err = errors.New("neither a zip archive nor a folder")
	}
	return archive(path, f, err)
}

// Read reads the data set in a zip archive.
func Read(file datasets.File) (*Archive, error) {
	f, err := readZip(bytes.NewReader(file.Bytes), int64(len(file.Bytes)))
	return archive(file.Name, f, err)
}

// archive parses the files that were found at a path unless these have an error.
func archive(path string, f *files, err error) (a *Archive, _ error) {
	if err == nil {
		a, err = parse(f)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return a, nil
}

// parse makes an archive of the files of a data set. Graphs and nodes are counted before anything is kept of
// them, so that memory is taken only for files that fit together.
func parse(f *files) (*Archive, error) {
	for _, kind := range kinds[:2] {
		if _, ok := f.members[kind]; !ok {
			return nil, fmt.Errorf("%s is missing: a data set needs it", f.file(kind))
		}
	}
	a := &Archive{Name: datasets.Printable(f.name), SHA256: f.sha256}
	graphs, err := countGraphs(f)
	if err != nil {
		return nil, err
	}
	if err := a.readNodes(f, graphs); err != nil {
		return nil, err
	}
	labels, err := readTable(f, "graph_labels", "graphs", graphs, parseInteger)
	if err != nil {
		return nil, err
	}
	a.GraphLabels = labels.Values
	if a.NodeLabels, err = readTable(f, "node_labels", "nodes", a.Nodes(), parseInteger); err != nil {
		return nil, err
	}
	if a.NodeAttributes, err = readTable(f, "node_attributes", "nodes", a.Nodes(), parseReal); err != nil {
		return nil, err
	}
	return a, a.readEdges(f)
}

// countGraphs returns the number of graphs by their labels or attributes, 0 if there are neither.
func countGraphs(f *files) (int, error) {
	labels, columns, err := readRows(f, "graph_labels", parseInteger, bounded[int])
	if err != nil {
		return 0, err
	}
	if columns > 1 {
		return 0, fmt.Errorf("%s has %d labels a line: keep the one to learn", f.file("graph_labels"),
			columns)
	}
	attributes, _, err := readRows(f, "graph_attributes", parseReal, bounded[float64])
	if err == nil && labels > 0 && attributes > 0 && labels != attributes {
		err = fmt.Errorf("%s has %s for %d graphs: one of the files is cut off or of another data set",
			f.file("graph_attributes"), english.Plural(attributes, "line", ""), labels)
	}
	return max(labels, attributes), err
}

// bounded returns an error for more lines than there may be graphs, nodes or edges.
func bounded[T any](p *place, row int, _ []T) error {
	if row == maxCount {
		return p.fail("more than %d lines, the most that are read", maxCount)
	}
	return nil
}

// readNodes sets NodeStart from DS_graph_indicator.txt.
//
// Where no file gives the number of graphs (graphs is 0), every graph must have a node. Where one does, the
// last must have one: another file that is as long as it should be tells lines that are there twice.
func (a *Archive) readNodes(f *files, graphs int) error {
	a.NodeStart = []int32{0}
	last := 0 // graph with a node, from 1
	nodes, _, err := readRows(f, "graph_indicator", parseInteger, func(p *place, node int,
		values []int) error {
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
			a.NodeStart = append(a.NodeStart, int32(node))
		}
		a.NodeStart[last] = int32(node + 1)
		return bounded(p, node, values)
	})
	if _, ok := f.members["graph_attributes"]; err == nil && last < graphs && !ok {
		return fmt.Errorf("%s has %d lines, but the last node in %s is of graph %d: lines are there "+
			"twice, or nodes are missing; leave out graphs without nodes at the end", f.file("graph_labels"),
			graphs, f.file("graph_indicator"), last)
	}
	for len(a.NodeStart) <= graphs {
		a.NodeStart = append(a.NodeStart, int32(nodes))
	}
	return err
}

// edge joins two nodes, numbered over all graphs from 0, the smaller first.
type edge struct{ from, to int32 }

// unite sorts edges and keeps each once.
func unite(edges []edge) []edge {
	slices.SortFunc(edges, func(e, o edge) int {
		return cmp.Or(cmp.Compare(e.from, o.from), cmp.Compare(e.to, o.to))
	})
	return slices.Compact(edges)
}

// readEdges sets Edges and EdgeStart from DS_A.txt.
func (a *Archive) readEdges(f *files) error {
	edges, err := a.listEdges(f)
	a.EdgeStart = make([]int32, 1, a.Graphs()+1)
	a.Edges = make([]int32, 0, 2*len(edges))
	for g := range a.Graphs() {
		for at := len(a.Edges) / 2; at < len(edges) && edges[at].from < a.NodeStart[g+1]; at++ {
			a.Edges = append(a.Edges, edges[at].from-a.NodeStart[g], edges[at].to-a.NodeStart[g])
		}
		a.EdgeStart = append(a.EdgeStart, int32(len(a.Edges)/2))
	}
	return err
}

// listEdges returns the edges in DS_A.txt, each once, without self-loops. Memory grows with the number of
// distinct edges alone.
func (a *Archive) listEdges(f *files) (edges []edge, err error) {
	nodes, graph := a.Nodes(), 0
	// Lines of a graph mostly follow each other.
	graphOf := func(node int) int {
		if v := int32(node - 1); v < a.NodeStart[graph] || v >= a.NodeStart[graph+1] {
			graph = sort.Search(a.Graphs(), func(g int) bool { return v < a.NodeStart[g+1] })
		}
		return graph
	}
	_, _, err = readRows(f, "A", parseInteger, func(p *place, _ int, values []int) error {
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
		if u == v {
			return nil
		}
		if len(edges) == cap(edges) {
			if edges = unite(edges); len(edges) > maxCount {
				return p.fail("more than %d edges, the most that are read", maxCount)
			}
			if 2*len(edges) >= cap(edges) {
				edges = slices.Grow(edges, max(1<<12, cap(edges)))
			}
		}
		edges = append(edges, edge{int32(u - 1), int32(v - 1)})
		return nil
	})
	return unite(edges), err
}
