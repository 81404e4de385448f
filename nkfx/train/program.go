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
	"github.com/neuralkforms/nkf/layers/devices"
	"github.com/neuralkforms/nkf/nkfx/internal/outputs"
)

// program computes outputs for complexes in batches of one layout.
type program struct {
	layout *packing.Layout
	exec   *devices.Program
	graph  *Graph
}

// newProgram returns the program of outputs of a batch, with the layout of the evaluation.
func (t *trainer) newProgram(build func(*layers.Batch) *Node) (*program, error) {
	p := &program{layout: t.reading(build, t.plan.evaluation)[0]}
	var err error
	outputs := func(_ *model.Scope, inputs []*Node) []*Node {
		t.building.Lock()
		defer t.building.Unlock()
		t.compiled++
		return []*Node{ConvertDType(build(layers.Unpack(p.layout, inputs)), dtypes.Float32)}
	}
	p.exec, err = devices.NewProgram(t.backend, t.store, t.plan.devices, outputs)
	return p, err
}

// outputs returns the outputs of a program for the given complexes, row after row: one for each of them, or
// for their simplices that have labels. Outputs that are not finite are an error.
func (t *trainer) outputs(p *program, ids []int32) (all []float32, err error) {
	parts := slices.Collect(slices.Chunk(ids, p.layout.Budget.Complexes))
	for at := 0; at < len(parts); at += t.plan.devices {
		now := parts[at:min(at+t.plan.devices, len(parts))]
		values, columns, err := t.call(p, now)
		if err != nil {
			return nil, err
		}
		for i, part := range now {
			rows := values[i][:outputs.Rows(t.Data, part...)*columns]
			err := outputs.Check(t.Data, part, rows, columns, func(id []int32) error {
				_, err := t.outputs(p, id)
				return err
			})
			if err != nil {
				return nil, err
			}
			all = append(all, rows...)
		}
	}
	return all, nil
}

// call runs a program on a part on each device, and returns its outputs for each. Devices without a part of
// their own have the first.
func (t *trainer) call(p *program, parts [][]int32) (values [][]float32, columns int, err error) {
	var inputs [][]any
	for d := range t.plan.devices {
		part := parts[0]
		if d < len(parts) {
			part = parts[d]
		}
		row := make([]int32, p.layout.Width())
		var table *tensors.Tensor
		var vertices []float32
		if t.plan.streamed {
			vertices = make([]float32, t.vertices(p.layout).Size())
		} else {
			table = t.tables[d]
		}
		switch ok, err := t.fill(p.layout, part, row, vertices, 0); {
		case err != nil:
			return nil, 0, err
		case !ok:
			return nil, 0, fmt.Errorf("%d complexes of %q do not fit the evaluation program", len(part),
				t.Data.Name)
		}
		if t.plan.streamed {
			table = tensors.FromFlatDataAndDimensions(vertices, t.vertices(p.layout).Dimensions...)
			defer table.MustFinalizeAll()
		}
		batch := tensors.FromFlatDataAndDimensions(row, len(row))
		defer batch.MustFinalizeAll()
		inputs = append(inputs, []any{table, batch})
	}
	out, err := p.exec.Call(inputs...)
	if err != nil {
		return nil, 0, err
	}
	for _, own := range out {
		columns = own[0].Shape().Dimensions[1]
		values = append(values, tensors.MustCopyFlatData[float32](own[0]))
		own[0].MustFinalizeAll()
	}
	return values, columns, nil
}
