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
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/nkfx/internal/outputs"
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
	// Unseen counts the vertices unknown to the model: atoms of elements, or nodes
	// with labels or degrees, that did not occur in training.
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

// The limits of a batch: the number of complexes, and the total number of their
// vertices and simplices unless a single complex has more.
const (
	maxComplexes = 64
	maxRows      = 8192
)

// bulk is the number of complexes above which compiling programs just for them
// pays off; the programs integrate equal simplices, as in molecules, once.
const bulk = 2048

// Predict predicts the classes or values of complexes, whose own do not count.
// Their coordinates have to be what the model was trained on. It is an error if
// they have another number of coordinates or simplices of another dimension, if
// the weights are not those of the network, if an output is not finite, which tells of coordinates too large,
// or if the context ends: it is asked before every batch, and of more than 2048 complexes, which are
// predicted at once, before and after. Of complexes whose simplices have labels, known or not, the
// predictions are those of the simplices, complex after complex.
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
		rows, err := p.outputsOf(data, packer, ids)
		if err != nil {
			return nil, p.fail(err)
		}
		for row := range slices.Chunk(rows, len(p.outputs())) {
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
	// One size for all, so that there are few shapes.
	budget = budget.Combine(budget, func(int, int) int { return rows })
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
	columns := len(p.outputs())
	all = all[:outputs.Rows(data, ids...)*columns]
	err = outputs.Check(data, ids, all, columns, func(id []int32) error {
		_, err := p.outputsOf(data, packer, id)
		return err
	})
	return all, err
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
