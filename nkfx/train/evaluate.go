package train

import (
	"fmt"
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/nkfx/internal/outputs"
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
		columns := out[0].Shape().Dimensions[1]
		rows := tensors.MustCopyFlatData[float32](out[0])[:outputs.Rows(e.data, part...)*columns]
		out[0].MustFinalizeAll()
		err = outputs.Check(e.data, part, rows, columns, func(id []int32) error {
			_, err := e.rowsOf(k, state, id)
			return err
		})
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, nil
}
