package tu

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/neuralkforms/nkf/datasets"
	tables "github.com/neuralkforms/nkf/datasets/internal/table"
)

// NewEncoder returns an empty encoder, to read a saved one into.
func NewEncoder() datasets.Encoder { return new(encoder) }

// encoder describes the columns of coordinates, so that graphs of other archives get the same columns.
type encoder struct {
	Features   Features `json:"features"`   // never Automatic
	Attributes int      `json:"attributes"` // columns of node attributes
	Labels     []span   `json:"labels"`     // integers with a column, for every column of node labels
	Degrees    span     `json:"degrees"`    // degrees with a column
}

// span is the integers from Lowest to Highest, and the values among them that occur.
type span struct {
	Lowest  int   `json:"lowest"`
	Highest int   `json:"highest"`
	Values  []int `json:"values"` // that occur, ascending
}

// maxDense is the largest number of integers with a column each. The paper's data sets have 53 at most.
const maxDense = 256

// dense reports whether all integers have a column. Their number is unsigned, because labels may be as far
// apart as integers go.
func (r span) dense() bool { return uint(r.Highest)-uint(r.Lowest) < maxDense }

// columns returns the number of one-hot columns.
func (r span) columns() int {
	if r.dense() {
		return r.Highest - r.Lowest + 1
	}
	return len(r.Values)
}

// column returns the one-hot column of an integer, and whether the integer occurs.
func (r span) column(x int) (column int, occurs bool) {
	column, occurs = slices.BinarySearch(r.Values, x)
	if r.dense() {
		column = x - r.Lowest
	}
	return column, occurs && x >= r.Lowest && x <= r.Highest
}

// rangeOf returns the smallest range with the values.
func rangeOf(values []int) span {
	occur := ascending(values)
	return span{Lowest: occur[0], Highest: occur[len(occur)-1], Values: occur}
}

// ascending returns each of the values once, in order.
func ascending(values []int) []int {
	return slices.Clone(slices.Compact(slices.Sorted(slices.Values(values))))
}

// encoder returns the encoder of this archive's own values: one-hot columns for the range of each column of
// labels, and for that of degrees from 0. It is an error if the archive lacks a feature, or if attributes are
// so far from 0 that 32 bits cannot tell them apart.
func (a *Archive) encoder(features Features) (encoder, error) {
	if features == Automatic {
		features = a.usual()
	}
	e := encoder{Features: features}
	if lacking := features &^ (a.have() | Degree); lacking != 0 {
		return e, fmt.Errorf("%s has no node %v: take the features %v", a.name, lacking, a.have()|Degree)
	}
	if features&Attributes != 0 {
		e.Attributes = a.nodeAttributes.columns
		for column := range e.Attributes {
			values := a.nodeAttributes.column(column)
			if v := tables.Rounded(values, 1./1000); v >= 0 {
				return e, fmt.Errorf("%s_node_attributes.txt, column %d: %s of node %d differs from the "+
					"others by too little for 32 bits: take a constant from all", a.name, column+1,
					strconv.FormatFloat(values[v], 'f', -1, 64), v+1)
			}
		}
	}
	if features&Labels != 0 {
		for column := range a.nodeLabels.columns {
			e.Labels = append(e.Labels, rangeOf(a.nodeLabels.column(column)))
		}
	}
	if features&Degree != 0 && a.nodes() > 0 {
		e.Degrees = rangeOf(a.degrees())
		e.Degrees.Lowest = 0
	}
	return e, nil
}

// degrees returns the number of edges at every node.
func (a *Archive) degrees() []int {
	degrees := make([]int, a.nodes())
	for g := range a.Len() {
		for _, v := range a.edges[2*a.edgeStart[g] : 2*a.edgeStart[g+1]] {
			degrees[a.nodeStart[g]+v]++
		}
	}
	return degrees
}

// Check returns an error for an invalid encoder.
func (e encoder) Check() error {
	if e.Features == 0 || e.Features&^every != 0 {
		return fmt.Errorf("features %d of an encoder are unknown", e.Features)
	}
	for _, r := range append(slices.Clone(e.Labels), e.Degrees) {
		if r.Lowest > r.Highest || !slices.Equal(r.Values, ascending(r.Values)) {
			return fmt.Errorf("an encoder of the integers from %d to %d, in which %v occur", r.Lowest,
				r.Highest, r.Values)
		}
	}
	if e.Attributes < 0 {
		return fmt.Errorf("an encoder with %d columns of attributes", e.Attributes)
	}
	return nil
}

// archive returns the archive that a source is. It is an error if it has not the files and columns of the
// encoder.
func (e encoder) archive(s datasets.Source) (*Archive, error) {
	a, ok := s.(*Archive)
	if !ok {
		return nil, fmt.Errorf("another kind of data: want graphs in the format of TUDataset")
	}
	if err := e.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", a.name, err)
	}
	if lacking := e.Features &^ (a.have() | Degree); lacking != 0 {
		return nil, fmt.Errorf("%s has no node %v, and coordinates are to be made of %v: it is another "+
			"kind of data", a.name, lacking, e.Features)
	}
	if e.Features&Attributes != 0 && e.Attributes != a.nodeAttributes.columns ||
		e.Features&Labels != 0 && len(e.Labels) != a.nodeLabels.columns {
		return nil, fmt.Errorf("%s has %d columns of node attributes and %d of node labels, not %d and %d: "+
			"it is another kind of data", a.name, a.nodeAttributes.columns, a.nodeLabels.columns,
			e.Attributes, len(e.Labels))
	}
	return a, nil
}

// block is a run of one-hot columns for integers of which every node has one.
type block struct {
	span
	what   string
	values []int
}

// blocks returns the one-hot blocks of an encoding in the order of their columns.
func (a *Archive) blocks(e encoder) (hot []block) {
	if e.Features&Labels != 0 {
		for column, labels := range e.Labels {
			what := "node labels"
			if len(e.Labels) > 1 {
				what = fmt.Sprintf("node labels in column %d", column+1)
			}
			hot = append(hot, block{labels, what, a.nodeLabels.column(column)})
		}
	}
	if e.Features&Degree != 0 {
		hot = append(hot, block{e.Degrees, "degrees", a.degrees()})
	}
	return hot
}

// maxCoordinates bounds the size of the vertex table: 1 GiB of float32.
const maxCoordinates = 1 << 28

// Encode returns the graphs as complexes of degree 1 with the columns of the encoder.
//
// A label or degree that did not occur in the archive of the encoder leaves its columns zero. It is an error
// if the archive lacks a feature or has other columns, or if one-hot columns would make more than 1 GiB of
// coordinates.
func (e encoder) Encode(s datasets.Source) (*datasets.Collection, error) {
	a, err := e.archive(s)
	if err != nil {
		return nil, err
	}
	hot, attributes := a.blocks(e), e.Features&Attributes != 0
	columns := 0
	if attributes {
		columns = e.Attributes
	}
	for _, b := range hot {
		columns += b.columns()
	}
	if columns > maxCoordinates/max(1, a.nodes()) {
		return nil, fmt.Errorf("%s: %d columns of %v for %d nodes take more than 1 GiB: leave features out",
			a.name, columns, e.Features, a.nodes())
	}
	b := datasets.NewBuilder(columns)
	b.Shared = !attributes
	b.Grow(a.nodes())
	b.Info = a.Describe()
	b.Features = e.Features.String()
	var x, target []float64
	classes := ascending(a.GraphLabels)
	for g := range a.Len() {
		if a.GraphLabels != nil {
			class, _ := slices.BinarySearch(classes, a.GraphLabels[g])
			target = []float64{float64(class)}
		} else {
			target = a.graphAttributes.row(g)
		}
		x = slices.Grow(x[:0], int(a.nodeStart[g+1]-a.nodeStart[g])*columns)
		for v := int(a.nodeStart[g]); v < int(a.nodeStart[g+1]); v++ {
			if attributes {
				x = append(x, a.nodeAttributes.row(v)...)
			}
			for _, b := range hot {
				first := len(x)
				x = append(x, make([]float64, b.columns())...)
				if column, ok := b.column(b.values[v]); ok {
					x[first+column] = 1
				}
			}
		}
		b.Add(x, [][]int32{1: a.edges[2*a.edgeStart[g] : 2*a.edgeStart[g+1]]}, target...)
	}
	return b.Collection()
}

// Compare reports labels and degrees of nodes that did not occur in the archive of the encoder, and features
// of the given archive that it ignores. It returns an error if Encode would.
func (e encoder) Compare(s datasets.Source) (n datasets.Novelty, err error) {
	a, err := e.archive(s)
	if err != nil {
		return n, err
	}
	unseen := make([]bool, a.nodes())
	for _, b := range a.blocks(e) {
		var values []int
		for v, x := range b.values {
			if _, ok := b.column(x); !ok {
				values, unseen[v] = append(values, x), true
			}
		}
		if len(values) > 0 {
			var texts []string
			for _, value := range ascending(values) {
				texts = append(texts, strconv.Itoa(value))
			}
			n.Notes = append(n.Notes, datasets.Note{Count: len(values), Of: a.nodes(), Values: texts,
				Text: fmt.Sprintf("nodes have %s that no graph in training had", b.what)})
		}
	}
	if unread := a.have() &^ e.Features; unread != 0 {
		n.Notes = append(n.Notes, datasets.Note{
			Text: fmt.Sprintf("there is node %v, which the model does not read", unread)})
	}
	n.Vertices = make([]int, a.Len())
	for g := range n.Vertices {
		for _, is := range unseen[a.nodeStart[g]:a.nodeStart[g+1]] {
			if is {
				n.Vertices[g]++
			}
		}
	}
	return n, nil
}
