package models

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"path"
	"slices"
	"sync"

	"github.com/dustin/go-humanize/english"
	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"
	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Predictor is a trained model that is ready to predict. Any number of
// goroutines may ask it at once. A program is compiled for every power of two
// that batches are padded to, when the first of that shape comes.
type Predictor struct {
	*Saved
	model    Model
	backend  compute.Backend
	mu       sync.Mutex
	programs map[*packing.Layout]*program
	compared bool // whether the weights were found to be those of the network
}

// Load reads a model that `nkf train` has saved in a folder, to predict on a
// backend.
func Load(folder string, backend compute.Backend) (*Predictor, error) {
	m, err := Read(folder)
	if err != nil {
		return nil, err
	}
	return m.On(backend)
}

// On makes the model ready to predict on a backend. The model must not be
// changed afterwards.
func (m *Saved) On(backend compute.Backend) (*Predictor, error) {
	network, err := Lookup(m.Model, m.Size)
	if err != nil {
		return nil, m.fail(err)
	}
	return &Predictor{Saved: m, model: network, backend: backend,
		programs: map[*packing.Layout]*program{}}, nil
}

// Prediction is what a model says of a complex.
type Prediction struct {
	Class         string    `json:"class,omitempty"`         // the most probable
	Probabilities []float64 `json:"probabilities,omitempty"` // by class
	// Values are, by task, numbers or probabilities of 1; they stand in place
	// of a class.
	Values map[string]float64 `json:"values,omitempty"`
	// Unseen counts the vertices of which the model can know nothing: atoms of
	// elements, or nodes with labels or degrees, that training did not have.
	Unseen int `json:"unseen,omitempty"`
	// Far is set of a path with observations far outside of what training had.
	Far *Far `json:"far,omitempty"`
	// Outputs are the outputs of the network: logits of classes or of tasks, or
	// the numbers of a regression.
	Outputs []float32 `json:"-"`
}

// Far is the observation of a path that is farthest outside of what training had.
// It is farther from the mean of the observations trained on than twice the
// farthest of these, and than 3 standard deviations, see [series.Preparation.Far].
type Far struct {
	Column     string  `json:"column"`     // the coordinate
	Deviations float64 `json:"deviations"` // from the mean, in standard deviations
}

// The largest batches: of so many complexes, or of complexes with so many
// vertices and simplices in all unless a single one has more.
const (
	maxComplexes = 64
	maxRows      = 8192
)

// bulk is the number of complexes past which it pays to compile programs for
// these alone, in which simplices that are alike, as in molecules, are integrated
// once.
const bulk = 2048

// Predict predicts the classes or values of complexes, whose own do not count.
// Their coordinates have to be what the model was trained on. It is an error if
// they have another number of coordinates or simplices of another dimension, if
// the weights are not those of the network, if an output is not finite, which tells of coordinates too large, or if the
// context ends: it is asked before every batch, and of more than 2048
// complexes, which are predicted at once, before and after. Of complexes whose
// simplices have labels, known or not, the predictions are those of the
// simplices, complex after complex.
func (p *Predictor) Predict(ctx context.Context, data *datasets.Collection) ([]Prediction, error) {
	if err := data.Validate(); err != nil {
		return nil, err
	}
	if err := context.Cause(ctx); err != nil || data.Len() == 0 {
		return nil, err
	}
	if data.Dim != p.Dim || data.Degree() != p.Degree {
		return nil, p.fail(fmt.Errorf("%s has %s and simplices of dimension %d, the model of %s takes %s "+
			"and dimension %d: it is another kind of data", cmp.Or(data.Name, "the collection"),
			coordinates(data.Dim), data.Degree(), p.Dataset, coordinates(p.Dim), p.Degree))
	}
	packer := packing.New(data)
	if err := p.compare(packer); err != nil {
		return nil, err
	}
	out := make([]Prediction, 0, data.Len())
	if data.Len() > bulk {
		build, err := p.model.Build(p.input())
		if err != nil {
			return nil, err
		}
		weights, err := p.Store()
		if err != nil {
			return nil, err
		}
		all, err := train.Predict(p.backend, train.Task{Data: data, Model: build}, weights)
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		if err != nil {
			return nil, p.fail(err)
		}
		for row := range slices.Chunk(all, len(p.outputs())) {
			out = append(out, p.prediction(row))
		}
		return out, nil
	}
	for from := 0; from < data.Len(); {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		ids := chunk(data, from)
		outputs, err := p.outputsOf(data, packer, ids)
		if err != nil {
			return nil, err
		}
		for row := range slices.Chunk(outputs, len(p.outputs())) {
			out = append(out, p.prediction(row))
		}
		from += len(ids)
	}
	return out, nil
}

// coordinates says how many coordinates a vertex has.
func coordinates(n int) string { return english.Plural(n, "coordinate", "") + " a vertex" }

// input returns what the network is built for.
func (m *Saved) input() Input {
	return Input{Degree: m.Degree, Outputs: len(m.outputs()), Preparation: m.Preparation}
}

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

// values returns what a program of a layout makes of complexes, padding included.
func (p *Predictor) values(data *datasets.Collection, packer *packing.Packer, ids []int32,
	compiled func(*packing.Layout) (*program, error)) ([]float32, error) {
	budget := packer.Holding(packing.Budget{}, ids)
	rows := powerOfTwo(slices.Max(budget.Rows))
	for i := range budget.Rows { // one size for all, so that there are few shapes
		budget.Rows[i] = rows
	}
	budget.Complexes = powerOfTwo(len(ids))
	program, err := compiled(packer.Layout(budget))
	if err != nil {
		return nil, err
	}
	row := make([]int32, program.layout.Width())
	if ok, err := packer.Pack(program.layout, ids, row); err != nil {
		return nil, err
	} else if !ok {
		return nil, fmt.Errorf("%d complexes of %s do not fit a batch of %d rows", len(ids), data.Name, rows)
	}
	vertices := make([]float32, 0, rows*data.Dim)
	for _, id := range ids {
		vertices = append(vertices, packing.Round(data.Points(int(id)))...)
	}
	result, err := program.exec.Call(
		tensors.FromFlatDataAndDimensions(vertices[:rows*data.Dim], rows, data.Dim), // zeros for padding
		tensors.FromFlatDataAndDimensions(row, len(row)))
	if err != nil {
		return nil, fmt.Errorf("the model of %s, on %s: %w", p.Dataset, data.Name, err)
	}
	defer result[0].MustFinalizeAll()
	return tensors.CopyFlatData[float32](result[0])
}

// outputsOf returns the outputs for complexes, row after row.
func (p *Predictor) outputsOf(data *datasets.Collection, packer *packing.Packer, ids []int32) ([]float32,
	error) {
	all, err := p.values(data, packer, ids, p.program)
	if err != nil {
		return nil, err
	}
	rows := 0
	for _, id := range ids {
		if data.Labeled() < 0 {
			rows++
		}
		rows += len(data.LabelsOf(int(id)))
	}
	all = all[:rows*len(p.outputs())]
	for _, v := range all {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			// It may have come from another in a product: alone, it is its own.
			for j := 0; len(ids) > 1 && j < len(ids); j++ {
				if _, err := p.outputsOf(data, packer, ids[j:j+1]); err != nil {
					return nil, err
				}
			}
			return nil, p.fail(fmt.Errorf("complex %d (from 0) of %q has the output %v: check its coordinates, "+
				"their sizes above all", ids[0], data.Name, v))
		}
	}
	return all, nil
}

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
	network, err := p.model.Build(p.input())
	if err != nil {
		panic(err)
	}
	out := train.Together(network(store.RootScope(), batch),
		datasets.Info{Tasks: p.Tasks, Regression: p.Numbers})
	out = ConvertDType(out, dtypes.Float32)
	if p.Numbers {
		units := func(name string) *Node {
			return store.RootScope().At(train.UnitsScope).VariableWithShape(name,
				shapes.Make(dtypes.Float32, 1, len(p.Tasks))).NodeValue(out)
		}
		out = Add(Mul(out, units("deviation")), units("mean"))
	}
	return out
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
			Parameter(g, "vertices", shapes.Make(dtypes.Float32, rows, p.Dim)),
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
	if m.file == "" {
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

// prediction returns what outputs mean.
func (p *Predictor) prediction(outputs []float32) Prediction {
	out := Prediction{Outputs: outputs}
	if p.Tasks == nil {
		out.Class = p.Classes[slices.Index(outputs, slices.Max(outputs))]
		for _, logit := range outputs {
			out.Probabilities = append(out.Probabilities, float64(logit))
		}
		total := floats.LogSumExp(out.Probabilities)
		for c, logit := range out.Probabilities {
			out.Probabilities[c] = math.Exp(logit - total)
		}
		return out
	}
	out.Values = map[string]float64{}
	for t, task := range p.Tasks {
		out.Values[task] = float64(outputs[t])
		if !p.Numbers {
			out.Values[task] = 1 / (1 + math.Exp(-float64(outputs[t])))
		}
	}
	return out
}
