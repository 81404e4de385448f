package tu

import (
	"fmt"

	"github.com/neuralkforms/nkf/datasets"
)

// maxCoordinates bounds the size of the vertex table: 1 GiB of float32.
const maxCoordinates = 1 << 28

// Collection returns the graphs as complexes of degree 1 with the chosen features as coordinates.
//
// Classes are the graph labels that occur, ascending. It is an error if the archive lacks a feature or graph
// labels, or if one-hot columns would make more than 1 GiB of coordinates.
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

// degrees returns the number of edges at every node.
func (a *Archive) degrees() []int {
	degrees := make([]int, a.Nodes())
	for g := range a.Graphs() {
		for _, v := range a.Edges[2*a.EdgeStart[g] : 2*a.EdgeStart[g+1]] {
			degrees[a.NodeStart[g]+v]++
		}
	}
	return degrees
}
