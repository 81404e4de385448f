package models

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/dustin/go-humanize/english"
	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/ml/model"
	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Predictor is a trained model that is ready to predict, as [train.Predictor] does. Any number of goroutines
// may use it at once.
type Predictor struct {
	*Saved
	network Named
	outputs *train.Predictor
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
	var weights *model.Store
	if err == nil {
		weights, err = m.Store()
	}
	if err != nil {
		return nil, m.fail(err)
	}
	data := datasets.Info{Name: m.Dataset, Classes: m.Classes, Tasks: m.Tasks, Regression: m.Regression}
	p, err := train.NewPredictor(backend, network.Build(m.Input.Outputs), data, weights)
	if err != nil {
		return nil, m.fail(err)
	}
	return &Predictor{m, network, p}, nil
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

// Predict predicts the classes or values of data of the kind that the model was trained on, or of a
// *datasets.Collection with coordinates like those. It is an error if the data are of another kind or have
// other columns, if the weights are not those of the network, if an output is not finite, because coordinates
// are too large, or if the context ends, which is checked between batches.
func (p *Predictor) Predict(ctx context.Context, source datasets.Source) (all []Prediction, err error) {
	for prediction, err := range p.Each(ctx, source) {
		if err != nil {
			return nil, err
		}
		all = append(all, prediction)
	}
	return all, nil
}

// Each yields the predictions of [Predictor.Predict] one by one, as they are made. It ends with an error if
// there is one.
func (p *Predictor) Each(ctx context.Context, source datasets.Source) iter.Seq2[Prediction, error] {
	return func(yield func(Prediction, error) bool) {
		data, novelty, err := p.encode(source)
		if err != nil {
			yield(Prediction{}, err)
			return
		}
		truth, g := datasets.Info{}, 0
		if data.Len() > 0 {
			truth, err = source.Describe(), p.takes(data)
		}
		if err != nil {
			yield(Prediction{}, p.fail(err))
			return
		}
		for rows, err := range p.outputs.Batches(ctx, data) {
			if err != nil {
				yield(Prediction{}, p.fail(err))
				return
			}
			for row := range slices.Chunk(rows, len(p.Saved.outputs())) {
				x := p.prediction(row)
				p.annotate(&x, g, truth, data, novelty)
				if g++; !yield(x, nil) {
					return
				}
			}
		}
	}
}

// takes returns an error unless the data are like those that the model was trained on.
func (p *Predictor) takes(data *datasets.Collection) error {
	in := inputOf(data)
	if in.Dim != p.Input.Dim || in.Degree != p.Input.Degree {
		return fmt.Errorf("%s has %s and simplices of dimension %d, the model of %s takes %s "+
			"and dimension %d: it is another kind of data", cmp.Or(data.Name, "the collection"),
			coordinates(in.Dim), in.Degree, p.Dataset, coordinates(p.Input.Dim), p.Input.Degree)
	}
	_, err := p.network.For(data)
	return err
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

// annotate adds to a prediction what is known of its complex g.
func (p *Predictor) annotate(x *Prediction, g int, truth datasets.Info, data *datasets.Collection,
	n datasets.Novelty) {
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

// coordinates says how many coordinates a vertex has.
func coordinates(n int) string { return english.Plural(n, "coordinate", "") + " a vertex" }

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
