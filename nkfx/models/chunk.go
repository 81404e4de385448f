package models

import "github.com/neuralkforms/nkf/datasets"

// The limits of a batch: the number of complexes, and the total number of their
// vertices and simplices unless a single complex has more.
const (
	maxComplexes = 64
	maxRows      = 8192
)

// chunk returns the numbers of complexes, from one on, for a batch.
func chunk(data *datasets.Collection, from int) (ids []int32) {
	rows := 0
	for g := from; g < data.Len() && len(ids) < maxComplexes; g++ {
		for k := range data.Simplices {
			rows += data.Count(k, g)
		}
		if len(ids) > 0 && rows > maxRows {
			break
		}
		ids = append(ids, int32(g))
	}
	return ids
}
