package tu

import (
	"fmt"
	"strconv"

	"github.com/neuralkforms/nkf/datasets"
)

// Kind returns "graphs".
func (a *Archive) Kind() string { return "graphs" }

// Describe names the classes: the graph labels that occur, ascending.
func (a *Archive) Describe() datasets.Info {
	info := datasets.Info{Name: a.Name, SHA256: a.sha256}
	for _, value := range ascending(a.GraphLabels) {
		info.Classes = append(info.Classes, strconv.Itoa(value))
	}
	return info
}

// Row returns the number of a graph, from 0, in the order of the files.
func (a *Archive) Row(g int) []datasets.Field {
	return []datasets.Field{{Name: "graph", Column: "graph", Value: g}}
}

// Encoder returns an encoder with the features that [ParseFeatures] takes, or with "one-hot" labels of
// nodes; without labels, with the automatic features. Coordinates have one column for each attribute, and
// one-hot columns of labels and degrees, from the lowest to the highest that occurs. In a range of more than
// 256 only the values that occur have a column, in ascending order.
func (a *Archive) Encoder(features string) (datasets.Encoder, error) {
	if features == "one-hot" {
		features = ""
		if a.nodeLabels.columns > 0 {
			features = Labels.String()
		}
	}
	f, err := ParseFeatures(features)
	if err != nil {
		return nil, err
	}
	return a.encoder(f)
}

// Collection returns the graphs as complexes of degree 1 with the chosen features as coordinates, as
// [Archive.Encoder] says. It is an error if the archive lacks graph labels.
func (a *Archive) Collection(features Features) (*datasets.Collection, error) {
	if a.GraphLabels == nil {
		return nil, fmt.Errorf("%s has no file %s_graph_labels.txt, so there is nothing to classify",
			a.Name, a.Name)
	}
	e, err := a.encoder(features)
	if err != nil {
		return nil, err
	}
	return e.Encode(a)
}
