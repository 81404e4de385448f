package models

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/dustin/go-humanize/english"
	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/nkfx/internal/outputs"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Predictor is a trained model that is ready to predict. Any number of goroutines may use it at once. Batches
// are padded to powers of two; a program is compiled at the first batch of each size.
type Predictor struct {
	*Saved
	model    Model
	backend  compute.Backend
	mu       sync.Mutex
	programs map[*packing.Layout]*program
}

// program computes the outputs for batches of one layout.
type program struct {
	layout *packing.Layout // with the vertices themselves in place of rows of a table
	exec   *Exec
}

// Load reads a model that `nkf train` has saved in a folder, to predict on a backend.
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
	network, err := m.network()
	if err != nil {
		return nil, m.fail(err)
	}
	return &Predictor{Saved: m, model: network, backend: backend,
		programs: map[*packing.Layout]*program{}}, nil
}

// Prediction is the prediction of a model for a complex.
type Prediction struct {
	Class         string    `json:"class,omitempty"`         // the most probable
	Probabilities []float64 `json:"probabilities,omitempty"` // by class
	// Values are, by task, numbers or probabilities of 1; they stand in place
	// of a class.
	Values map[string]float64 `json:"values,omitempty"`
	// Unseen counts the vertices unknown to the model: atoms of elements, or nodes
	// with labels or degrees, that did not occur in training.
	Unseen int `json:"unseen,omitempty"`
	// Label is the true class where the data have it.
	Label string `json:"label,omitempty"`
	// Truth holds the true values of the tasks, NaN where unknown; nil where the data have none.
	Truth []float32 `json:"-"`
	// Outputs are the outputs of the network: logits of classes or of tasks, or
	// the numbers of a regression.
	Outputs []float32 `json:"-"`
}

// bulk is the number of complexes above which compiling programs just for them
// pays off; the programs integrate equal simplices, as in molecules, once.
const bulk = 2048

// Predict predicts the classes or values of data of the kind that the model was trained on, or of a
// *datasets.Collection with coordinates like those. It is an error if the data are of another kind or have
// other columns, if the weights are not those of the network, if an output is not finite, because coordinates
// are too large, or if the context ends. The context is checked between batches; more than 2048 complexes are
// predicted at once, without checks in between.
func (p *Predictor) Predict(ctx context.Context, source datasets.Source) ([]Prediction, error) {
	data, novelty, err := p.encode(source)
	if err != nil {
		return nil, err
	}
	if err := context.Cause(ctx); err != nil || data.Len() == 0 {
		return nil, err
	}
	in := InputOf(data)
	if in.Dim != p.Input.Dim || in.Degree != p.Input.Degree {
		return nil, p.fail(fmt.Errorf("%s has %s and simplices of dimension %d, the model of %s takes %s "+
			"and dimension %d: it is another kind of data", cmp.Or(data.Name, "the collection"),
			coordinates(in.Dim), in.Degree, p.Dataset, coordinates(p.Input.Dim), p.Input.Degree))
	}
	if _, err := p.model.For(data); err != nil {
		return nil, p.fail(err)
	}
	asked := *data // with the classes or tasks of the model
	asked.Classes, asked.Tasks, asked.Regression = p.Classes, p.Tasks, p.Regression
	asked.Labels, asked.Targets = make([]int32, data.Len()), make([]float32, data.Len()*len(p.Tasks))
	all, err := p.outputsOfAll(ctx, &asked)
	if err != nil {
		return nil, err
	}
	out := make([]Prediction, 0, data.Len())
	for row := range slices.Chunk(all, len(p.outputs())) {
		out = append(out, p.prediction(row))
	}
	p.annotate(out, source.Describe(), data, novelty)
	return out, nil
}

// encode returns the collection that a source is to the model, and what is new in it.
func (p *Predictor) encode(source datasets.Source) (*datasets.Collection, datasets.Novelty, error) {
	if data, ok := source.(*datasets.Collection); ok || source == nil {
		return data, datasets.Novelty{}, data.Validate()
	}
	novelty, err := p.Compare(source)
	if err != nil {
		return nil, novelty, err
	}
	data, err := p.Encoder.Encode(source)
	return data, novelty, p.fail(err)
}

// comparer is an encoder of data with values that a model may not know.
type comparer interface {
	// Compare reports what is new in the source, compared with the one that the encoder was made from.
	Compare(datasets.Source) (datasets.Novelty, error)
}

// Compare reports contents of the source that did not occur in training. It is an error if the model cannot
// read the source.
func (m *Saved) Compare(source datasets.Source) (novelty datasets.Novelty, err error) {
	if kind := source.Kind(); kind != m.Encoder.Kind {
		return novelty, m.fail(fmt.Errorf("the model was trained on the %s of %s, and %s has %s",
			m.Encoder.Kind, m.Dataset, cmp.Or(source.Describe().Name, "the data set"), kind))
	}
	if e, ok := m.Encoder.Encoder.(comparer); ok {
		novelty, err = e.Compare(source)
	}
	return novelty, m.fail(err)
}

// PredictSMILES predicts the class or values of a molecule. It is an error if the text is not a SMILES.
func (p *Predictor) PredictSMILES(text string) (Prediction, error) {
	one, err := moleculenet.FromSMILES(text)
	if err != nil {
		return Prediction{}, err
	}
	out, err := p.Predict(context.Background(), one)
	if err != nil {
		return Prediction{}, err
	}
	return out[0], nil
}

// annotate adds to predictions what is known of their complexes.
func (p *Predictor) annotate(all []Prediction, truth datasets.Info, data *datasets.Collection,
	n datasets.Novelty) {
	for g := range all {
		x := &all[g]
		if n.Vertices != nil {
			x.Unseen = n.Vertices[g]
		}
		if truth.Classes != nil {
			x.Label = data.Classes[data.Labels[g]]
		}
		if k := len(truth.Tasks); k > 0 && k == len(p.Tasks) {
			x.Truth = data.Targets[g*k : (g+1)*k]
		}
	}
}

// outputsOfAll returns the outputs for all complexes, row after row.
func (p *Predictor) outputsOfAll(ctx context.Context, data *datasets.Collection) (all []float32, err error) {
	if data.Len() > bulk {
		build := p.model.Build(p.Input.Outputs)
		weights, err := p.Store()
		if err != nil {
			return nil, err
		}
		all, err := train.Predict(p.backend, train.Task{Data: data, Model: build}, weights)
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		return all, p.fail(err)
	}
	packer := packing.New(data)
	for from := 0; from < data.Len(); {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		ids := chunk(data, from)
		rows, err := p.outputsOf(data, packer, ids)
		if err != nil {
			return nil, p.fail(err)
		}
		all = append(all, rows...)
		from += len(ids)
	}
	return all, nil
}

// coordinates says how many coordinates a vertex has.
func coordinates(n int) string { return english.Plural(n, "coordinate", "") + " a vertex" }

// outputsOf returns the outputs for complexes, row after row.
func (p *Predictor) outputsOf(data *datasets.Collection, packer *packing.Packer, ids []int32) ([]float32,
	error) {
	budget := packer.Holding(packing.Budget{}, ids)
	rows := outputs.Padded(slices.Max(budget.Rows))
	// One size for all, so that there are few shapes.
	budget = budget.Combine(budget, func(int, int) int { return rows })
	budget.Complexes = outputs.Padded(len(ids))
	program, err := p.program(packer.Layout(budget))
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
		return nil, fmt.Errorf("the network %q with these weights, on %s: %s; train again if they are "+
			"those of another network", p.Saved.Model, data.Name, cause(err))
	}
	defer result[0].MustFinalizeAll()
	all, err := tensors.CopyFlatData[float32](result[0])
	if err != nil {
		return nil, err
	}
	columns := len(p.outputs())
	all = all[:len(ids)*columns]
	err = outputs.Check(data, ids, all, columns, func(id []int32) error {
		_, err := p.outputsOf(data, packer, id)
		return err
	})
	return all, err
}

// program returns the program of a layout. Every graph has a store of its own, so that several can be built
// at once, with the weights as constants.
func (p *Predictor) program(layout *packing.Layout) (*program, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known := p.programs[layout]; known != nil {
		return known, nil
	}
	network := p.model.Build(p.Input.Outputs)
	own := layout.WithoutTable()
	exec, err := NewExec(p.backend, func(vertices, row *Node) *Node {
		store, err := p.Store()
		if err != nil {
			panic(err)
		}
		scope := store.WithVariableAsConst(true).RootScope()
		batch := layers.Unpack(own, []*Node{vertices, row})
		kind := datasets.Info{Tasks: p.Tasks, Regression: p.Regression}
		return ConvertDType(train.Predicted(scope, network(scope, batch), kind), dtypes.Float32)
	})
	if err != nil {
		return nil, err
	}
	p.programs[layout] = &program{own, exec.WithName(p.Saved.Model)} // for errors
	return p.programs[layout], nil
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
		if !p.Regression {
			out.Values[task] = 1 / (1 + math.Exp(-float64(outputs[t])))
		}
	}
	return out
}

// A batch has at most so many complexes, and so many vertices and simplices unless a single complex has more.
const maxComplexes, maxRows = 64, 8192

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
