package train

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/nkfx/internal/outputs"
)

// evaluator computes outputs for complexes in batches of one layout.
type evaluator struct {
	layout *packing.Layout
	exec   *model.Exec
	graph  *Graph
}

// newEvaluator returns the program of the predictions for a batch, with the layout of the evaluation.
func (t *trainer) newEvaluator() (*evaluator, error) {
	build := func(batch *layers.Batch) *Node { return t.output(t.store.RootScope(), batch) }
	p := &evaluator{layout: t.reading(build, t.plan.evaluation)[0]}
	var err error
	outputs := func(_ *model.Scope, inputs []*Node) []*Node {
		t.building.Lock()
		defer t.building.Unlock()
		t.compiled++
		return []*Node{ConvertDType(build(layers.Unpack(p.layout, inputs)), dtypes.Float32)}
	}
	p.exec, err = model.NewExec(t.backend, t.store, outputs)
	return p, err
}

// outputs returns the predictions for the given complexes, row after row. Outputs that are
// not finite are an error.
func (t *trainer) outputs(ids []int32) (all []float32, err error) {
	p := t.evaluation
	for part := range slices.Chunk(ids, p.layout.Budget.Complexes) {
		values, columns, err := p.call(t, part)
		if err != nil {
			return nil, err
		}
		rows := values[:len(part)*columns]
		err = outputs.Check(t.Data, part, rows, columns, func(id []int32) error {
			_, err := t.outputs(id)
			return err
		})
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, nil
}

// call runs a program on complexes that fit its layout, and returns its outputs.
func (p *evaluator) call(t *trainer, part []int32) (values []float32, columns int, err error) {
	row := make([]int32, p.layout.Width())
	switch ok, err := t.packer.Pack(p.layout, part, row); {
	case err != nil:
		return nil, 0, err
	case !ok:
		return nil, 0, fmt.Errorf("%d complexes of %q do not fit the evaluation program", len(part),
			t.Data.Name)
	}
	batch := tensors.FromFlatDataAndDimensions(row, len(row))
	defer batch.MustFinalizeAll()
	out, err := p.exec.Call1(t.table, batch)
	if err != nil {
		return nil, 0, err
	}
	defer out.MustFinalizeAll()
	return tensors.MustCopyFlatData[float32](out), out.Shape().Dimensions[1], nil
}
