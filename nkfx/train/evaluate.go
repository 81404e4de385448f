package train

import (
	"fmt"
	"math"
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/neuralkforms/nkf/layers"
)

// unpack reads a row of a program's batches on the graph.
func unpack(k key, table, row *Node) *layers.Batch {
	return layers.Unpack(k.layout, []*Node{table, row})
}

// evaluate returns the outputs for the given complexes, [complexes, outputs]
// row after row, or for their simplices that have labels. Outputs that are not finite are an error.
func (e *engine) evaluate(state *snapshot, ids []int32) ([]float32, error) {
	return e.rowsOf(e.plan.evaluating(), state, ids)
}

// rowsOf returns what the program of that key puts out for the given complexes.
func (e *engine) rowsOf(k key, state *snapshot, ids []int32) ([]float32, error) {
	var all []float32
	for part := range slices.Chunk(ids, k.layout.Budget.Complexes) {
		row := make([]int32, k.layout.Width())
		switch ok, err := e.packer.Pack(k.layout, part, row); {
		case err != nil:
			return nil, err
		case !ok:
			return nil, fmt.Errorf("%d complexes of %q do not fit the evaluation program", len(part),
				e.data.Name)
		}
		batch := tensors.FromFlatDataAndDimensions(row, len(row))
		out, err := e.run(k, state, e.table, batch)
		batch.MustFinalizeAll()
		if err != nil {
			return nil, err
		}
		classes := out[0].Shape().Dimensions[1]
		logits := tensors.MustCopyFlatData[float32](out[0])[:e.rows(part...)*classes]
		out[0].MustFinalizeAll()
		for i, v := range logits {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				// It may have come from another in a product: alone, it is its own.
				for j := 0; len(part) > 1 && j < len(part); j++ {
					if _, err := e.rowsOf(k, state, part[j:j+1]); err != nil {
						return nil, err
					}
				}
				return nil, fmt.Errorf("complex %d (from 0) of %q has the output %v: check its coordinates, "+
					"their sizes above all", part[e.owner(part, i/classes)], e.data.Name, v)
			}
		}
		all = append(all, logits...)
	}
	return all, nil
}

// rows returns for how much of complexes there are outputs: one for each, or
// for each of their simplices that have labels.
func (e *engine) rows(ids ...int32) (count int) {
	k := e.data.Labeled()
	if k < 0 {
		return len(ids)
	}
	for _, id := range ids {
		count += e.data.Count(k, int(id))
	}
	return count
}

// owner returns the place among complexes of the one that a row is of.
func (e *engine) owner(ids []int32, row int) (place int) {
	for row >= e.rows(ids[place]) {
		row -= e.rows(ids[place])
		place++
	}
	return place
}
