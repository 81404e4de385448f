package tu

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/neuralkforms/nkf/datasets"
)

// Encoding describes the columns of coordinates, so that graphs of another archive get the same ones.
type Encoding struct {
	Features   Features `json:"features"`   // never Automatic
	Attributes int      `json:"attributes"` // columns of node attributes
	Labels     []Range  `json:"labels"`     // integers with a column, for every column of node labels
	Degrees    Range    `json:"degrees"`    // degrees with a column
}

// Range is the integers from Lowest to Highest, and the values among them that occur. Up to 256 integers have
// a one-hot column each; of a wider range the values have one each, in ascending order.
type Range struct {
	Lowest  int   `json:"lowest"`
	Highest int   `json:"highest"`
	Values  []int `json:"values"` // that occur, ascending
}

// maxDense is the largest number of integers with a column each. The paper's data sets have 53 at most.
const maxDense = 256

// dense reports whether all integers have a column. Their number is unsigned, because labels may be as far
// apart as integers go.
func (r Range) dense() bool { return uint(r.Highest)-uint(r.Lowest) < maxDense }

// columns returns the number of one-hot columns.
func (r Range) columns() int {
	if r.dense() {
		return r.Highest - r.Lowest + 1
	}
	return len(r.Values)
}

// column returns the one-hot column of an integer, and whether the integer occurs.
func (r Range) column(x int) (column int, occurs bool) {
	column, occurs = slices.BinarySearch(r.Values, x)
	if r.dense() {
		column = x - r.Lowest
	}
	return column, occurs && x >= r.Lowest && x <= r.Highest
}

// rangeOf returns the smallest range with the values.
func rangeOf(values []int) Range {
	occur := ascending(values)
	return Range{Lowest: occur[0], Highest: occur[len(occur)-1], Values: occur}
}

// ascending returns each of the values once, in order.
func ascending(values []int) []int {
	values = slices.Clone(values)
	slices.Sort(values)
	return slices.Clone(slices.Compact(values))
}

// Encoding returns the encoding of this archive's own values: one-hot columns for the range of each column of
// labels, and for that of degrees from 0.
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
			e.Labels = append(e.Labels, rangeOf(a.nodeLabels(column)))
		}
	}
	if features&Degree != 0 && a.Nodes() > 0 {
		e.Degrees = rangeOf(a.degrees())
		e.Degrees.Lowest = 0
	}
	return e, nil
}

// check returns an error if the archive has not the files and columns of the encoding.
func (a *Archive) check(e Encoding) error {
	if e.Features == 0 || e.Features&^(Attributes|Labels|Degree) != 0 {
		return fmt.Errorf("%s: features %d of an encoding are unknown", a.Name, e.Features)
	}
	if lacking := e.Features &^ (a.have() | Degree); lacking != 0 {
		return fmt.Errorf("%s has no node %v, and coordinates are to be made of %v: it is another kind of "+
			"data", a.Name, lacking, e.Features)
	}
	if e.Features&Attributes != 0 && e.Attributes != a.NodeAttributes.Columns ||
		e.Features&Labels != 0 && len(e.Labels) != a.NodeLabels.Columns {
		return fmt.Errorf("%s has %d columns of node attributes and %d of node labels, not %d and %d: "+
			"it is another kind of data", a.Name, a.NodeAttributes.Columns, a.NodeLabels.Columns,
			e.Attributes, len(e.Labels))
	}
	return nil
}

// Encode returns the graphs as complexes of degree 1 with the columns of an encoding and the given classes,
// as a model that was trained on another archive expects them.
//
// A label or degree that did not occur there leaves its columns zero (see Unseen). A graph without a label,
// or whose label is none of the classes, is of class 0: there is something to predict. It is an error if the
// archive lacks a feature or has other columns, or if one-hot columns would make more than 1 GiB of
// coordinates.
func (a *Archive) Encode(e Encoding, classes []string) (*datasets.Collection, error) {
	if err := a.check(e); err != nil {
		return nil, err
	}
	number := map[string]int{}
	for i, class := range classes {
		number[class] = i
	}
	columns, coordinates, err := a.coordinates(e)
	if err != nil {
		return nil, err
	}
	b := datasets.NewBuilder(columns)
	b.Info = datasets.Info{Name: a.Name, Classes: classes, Features: e.Features.String(), SHA256: a.SHA256}
	var x []float64
	for g := range a.Graphs() {
		class := 0
		if a.GraphLabels != nil {
			class = number[strconv.Itoa(a.GraphLabels[g])]
		}
		x = x[:0]
		for v := a.NodeStart[g]; v < a.NodeStart[g+1]; v++ {
			x = coordinates(x, int(v))
		}
		b.Add(x, [][]int32{1: a.Edges[2*a.EdgeStart[g] : 2*a.EdgeStart[g+1]]}, float64(class))
	}
	return b.Collection()
}

// nodeLabels returns one column of the node labels.
func (a *Archive) nodeLabels(column int) []int {
	labels := make([]int, a.Nodes())
	for v := range labels {
		labels[v] = a.NodeLabels.Row(v)[column]
	}
	return labels
}

// block is a run of one-hot columns for integers of which every node has one.
type block struct {
	Range
	what   string
	values []int
}

// blocks returns the one-hot blocks of an encoding in the order of their columns.
func (a *Archive) blocks(e Encoding) (hot []block) {
	if e.Features&Labels != 0 {
		for column, labels := range e.Labels {
			what := "node labels"
			if len(e.Labels) > 1 {
				what = fmt.Sprintf("node labels in column %d", column+1)
			}
			hot = append(hot, block{labels, what, a.nodeLabels(column)})
		}
	}
	if e.Features&Degree != 0 {
		hot = append(hot, block{e.Degrees, "degrees", a.degrees()})
	}
	return hot
}

// coordinates returns the number of columns of an encoding and a function that appends those of a node.
func (a *Archive) coordinates(e Encoding) (columns int, of func(x []float64, node int) []float64, err error) {
	take := func(what string, width int) {
		if width > maxCoordinates/max(1, a.Nodes())-columns && err == nil {
			err = fmt.Errorf("%s: %s take %d columns for %d nodes, more than 1 GiB: leave them out "+
				"of the features", a.Name, what, width, a.Nodes())
			return
		}
		columns += width
	}
	if e.Features&Attributes != 0 {
		take("attributes", e.Attributes)
	}
	hot := a.blocks(e)
	for _, b := range hot {
		take("one-hot "+b.what, b.columns())
	}
	return columns, func(x []float64, node int) []float64 {
		if e.Features&Attributes != 0 {
			x = append(x, a.NodeAttributes.Row(node)...)
		}
		for _, b := range hot {
			first := len(x)
			x = append(x, make([]float64, b.columns())...)
			if column, ok := b.column(b.values[node]); ok {
				x[first+column] = 1
			}
		}
		return x
	}, err
}

// Unseen holds labels, or degrees, of an archive that did not occur where an encoding was made.
type Unseen struct {
	What   string `json:"what"`   // "node labels", "node labels in column 2", or "degrees"
	Values []int  `json:"values"` // ascending
	Nodes  int    `json:"nodes"`  // that have one of them
}

// Unseen returns the values that no node had where the encoding was made, for each one-hot block, and how
// many nodes of each graph are so. It is an error if Encode would be one.
func (a *Archive) Unseen(e Encoding) (columns []Unseen, nodes []int, err error) {
	if err := a.check(e); err != nil {
		return nil, nil, err
	}
	nodes = make([]int, a.Graphs())
	unseen := make([]bool, a.Nodes())
	for _, b := range a.blocks(e) {
		u := Unseen{What: b.what}
		for v, x := range b.values {
			if _, ok := b.column(x); !ok {
				u.Values = append(u.Values, x)
				unseen[v] = true
				u.Nodes++
			}
		}
		if u.Nodes > 0 {
			u.Values = ascending(u.Values)
			columns = append(columns, u)
		}
	}
	for g := range nodes {
		for _, is := range unseen[a.NodeStart[g]:a.NodeStart[g+1]] {
			if is {
				nodes[g]++
			}
		}
	}
	return columns, nodes, nil
}

// Unread returns the features of the archive that an encoding ignores.
func (a *Archive) Unread(e Encoding) Features { return a.have() &^ e.Features }
