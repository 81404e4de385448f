package train

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/neuralkforms/nkf/nkfx/internal/outputs"
)

// evaluating returns the key of the evaluation program.
func (e *engine) evaluating() key { return key{evaluation, e.evaluation, 1} }

// evaluate returns the outputs for the given complexes, row after row.
func (t *trainer) evaluate(state *snapshot, ids []int32) ([]float32, error) {
	return t.outputs(t.evaluating(), state, ids)
}

// outputs returns what the program of that key puts out for the given complexes, row after row: one for each
// of them, or for their simplices that have labels. Outputs that are not finite are an error.
func (t *trainer) outputs(k key, state *snapshot, ids []int32) ([]float32, error) {
	var all []float32
	for part := range slices.Chunk(ids, k.layout.Budget.Complexes) {
		row := make([]int32, k.layout.Width())
		switch ok, err := t.packer.Pack(k.layout, part, row); {
		case err != nil:
			return nil, err
		case !ok:
			return nil, fmt.Errorf("%d complexes of %q do not fit the evaluation program", len(part),
				t.data.Name)
		}
		batch := tensors.FromFlatDataAndDimensions(row, len(row))
		out, err := t.run(k, state, t.table, batch)
		batch.MustFinalizeAll()
		if err != nil {
			return nil, err
		}
		columns := out[0].Shape().Dimensions[1]
		rows := tensors.MustCopyFlatData[float32](out[0])[:outputs.Rows(t.data, part...)*columns]
		out[0].MustFinalizeAll()
		err = outputs.Check(t.data, part, rows, columns, func(id []int32) error {
			_, err := t.outputs(k, state, id)
			return err
		})
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, nil
}

// predict returns the predictions for the given complexes.
func (t *trainer) predict(state *snapshot, ids []int32) (tested, error) {
	values, err := t.evaluate(state, ids)
	if err != nil {
		return tested{}, err
	}
	out := tested{Classes: t.data.Outputs(), Regression: t.data.Regression}
	if t.data.Labeled() >= 0 { // simplices whose labels are known
		for _, id := range ids {
			for _, label := range t.data.LabelsOf(int(id)) {
				if label >= 0 {
					out.Labels = append(out.Labels, label)
					out.Logits = append(out.Logits, values[:out.Classes]...)
				}
				values = values[out.Classes:]
			}
		}
		return out, nil
	}
	out.Logits = values
	tasks := len(t.data.Tasks)
	for _, id := range ids {
		out.Labels = append(out.Labels, t.data.Labels[id])
		out.Targets = append(out.Targets, t.data.Targets[int(id)*tasks:(int(id)+1)*tasks]...)
	}
	if t.deviation != nil {
		out.units = t.valueOf(state, t.deviation)
	}
	return out, nil
}
