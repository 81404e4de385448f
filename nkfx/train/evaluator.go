package train

import (
	"slices"
	"sync"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/nkfx/internal/outputs"
)

// evaluator computes rows of outputs for complexes in batches of one layout.
type evaluator struct {
	*packed
	layout    *packing.Layout
	exec      *model.Exec
	variables []*model.Variable // that the outputs depend on
	compiled  int               // programs
}

// newEvaluator returns the program of outputs [B, …], with the variables of a store; building is held while
// it is built.
func newEvaluator(backend compute.Backend, store *model.Store, data *packed, layout *packing.Layout,
	building *sync.Mutex, build func(scope *model.Scope, batch *layers.Batch) *Node) (*evaluator, error) {
	e := &evaluator{packed: data}
	e.layout = reading(backend, store, data.table.Shape(), func(batch *layers.Batch) *Node {
		out := build(store.RootScope(), batch)
		for v := range store.IterVariables() {
			if v.InUseByGraph(out.Graph()) {
				e.variables = append(e.variables, v)
			}
		}
		return out
	}, layout)[0]
	var err error
	e.exec, err = model.NewExec(backend, store, func(_ *model.Scope, inputs []*Node) []*Node {
		building.Lock()
		defer building.Unlock()
		e.compiled++
		out := build(store.RootScope(), layers.Unpack(e.layout, inputs))
		return []*Node{ConvertDType(out, dtypes.Float32)}
	})
	return e, err
}

// compile compiles the program.
func (e *evaluator) compile() error {
	_, err := e.exec.Compile(e.table.Shape(), shapes.Make(dtypes.Int32, e.layout.Width()))
	return err
}

// outputs returns the outputs for the given complexes, row after row. Outputs that are not finite are an
// error.
func (e *evaluator) outputs(ids []int32) (all []float32, err error) {
	for batch, err := range e.Batches(slices.Chunk(ids, e.layout.Budget.Complexes), e.layout) {
		if err != nil {
			return nil, err
		}
		out, err := e.exec.Call1(e.table, tensors.FromFlatDataAndDimensions(batch.Row, len(batch.Row)))
		if err != nil {
			return nil, err
		}
		columns := out.Shape().Size() / out.Shape().Dimensions[0]
		rows := tensors.MustCopyFlatData[float32](out)[:len(batch.IDs)*columns]
		out.MustFinalizeAll()
		err = outputs.Check(e.data, batch.IDs, rows, columns, func(id []int32) error {
			_, err := e.outputs(id)
			return err
		})
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, nil
}
