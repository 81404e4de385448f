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

// Encoding says what the columns of coordinates are, so that graphs of another archive get the same ones.
type Encoding struct {
	Features   Features `json:"features"`   // never Automatic
	Attributes int      `json:"attributes"` // columns of node attributes
	Labels     []Range  `json:"labels"`     // integers with a column, for every column of node labels
	Degrees    Range    `json:"degrees"`    // degrees with a column
}

// Range is the integers from Lowest to Highest.
type Range struct {
	Lowest  int `json:"lowest"`
	Highest int `json:"highest"`
}

// width returns the number of integers; unsigned, because labels may be as far apart as integers go.
func (r Range) width() uint {
	width := uint(r.Highest) - uint(r.Lowest)
	return max(width, width+1)
}

// rangeOf returns the smallest range with the values in one column of a table.
func rangeOf(values Table[int], column int) Range {
	r := Range{values.Row(0)[column], values.Row(0)[column]}
	for i := range values.rows() {
		v := values.Row(i)[column]
		r.Lowest, r.Highest = min(r.Lowest, v), max(r.Highest, v)
	}
	return r
}

// Encoding returns the encoding of this archive's own values: a one-hot column for every integer from the
// smallest to the largest label, and for every degree from 0.
//
// It is an error if the archive lacks a feature.
func (a *Archive) Encoding(features Features) (Encoding, error) {
	features, err := a.resolve(features)
	if err != nil {
		return Encoding{}, err
	}
	e := Encoding{Features: features}
	if features&Attributes != 0 {
		e.Attributes = a.NodeAttributes.Columns
	}
	if features&Labels != 0 {
		for column := range a.NodeLabels.Columns {
			e.Labels = append(e.Labels, rangeOf(a.NodeLabels, column))
		}
	}
	if features&Degree != 0 && a.Nodes() > 0 {
		e.Degrees = Range{0, rangeOf(Table[int]{1, a.Degrees()}, 0).Highest}
	}
	return e, nil
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
	e, err := a.Encoding(features)
	if err != nil {
		return nil, err
	}
	values := slices.Clone(a.GraphLabels)
	slices.Sort(values)
	var classes []string
	for _, value := range slices.Compact(values) {
		classes = append(classes, strconv.Itoa(value))
	}
	return a.Encode(e, classes)
}

// Encode returns the graphs as complexes of degree 1 with the columns of an encoding and the given classes,
// as a model that was trained on another archive expects them.
//
// A label or degree without a column leaves its columns zero. A graph without a label, or whose label is none
// of the classes, is of class 0: there is something to predict. It is an error if the archive lacks a feature
// or has other columns, or if one-hot columns would make more than 1 GiB of coordinates.
func (a *Archive) Encode(e Encoding, classes []string) (*datasets.Collection, error) {
	if _, err := a.resolve(e.Features); err != nil {
		return nil, err
	}
	if e.Features&Attributes != 0 && e.Attributes != a.NodeAttributes.Columns ||
		e.Features&Labels != 0 && len(e.Labels) != a.NodeLabels.Columns {
		return nil, fmt.Errorf("%s has %d columns of node attributes and %d of node labels, not %d and %d: "+
			"it is another kind of data", a.Name, a.NodeAttributes.Columns, a.NodeLabels.Columns,
			e.Attributes, len(e.Labels))
	}
	c := &datasets.Collection{
		Name: a.Name, Degree: 1, Features: e.Features.String(), SHA256: a.SHA256,
		VertexStart: slices.Clone(a.NodeStart), SimplexStart: slices.Clone(a.EdgeStart),
		Simplices: slices.Clone(a.Edges), Labels: make([]int32, a.Graphs()), Classes: classes,
	}
	number := map[string]int32{}
	for i, class := range classes {
		number[class] = int32(i)
	}
	for g, label := range a.GraphLabels {
		c.Labels[g] = number[strconv.Itoa(label)]
	}
	return c, a.setCoordinates(c, e)
}

// block is a run of one-hot columns for the integers in one column of a table.
type block struct {
	Range
	values Table[int]
	column int
	first  int // first column of the block in the vertex table
}

// setCoordinates sets Dim and Vertices of c.
func (a *Archive) setCoordinates(c *datasets.Collection, e Encoding) error {
	take := func(what string, columns uint) error {
		if columns > uint(maxCoordinates/max(1, a.Nodes())-c.Dim) {
			return fmt.Errorf("%s: %s take %d columns for %d nodes, more than 1 GiB: leave them out "+
				"of the features", a.Name, what, columns, a.Nodes())
		}
		c.Dim += int(columns)
		return nil
	}
	if e.Features&Attributes != 0 {
		if err := take("attributes", uint(e.Attributes)); err != nil {
			return err
		}
	}
	var hot []block
	for column, labels := range e.Labels {
		hot = append(hot, block{labels, a.NodeLabels, column, c.Dim})
		if err := take("one-hot node labels", labels.width()); err != nil {
			return err
		}
	}
	if e.Features&Degree != 0 {
		hot = append(hot, block{e.Degrees, Table[int]{1, a.Degrees()}, 0, c.Dim})
		if err := take("one-hot degrees", e.Degrees.width()); err != nil {
			return err
		}
	}
	c.Vertices = make([]float32, a.Nodes()*c.Dim)
	for v := range a.Nodes() {
		row := c.Vertices[v*c.Dim : (v+1)*c.Dim]
		if e.Features&Attributes != 0 {
			for j, x := range a.NodeAttributes.Row(v) {
				row[j] = float32(x)
			}
		}
		for _, b := range hot {
			if x := b.values.Row(v)[b.column]; x >= b.Lowest && x <= b.Highest {
				row[b.first+x-b.Lowest] = 1
			}
		}
	}
	return nil
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
