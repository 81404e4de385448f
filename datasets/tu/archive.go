package tu

import (
	"errors"
	"fmt"
	"os"
)

// Archive is a data set as its files hold it, graph after graph.
type Archive struct {
	Name      string  // DS of the file names DS_A.txt and so on
	SHA256    string  // of the zip archive; of the names and contents of the files in a folder; hexadecimal
	NodeStart []int32 // [G+1]: graph g has the nodes NodeStart[g] to NodeStart[g+1]
	EdgeStart []int32 // [G+1]: graph g has the edges EdgeStart[g] to EdgeStart[g+1]
	Edges     []int32 // [E, 2]: node numbers within the graph, the smaller first, lexicographic, each once

	GraphLabels     []int // [G], nil without DS_graph_labels.txt
	GraphAttributes Table[float64]
	NodeLabels      Table[int]
	NodeAttributes  Table[float64]
	EdgeLabels      Table[int]     // rows as in Edges
	EdgeAttributes  Table[float64] // rows as in Edges

	SelfLoops int // lines of DS_A.txt that join a node to itself: dropped
	Repeated  int // lines of DS_A.txt beyond the first for their edge, other direction included: dropped
}

// Table holds one row of numbers per graph, node or edge; it has no columns where the data set has no such
// file.
type Table[T any] struct {
	Columns int
	Values  []T // [rows, Columns]
}

// Row returns the numbers of graph, node or edge i.
func (t Table[T]) Row(i int) []T { return t.Values[i*t.Columns : (i+1)*t.Columns] }

// rows returns the number of rows, 0 without columns.
func (t Table[T]) rows() int { return len(t.Values) / max(1, t.Columns) }

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
	var files *files
	switch {
	case info.IsDir():
		files, err = readFolder(path)
	case info.Mode().IsRegular():
		files, err = readZipFile(path, info.Size())
	default: // a pipe or a device may have no end
		err = errors.New("neither a zip archive nor a folder")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	a, err := parse(files)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return a, nil
}

// parse makes an archive of the files of a data set.
func parse(f *files) (*Archive, error) {
	a := &Archive{Name: f.name, SHA256: f.sha256}
	var err error
	if a.GraphLabels, err = readGraphLabels(f); err != nil {
		return nil, err
	}
	if a.GraphAttributes, err = readTable(f, "graph_attributes", parseReal); err != nil {
		return nil, err
	}
	graphs := len(a.GraphLabels)
	if graphs == 0 {
		graphs = a.GraphAttributes.rows()
	}
	if err := f.count("graph_attributes", a.GraphAttributes.rows(), graphs, "graphs"); err != nil {
		return nil, err
	}
	graphOf, err := a.readNodes(f, graphs)
	if err != nil {
		return nil, err
	}
	if a.NodeLabels, err = readTable(f, "node_labels", parseInteger); err != nil {
		return nil, err
	}
	if err := f.count("node_labels", a.NodeLabels.rows(), len(graphOf), "nodes"); err != nil {
		return nil, err
	}
	if a.NodeAttributes, err = readTable(f, "node_attributes", parseReal); err != nil {
		return nil, err
	}
	if err := f.count("node_attributes", a.NodeAttributes.rows(), len(graphOf), "nodes"); err != nil {
		return nil, err
	}
	return a, a.readEdges(f, graphOf)
}

// readGraphLabels returns the numbers in DS_graph_labels.txt, nil if there is no such file.
func readGraphLabels(f *files) ([]int, error) {
	labels, err := readTable(f, "graph_labels", parseInteger)
	if err != nil {
		return nil, err
	}
	if labels.Columns > 1 {
		return nil, fmt.Errorf("%s has %d labels a line: keep the one to learn",
			f.file("graph_labels"), labels.Columns)
	}
	return labels.Values, nil
}

// readNodes sets NodeStart from DS_graph_indicator.txt and returns the graph of every node, from 0.
//
// Without a file that tells the number of graphs (graphs is 0), every graph must have a node.
func (a *Archive) readNodes(f *files, graphs int) (graphOf []int32, err error) {
	t, err := f.text("graph_indicator")
	if err != nil {
		return nil, err
	}
	last := 0
	for t.next() {
		g, err := t.integer()
		if err != nil {
			return nil, err
		}
		switch {
		case t.more:
			return nil, t.fail("more than one value: a line holds the graph of a node, nothing else")
		case g < 1:
			return nil, t.fail("graph %d, but graphs are numbered from 1", g)
		case graphs > 0 && g > graphs:
			return nil, t.fail("graph %d, but graphs are numbered 1 to %d: check that this file and %s "+
				"belong together", g, graphs, f.file("graph_labels"))
		case g < last:
			return nil, t.fail("graph %d after graph %d: the nodes of a graph must follow each other; sort "+
				"the nodes by graph and renumber them in %s", g, last, f.file("A"))
		case graphs == 0 && g > last+1:
			return nil, t.fail("graph %d after graph %d: without %s no graph may be left out", g, last,
				f.file("graph_labels"))
		}
		last = g
		graphOf = append(graphOf, int32(g-1))
	}
	if len(graphOf) == 0 {
		return nil, t.empty()
	}
	a.NodeStart = make([]int32, max(graphs, last)+1)
	for _, g := range graphOf {
		a.NodeStart[g+1]++
	}
	for g := range len(a.NodeStart) - 1 {
		a.NodeStart[g+1] += a.NodeStart[g]
	}
	return graphOf, nil
}
