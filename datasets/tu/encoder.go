package tu

import (
	"fmt"
	"slices"
)

// Encoder describes the columns of coordinates, so that graphs of another archive get the same ones.
type Encoder struct {
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

// encoder returns the encoder of this archive's own values: one-hot columns for the range of each column of
// labels, and for that of degrees from 0.
//
// It is an error if the archive lacks a feature.
func (a *Archive) encoder(features Features) (Encoder, error) {
	features, err := a.resolve(features)
	if err != nil {
		return Encoder{}, err
	}
	e := Encoder{Features: features}
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
func (a *Archive) blocks(e Encoder) (hot []block) {
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
func (a *Archive) coordinates(e Encoder) (columns int, of func(x []float64, node int) []float64, err error) {
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
