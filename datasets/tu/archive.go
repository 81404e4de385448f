package tu

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"

	"github.com/dustin/go-humanize/english"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/fileio"
)

// Archive is the contents of the files of a data set, graph by graph.
type Archive struct {
	name        string // DS of the file names DS_A.txt and so on
	first       int    // number of the first graph in its data set
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
	var a *Archive
	err := within(path, func(from fs.FS, packed bool) (err error) {
		sum := ""
		if packed {
			sum, err = fileio.SHA256(path)
		}
		if err == nil {
			a, err = read(path, from, sum)
		}
		return err
	})
	return a, err
}

// within calls do with the files in a folder or a zip archive, where they are packed.
func within(path string, do func(files fs.FS, packed bool) error) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("open a TU data set: %w: give the path of its zip archive or folder", err)
	}
	if info.IsDir() {
		return do(fileio.DirFS(path), false)
	}
	file, err := fileio.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	archive, err := zip.NewReader(file, info.Size())
	if err != nil {
		return notZip(path, err)
	}
	return do(archive, true)
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
	f, err := find(from, bounds{maxBytes, maxCount})
	if err == nil {
		_, err = f.each(everything, func(all *Archive, _ float64) error {
			a = all
			return nil
		})
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if a.sha256 = sha256; sha256 == "" {
		a.sha256 = f.sums.SHA256()
	}
	return a, nil
}

// Each calls do with the graphs of the data set at a path, in parts of some thousands, and with the share of
// all graphs that are in the parts so far. It returns notes on the files. For predictions, a data set may be
// of any size, of which labels and attributes of graphs are held in memory, and edges unless they stand in
// the order of the graphs. [Archive.Row] counts the graphs of all parts.
func Each(path string, do func(part *Archive, share float64) error) (notes []string, err error) {
	var failed error // of do, which is none of the data set
	err = within(path, func(from fs.FS, _ bool) error {
		f, err := find(from, bounds{math.MaxInt64, math.MaxInt32})
		if err == nil {
			notes, err = f.each(partSize, func(part *Archive, share float64) error {
				failed = do(part, share)
				return failed
			})
		}
		if err != nil && failed == nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
		return err
	})
	return notes, err
}

// size bounds a part of a data set: the least number of graphs and of nodes that end it. Fewer graphs than
// few are no part of their own.
type size struct{ graphs, nodes, few int }

var (
	everything = size{math.MaxInt, math.MaxInt, 0}
	partSize   = size{4096, 1 << 18, 256}
)

// each calls do with the parts of a data set, and with the share of the graphs that are in those so far.
func (f *files) each(most size, do func(part *Archive, share float64) error) (notes []string, err error) {
	all, err := f.outline()
	if err != nil {
		return nil, err
	}
	edges := &edgeReader{rows: open(f, "A", parseInteger), all: all}
	if all.end(0, most) < all.Len() {
		if notes, err = edges.arrange(); err != nil {
			return nil, err
		}
	}
	labels := open(f, "node_labels", parseInteger)
	attributes := open(f, "node_attributes", parseReal)
	defer labels.free()
	defer attributes.free()
	defer func() { edges.rows.free() }()
	for from, to := 0, 0; from < all.Len(); from = to {
		to = all.end(from, most)
		part := all.part(from, to)
		f.left = maxValues
		if part.nodeLabels, err = labels.ofNodes(part.nodes(), all.nodes()); err != nil {
			return nil, err
		}
		if part.nodeAttributes, err = attributes.ofNodes(part.nodes(), all.nodes()); err != nil {
			return nil, err
		}
		if err := edges.of(part); err != nil {
			return nil, err
		}
		if err := do(part, float64(to)/float64(all.Len())); err != nil {
			return nil, err
		}
	}
	return notes, nil
}

// outline returns an archive with what is known of each graph: its label or attributes and its nodes.
func (f *files) outline() (*Archive, error) {
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
	return a, a.readNodes(f, graphs)
}

// end returns the graph after the part that begins with a graph.
func (a *Archive) end(from int, most size) int {
	to := from
	count := func() int { return int(a.nodeStart[to] - a.nodeStart[from]) }
	for to < a.Len() && (count() == 0 || to-from < most.graphs && count() < most.nodes) {
		to++
	}
	if a.Len()-to < most.few && count() < most.nodes || a.nodeStart[to] == a.nodeStart[a.Len()] {
		return a.Len()
	}
	return to
}

// part returns the outline of the graphs from to to-1.
func (a *Archive) part(from, to int) *Archive {
	columns := a.graphAttributes.columns
	out := &Archive{name: a.name, first: from, nodeStart: slices.Clone(a.nodeStart[from : to+1]),
		graphAttributes: table[float64]{columns, a.graphAttributes.values[from*columns : to*columns]}}
	if a.GraphLabels != nil {
		out.GraphLabels = a.GraphLabels[from:to]
	}
	for i := range out.nodeStart {
		out.nodeStart[i] -= a.nodeStart[from]
	}
	return out
}

// readLabels sets GraphLabels and returns the number of graphs by their labels or attributes, 0 if there are
// neither.
func (a *Archive) readLabels(f *files) (int, error) {
	labels, err := readTable(f, "graph_labels", parseInteger)
	if err != nil {
		return 0, err
	}
	if labels.columns > 1 {
		return 0, fmt.Errorf("%s has %d labels a line: keep the one to learn", f.file("graph_labels"),
			labels.columns)
	}
	a.GraphLabels = labels.values
	if a.graphAttributes, err = readTable(f, "graph_attributes", parseReal); err != nil {
		return 0, err
	}
	count := len(a.graphAttributes.values) / max(1, a.graphAttributes.columns)
	if labels.values != nil && count > 0 && len(labels.values) != count {
		err = fmt.Errorf("%s has %s for %d graphs: one of the files is cut off or of another data set",
			f.file("graph_attributes"), english.Plural(count, "line", ""), len(labels.values))
	}
	return max(len(labels.values), count), err
}

// readNodes sets nodeStart from DS_graph_indicator.txt.
//
// Where no file gives the number of graphs (graphs is 0), every graph must have a node. Where one does, the
// last must have one: another file that is as long as it should be tells lines that are there twice.
func (a *Archive) readNodes(f *files, graphs int) error {
	r := open(f, "graph_indicator", parseInteger)
	a.nodeStart = []int32{0}
	for r.next() && r.err == nil {
		r.err = a.addNode(r, graphs)
	}
	if err := r.close(); err != nil {
		return err
	}
	last := a.Len()
	if last < graphs && f.paths["graph_attributes"] == "" {
		return fmt.Errorf("%s has %d lines, but the last node in %s is of graph %d: lines are there "+
			"twice, or nodes are missing; leave out graphs without nodes at the end", f.file("graph_labels"),
			graphs, f.file("graph_indicator"), last)
	}
	for len(a.nodeStart) <= graphs {
		a.nodeStart = append(a.nodeStart, int32(r.count))
	}
	return nil
}

// addNode counts the node on a row of DS_graph_indicator.txt to its graph.
func (a *Archive) addNode(r *rows[int], graphs int) error {
	g, last := r.values[0], a.Len() // from 1
	switch {
	case len(r.values) > 1:
		return r.fail("%d values: a line holds the graph of a node, nothing else", len(r.values))
	case g < 1:
		return r.fail("graph %d, but graphs are numbered from 1", g)
	case graphs > 0 && g > graphs:
		return r.fail("graph %d, but graphs are numbered 1 to %d: check that this file and %s belong "+
			"together", g, graphs, r.f.file("graph_labels"))
	case g < last:
		return r.fail("graph %d after graph %d: the nodes of a graph must follow each other; sort the "+
			"nodes by graph and renumber them in %s", g, last, r.f.file("A"))
	case graphs == 0 && g > last+1:
		return r.fail("graph %d after graph %d: without %s no graph may be left out", g, last,
			r.f.file("graph_labels"))
	}
	for a.Len() < g {
		a.nodeStart = append(a.nodeStart, int32(r.count-1))
	}
	a.nodeStart[g] = int32(r.count)
	return r.f.bounded(r.place, r.count)
}
