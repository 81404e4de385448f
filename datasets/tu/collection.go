package tu

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/neuralkforms/nkf/datasets"
)

// maxCoordinates bounds the size of the vertex table: 1 GiB of float32.
const maxCoordinates = 1 << 28

// Load returns the benchmark data set of that name, e.g. "BZR", found or downloaded by datasets.Find.
func Load(ctx context.Context, name string, features Features) (*datasets.Collection, error) {
	path, err := datasets.Find(ctx, name)
	if err != nil {
		return nil, err
	}
	a, err := Open(path)
	if err != nil {
		return nil, err
	}
	return a.Collection(features)
}

// Collection returns the graphs as complexes of degree 1 with the chosen features as coordinates.
//
// Classes are the graph labels that occur, ascending. It is an error if the archive lacks a feature or graph
// labels, or if one-hot columns would make more than 1 GiB of coordinates.
func (a *Archive) Collection(features Features) (*datasets.Collection, error) {
	if a.GraphLabels == nil {
		return nil, fmt.Errorf("%s has no file %s_graph_labels.txt, so there is nothing to classify",
			a.Name, a.Name)
	}
	features, err := a.resolve(features)
	if err != nil {
		return nil, err
	}
	c := &datasets.Collection{
		Name: a.Name, Degree: 1, Features: features.String(), SHA256: a.SHA256,
		VertexStart: slices.Clone(a.NodeStart), SimplexStart: slices.Clone(a.EdgeStart),
		Simplices: slices.Clone(a.Edges), Labels: make([]int32, len(a.GraphLabels)),
	}
	values := slices.Clone(a.GraphLabels)
	slices.Sort(values)
	values = slices.Compact(values)
	for _, value := range values {
		c.Classes = append(c.Classes, strconv.Itoa(value))
	}
	for g, label := range a.GraphLabels {
		class, _ := slices.BinarySearch(values, label)
		c.Labels[g] = int32(class)
	}
	return c, a.setCoordinates(c, features)
}

// setCoordinates sets Dim and Vertices of c.
func (a *Archive) setCoordinates(c *datasets.Collection, features Features) error {
	var hot []block
	take := func(what string, columns uint) error {
		if columns > uint(maxCoordinates/a.Nodes()-c.Dim) {
			return fmt.Errorf("%s: %s take %d columns for %d nodes, more than 1 GiB: leave them out "+
				"of the features", a.Name, what, columns, a.Nodes())
		}
		c.Dim += int(columns)
		return nil
	}
	if features&Attributes != 0 {
		if err := take("attributes", uint(a.NodeAttributes.Columns)); err != nil {
			return err
		}
	}
	add := func(what string, b block) error {
		b.first = c.Dim
		hot = append(hot, b)
		return take("one-hot "+what, b.width)
	}
	if features&Labels != 0 {
		for column := range a.NodeLabels.Columns {
			if err := add("node labels", newBlock(a.NodeLabels, column)); err != nil {
				return err
			}
		}
	}
	if features&Degree != 0 {
		b := newBlock(Table[int]{1, a.Degrees()}, 0)
		b.width += uint(b.lowest) // degree 0 has a column even where no node has it
		b.lowest = 0
		if err := add("degrees", b); err != nil {
			return err
		}
	}
	c.Vertices = make([]float32, a.Nodes()*c.Dim)
	for v := range a.Nodes() {
		row := c.Vertices[v*c.Dim : (v+1)*c.Dim]
		if features&Attributes != 0 {
			for j, x := range a.NodeAttributes.Row(v) {
				row[j] = float32(x)
			}
		}
		for _, b := range hot {
			row[b.first+b.values.Row(v)[b.column]-b.lowest] = 1
		}
	}
	return nil
}

// block is a run of one-hot columns for the integers in one column of a table.
type block struct {
	values Table[int]
	column int
	first  int  // first column of the block in the vertex table
	lowest int  // integer of the first column
	width  uint // number of columns; unsigned, because labels may be as far apart as integers go
}

// newBlock returns a block with a column for every integer from the smallest value to the largest.
func newBlock(values Table[int], column int) block {
	lowest, highest := values.Row(0)[column], values.Row(0)[column]
	for i := range values.rows() {
		lowest, highest = min(lowest, values.Row(i)[column]), max(highest, values.Row(i)[column])
	}
	width := uint(highest) - uint(lowest)
	return block{values: values, column: column, lowest: lowest, width: max(width, width+1)}
}

// Degrees returns the number of edges at every node.
func (a *Archive) Degrees() []int {
	degrees := make([]int, a.Nodes())
	for g := range a.Graphs() {
		for _, v := range a.Edges[2*a.EdgeStart[g] : 2*a.EdgeStart[g+1]] {
			degrees[a.NodeStart[g]+v]++
		}
	}
	return degrees
}
