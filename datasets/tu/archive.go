package tu

import (
	"errors"
	"fmt"
	"os"

	"github.com/neuralkforms/nkf/datasets"
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
	var a *Archive
	switch {
	case info.IsDir():
		a, err = openFolder(path)
	case info.Mode().IsRegular():
		a, err = openZip(path)
	default: // a pipe or a device may have no end
		err = errors.New("neither a zip archive nor a folder")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return a, nil
}

// openFolder reads the data set in a folder.
func openFolder(path string) (*Archive, error) {
	files, err := readFolder(path)
	if err != nil {
		return nil, err
	}
	return parse(files)
}

// openZip reads the data set in a zip archive.
func openZip(path string) (*Archive, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	files, err := readZip(file, info.Size())
	if err != nil {
		return nil, err
	}
	return parse(files)
}

// parse makes an archive of the files of a data set.
//
// How many graphs and nodes there are is known before what is told of them is kept: memory is for what fits
// together.
func parse(f *files) (*Archive, error) {
	a := &Archive{Name: datasets.Printable(f.name), SHA256: f.sha256}
	labels, err := countGraphs(f, "graph_labels", parseInteger)
	if err != nil {
		return nil, err
	}
	attributes, err := countGraphs(f, "graph_attributes", parseReal)
	if err != nil {
		return nil, err
	}
	graphs := labels
	if labels == 0 {
		graphs = attributes
	}
	last, err := a.readNodes(f, graphs)
	if err != nil {
		return nil, err
	}
	if last < labels && attributes == 0 {
		return nil, fmt.Errorf("%s has %d lines, but the last node in %s is of graph %d: lines are there "+
			"twice, or nodes are missing; leave out graphs without nodes at the end", f.file("graph_labels"),
			labels, f.file("graph_indicator"), last)
	}
	table, err := readTable(f, "graph_labels", all("graphs", graphs), parseInteger)
	if err != nil {
		return nil, err
	}
	a.GraphLabels = table.Values
	a.GraphAttributes, err = readTable(f, "graph_attributes", all("graphs", graphs), parseReal)
	if err != nil {
		return nil, err
	}
	a.NodeLabels, err = readTable(f, "node_labels", all("nodes", a.Nodes()), parseInteger)
	if err != nil {
		return nil, err
	}
	a.NodeAttributes, err = readTable(f, "node_attributes", all("nodes", a.Nodes()), parseReal)
	if err != nil {
		return nil, err
	}
	return a, a.readEdges(f)
}

// countGraphs returns the number of lines of a file that has one of each graph, 0 if there is none. Of labels
// there may be one a line.
func countGraphs[T any](f *files, kind string, parse func([]byte) (T, error)) (int, error) {
	rows, columns, err := readRows(f, kind, parse, func(row int, _ []T) error {
		if row == maxCount {
			return fmt.Errorf("%s has more than %d lines, the most that are read", f.file(kind), maxCount)
		}
		return nil
	})
	if err == nil && kind == "graph_labels" && columns > 1 {
		err = fmt.Errorf("%s has %d labels a line: keep the one to learn", f.file(kind), columns)
	}
	return rows, err
}

// readNodes sets NodeStart from DS_graph_indicator.txt and returns the last graph with a node, from 1.
//
// Without a file that tells the number of graphs (graphs is 0), every graph must have a node.
func (a *Archive) readNodes(f *files, graphs int) (last int, err error) {
	t, err := f.text("graph_indicator")
	if err != nil {
		return 0, err
	}
	defer t.close()
	a.NodeStart = []int32{0}
	nodes := 0
	for ; t.next(); nodes++ {
		g, err := t.integer()
		if err != nil {
			return 0, err
		}
		switch {
		case t.more:
			return 0, t.fail("more than one value: a line holds the graph of a node, nothing else")
		case g < 1:
			return 0, t.fail("graph %d, but graphs are numbered from 1", g)
		case graphs > 0 && g > graphs:
			return 0, t.fail("graph %d, but graphs are numbered 1 to %d: check that this file and %s "+
				"belong together", g, graphs, f.file("graph_labels"))
		case g < last:
			return 0, t.fail("graph %d after graph %d: the nodes of a graph must follow each other; sort "+
				"the nodes by graph and renumber them in %s", g, last, f.file("A"))
		case graphs == 0 && g > last+1:
			return 0, t.fail("graph %d after graph %d: without %s no graph may be left out", g, last,
				f.file("graph_labels"))
		case nodes == maxCount:
			return 0, t.fail("more than %d nodes, the most that are read", maxCount)
		}
		for ; last < g; last++ {
			a.NodeStart = append(a.NodeStart, int32(nodes))
		}
		a.NodeStart[last] = int32(nodes + 1)
	}
	if t.err == nil && nodes == 0 {
		t.err = t.empty()
	}
	for len(a.NodeStart) <= graphs {
		a.NodeStart = append(a.NodeStart, int32(nodes))
	}
	return last, t.err
}
