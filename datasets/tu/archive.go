package tu

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/dustin/go-humanize/english"

	"github.com/neuralkforms/nkf/datasets"
)

// Archive is a data set as its files hold it, graph after graph.
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

// archive parses the files that were found at a place unless these have an error.
func archive(place string, f *files, err error) (a *Archive, _ error) {
	if err == nil {
		a, err = parse(f)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", place, err)
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
	if labels > 0 && attributes > 0 && labels != attributes {
		return nil, fmt.Errorf("%s has %s for %d graphs: one of the files is cut off or of another data set",
			f.file("graph_attributes"), english.Plural(attributes, "line", ""), labels)
	}
	table, err := readTable(f, "graph_labels", "graphs", graphs, parseInteger)
	if err != nil {
		return nil, err
	}
	a.GraphLabels = table.Values
	if a.NodeLabels, err = readTable(f, "node_labels", "nodes", a.Nodes(), parseInteger); err != nil {
		return nil, err
	}
	if a.NodeAttributes, err = readTable(f, "node_attributes", "nodes", a.Nodes(), parseReal); err != nil {
		return nil, err
	}
	return a, a.readEdges(f)
}

// countGraphs returns the number of lines of a file that has one for each graph, 0 if there is none. A line
// of labels may have one only.
func countGraphs[T any](f *files, kind string, parse func([]byte) (T, error)) (int, error) {
	rows, columns, err := readRows(f, kind, parse, func(_ *text, row int, _ []T) error {
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
// Where no file gives the number of graphs (graphs is 0), every graph must have a node.
func (a *Archive) readNodes(f *files, graphs int) (last int, err error) {
	a.NodeStart = []int32{0}
	nodes, _, err := readRows(f, "graph_indicator", parseInteger, func(t *text, node int,
		values []int) error {
		g := values[0]
		switch {
		case len(values) > 1:
			return t.fail("%d values: a line holds the graph of a node, nothing else", len(values))
		case g < 1:
			return t.fail("graph %d, but graphs are numbered from 1", g)
		case graphs > 0 && g > graphs:
			return t.fail("graph %d, but graphs are numbered 1 to %d: check that this file and %s belong "+
				"together", g, graphs, f.file("graph_labels"))
		case g < last:
			return t.fail("graph %d after graph %d: the nodes of a graph must follow each other; sort the "+
				"nodes by graph and renumber them in %s", g, last, f.file("A"))
		case graphs == 0 && g > last+1:
			return t.fail("graph %d after graph %d: without %s no graph may be left out", g, last,
				f.file("graph_labels"))
		case node == maxCount:
			return t.fail("more than %d nodes, the most that are read", maxCount)
		}
		for ; last < g; last++ {
			a.NodeStart = append(a.NodeStart, int32(node))
		}
		a.NodeStart[last] = int32(node + 1)
		return nil
	})
	for len(a.NodeStart) <= graphs {
		a.NodeStart = append(a.NodeStart, int32(nodes))
	}
	return last, err
}
