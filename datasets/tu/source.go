package tu

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/neuralkforms/nkf/datasets"
)

// Kind returns "graphs".
func (a *Archive) Kind() string { return "graphs" }

// Describe names the classes: the graph labels that occur, ascending.
func (a *Archive) Describe() datasets.Info {
	info := datasets.Info{Name: a.Name, SHA256: a.SHA256}
	for _, value := range ascending(a.GraphLabels) {
		info.Classes = append(info.Classes, strconv.Itoa(value))
	}
	return info
}

// Len returns the number of graphs.
func (a *Archive) Len() int { return a.Graphs() }

// Row returns the number of a graph, from 0, in the order of the files.
func (a *Archive) Row(g int) []datasets.Field {
	return []datasets.Field{{Name: "graph", Column: "graph", Value: g}}
}

// Encoder returns an [Encoder] with the features that [ParseFeatures] takes, or with those of kinds of
// nodes, "one-hot": labels where there are any, and otherwise the automatic ones.
func (a *Archive) Encoder(features string) (datasets.Encoder, error) {
	if features == "one-hot" {
		features = Automatic.String()
		if a.NodeLabels.Columns > 0 {
			features = Labels.String()
		}
	}
	f, err := ParseFeatures(features)
	if err != nil {
		return nil, err
	}
	return a.encoder(f)
}

// Available returns the features that the archive has of those asked for, or, if it has none of them, those
// that [Automatic] takes.
func (a *Archive) Available(asked Features) Features {
	have := a.have()
	switch {
	case asked == Automatic:
		return asked
	case asked&(have|Degree) != 0:
		return asked & (have | Degree)
	case have != 0:
		return have
	}
	return Degree
}

// Check returns an error for an encoder that no archive can have.
func (e Encoder) Check() error {
	if e.Features == 0 || e.Features&^(Attributes|Labels|Degree) != 0 {
		return fmt.Errorf("features %d of an encoder are unknown", e.Features)
	}
	for _, r := range append(slices.Clone(e.Labels), e.Degrees) {
		ascend := slices.IsSorted(r.Values) && len(slices.Compact(slices.Clone(r.Values))) == len(r.Values)
		if r.Lowest > r.Highest || !ascend {
			return fmt.Errorf("an encoder of the integers from %d to %d, in which %v occur", r.Lowest,
				r.Highest, r.Values)
		}
	}
	if e.Attributes < 0 {
		return fmt.Errorf("an encoder with %d columns of attributes", e.Attributes)
	}
	return nil
}

// Encode returns the graphs as complexes of degree 1 with the columns of the encoder.
//
// A label or degree that did not occur where the encoder was made leaves its columns zero. It is an error if
// the archive lacks a feature or has other columns, or if one-hot columns would make more than 1 GiB of
// coordinates.
func (e Encoder) Encode(s datasets.Source) (*datasets.Collection, error) {
	a, err := e.archive(s)
	if err != nil {
		return nil, err
	}
	columns, coordinates, err := a.coordinates(e)
	if err != nil {
		return nil, err
	}
	b := datasets.NewBuilder(columns)
	b.Info = a.Describe()
	b.Features = e.Features.String()
	number := map[string]int{}
	for i, class := range b.Classes {
		number[class] = i
	}
	var x, target []float64
	for g := range a.Graphs() {
		if a.GraphLabels != nil {
			target = []float64{float64(number[strconv.Itoa(a.GraphLabels[g])])}
		}
		x = x[:0]
		for v := a.NodeStart[g]; v < a.NodeStart[g+1]; v++ {
			x = coordinates(x, int(v))
		}
		b.Add(x, [][]int32{1: a.Edges[2*a.EdgeStart[g] : 2*a.EdgeStart[g+1]]}, target...)
	}
	return b.Collection()
}

// Compare reports labels and degrees of nodes that did not occur where the encoder was made, and features of
// the archive that it ignores. It is an error if Encode would be one.
func (e Encoder) Compare(s datasets.Source) (n datasets.Novelty, err error) {
	a, err := e.archive(s)
	if err != nil {
		return n, err
	}
	unseen := make([]bool, a.Nodes())
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
			n.Notes = append(n.Notes, fmt.Sprintf("%d of %d nodes have %s that no graph in training had (%s)",
				len(values), a.Nodes(), b.what, datasets.List(texts)))
		}
	}
	if unread := a.have() &^ e.Features; unread != 0 {
		n.Notes = append(n.Notes, fmt.Sprintf("there is node %v, which the model does not read", unread))
	}
	n.Vertices = make([]int, a.Graphs())
	for g := range n.Vertices {
		for _, is := range unseen[a.NodeStart[g]:a.NodeStart[g+1]] {
			if is {
				n.Vertices[g]++
			}
		}
	}
	return n, nil
}

// archive returns the archive that a source is. It is an error if it has not the files and columns of the
// encoder.
func (e Encoder) archive(s datasets.Source) (*Archive, error) {
	a, ok := s.(*Archive)
	if !ok {
		return nil, fmt.Errorf("another kind of data: want graphs in the format of TUDataset")
	}
	if err := e.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", a.Name, err)
	}
	if lacking := e.Features &^ (a.have() | Degree); lacking != 0 {
		return nil, fmt.Errorf("%s has no node %v, and coordinates are to be made of %v: it is another "+
			"kind of data", a.Name, lacking, e.Features)
	}
	if e.Features&Attributes != 0 && e.Attributes != a.NodeAttributes.Columns ||
		e.Features&Labels != 0 && len(e.Labels) != a.NodeLabels.Columns {
		return nil, fmt.Errorf("%s has %d columns of node attributes and %d of node labels, not %d and %d: "+
			"it is another kind of data", a.Name, a.NodeAttributes.Columns, a.NodeLabels.Columns,
			e.Attributes, len(e.Labels))
	}
	return a, nil
}
