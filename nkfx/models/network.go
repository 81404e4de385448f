package models

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math/bits"
	"path"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// program is what batches of one layout are computed by.
type program struct {
	layout *packing.Layout // with the vertices themselves in place of rows of a table
	exec   *Exec
}

// program returns the program of a layout, of which there is one.
func (p *Predictor) program(layout *packing.Layout) (*program, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known := p.programs[layout]; known != nil {
		return known, nil
	}
	made, err := p.compile(layout, p.build)
	if err != nil {
		return nil, err
	}
	p.programs[layout] = made
	return made, nil
}

// compile returns a program for batches of a layout.
func (p *Predictor) compile(layout *packing.Layout, build func(*layers.Batch) *Node) (*program, error) {
	own := layout.WithoutTable()
	exec, err := NewExec(p.backend, func(vertices, row *Node) *Node {
		return build(layers.Unpack(own, []*Node{vertices, row}))
	})
	if err != nil {
		return nil, fmt.Errorf("the model of %s: %w", p.Dataset, err)
	}
	return &program{own, exec}, nil
}

// powerOfTwo returns the lowest power of two from n on, n 1 or more.
func powerOfTwo(n int) int { return 1 << bits.Len(uint(n-1)) }

// build builds the outputs of a batch on the graph: numbers are in the units of
// the data. Every graph has a store of its own, so that several can be built at
// once, with the weights as constants.
func (p *Predictor) build(batch *layers.Batch) *Node {
	store, err := p.Store()
	if err != nil {
		panic(err)
	}
	return p.network(store.WithVariableAsConst(true), batch)
}

// network builds the outputs of a batch with the variables of a store.
func (p *Predictor) network(store *model.Store, batch *layers.Batch) *Node {
	network, err := p.model.Build(p.Input)
	if err != nil {
		panic(err)
	}
	out := train.Predicted(store.RootScope(), network(store.RootScope(), batch),
		datasets.Info{Tasks: p.Tasks, Regression: p.Regression})
	return ConvertDType(out, dtypes.Float32)
}

// compare returns an error unless the weights are those of the network: it builds
// the network on a graph that is never compiled, with variables that have shapes
// and no values, so that no size takes memory. It does so once.
func (p *Predictor) compare(packer *packing.Packer) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.compared {
		return nil
	}
	layout := packer.Layout(packer.Holding(packing.Budget{}, []int32{0})).WithoutTable()
	rows := layout.Budget.Rows[0]
	wanted, g := model.NewStore(), NewGraph(p.backend, "weights")
	defer g.Finalize()
	err := exceptions.TryCatch[error](func() {
		p.network(wanted, layers.Unpack(layout, []*Node{
			Parameter(g, "vertices", shapes.Make(dtypes.Float32, rows, p.Input.Dim)),
			Parameter(g, "row", shapes.Make(dtypes.Int32, layout.Width()))}))
	})
	if err != nil {
		return p.fail(fmt.Errorf("the network %q cannot be built for the data of %s: %w", p.Saved.Model,
			p.Dataset, err))
	}
	if fault := misfit(wanted, g, p.Weights); fault != "" {
		return p.fail(fmt.Errorf("the weights are not those of the network %q: %s; train again",
			p.Saved.Model, fault))
	}
	p.compared = true
	return nil
}

// misfit names the first variable in which weights are not those that the network
// on a graph has, "" if there is none.
func misfit(wanted *model.Store, g *Graph, weights []Weight) string {
	shape := map[string][]int{}
	for _, w := range weights {
		shape[w.Path] = w.Dims
	}
	for v := range wanted.IterVariables() {
		if !v.InUseByGraph(g) {
			continue // has no value to predict with
		}
		dims, there := shape[v.Path()]
		if want := v.Shape().Dimensions; !there || !slices.Equal(dims, want) {
			has := fmt.Sprintf("has the shape %v", dims)
			if !there {
				has = "is missing"
			}
			return fmt.Sprintf("the variable %s %s, and is to have %v", v.Path(), has, want)
		}
		delete(shape, v.Path())
	}
	for _, name := range slices.Sorted(maps.Keys(shape)) {
		return fmt.Sprintf("it has no variable %q", name)
	}
	return ""
}

// fail returns an error about the model, with the file that it was read from.
func (m *Saved) fail(err error) error {
	if m.file == "" || err == nil {
		return err
	}
	return fmt.Errorf("%s: %w", m.file, err)
}

// Store returns the weights as variables of GoMLX.
func (m *Saved) Store() (*model.Store, error) {
	store := model.NewStore()
	for _, w := range m.Weights {
		values := make([]float32, len(w.Data)/4)
		if err := binary.Read(bytes.NewReader(w.Data), binary.LittleEndian, values); err != nil {
			return nil, fmt.Errorf("weights of variable %s: %w", w.Path, err)
		}
		_, err := store.Scope(path.Dir(w.Path)).
			CreateVariable(path.Base(w.Path), tensors.FromFlatDataAndDimensions(values, w.Dims...))
		if err != nil {
			return nil, fmt.Errorf("weights of variable %s: %w", w.Path, err)
		}
	}
	return store, nil
}
