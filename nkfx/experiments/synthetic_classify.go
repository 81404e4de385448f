package experiments

import (
	"context"
	"fmt"
	"math"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"gonum.org/v1/gonum/floats"

	. "github.com/gomlx/gomlx/core/graph"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Classification is what became of neural forms whose integrals over the
// chain of a complex, Σ_σ ∫_σ ω_c for class c, are its logits.
type Classification struct {
	Parameters int       `json:"parameters"`
	Losses     []float64 `json:"losses"` // mean training loss of every epoch
	// TrainLoss and TestLoss are cross-entropies after the last epoch, and
	// GuessLoss is that of equal scores for all classes, which forms that are
	// zero have: the logarithm of the number of classes.
	TrainLoss     float64 `json:"train_loss"`
	TestLoss      float64 `json:"test_loss"`
	GuessLoss     float64 `json:"guess_loss"`
	TrainAccuracy float64 `json:"train_accuracy"` // in percent, after the last epoch
	TestAccuracy  float64 `json:"test_accuracy"`
	// Warning says that training ended with a loss above that of guessing; it
	// is empty where it did not.
	Warning string    `json:"warning,omitempty"`
	Train   Embedding `json:"train"`
	Test    Embedding `json:"test"`
}

// String returns the size and the scores in a line, with the warning if there
// is one.
func (c Classification) String() string {
	s := fmt.Sprintf("%d parameters, %.1f %% of training data right, %.1f %% of test data",
		c.Parameters, c.TrainAccuracy, c.TestAccuracy)
	if c.Warning != "" {
		s += "; " + c.Warning
	}
	return s
}

// score fills in what follows from the two embeddings.
func (c *Classification) score() {
	c.TrainAccuracy, c.TestAccuracy = c.Train.accuracy(), c.Test.accuracy()
	c.TrainLoss, c.TestLoss = c.Train.loss(), c.Test.loss()
	classes := c.Train.Forms()
	c.GuessLoss, c.Warning = math.Log(float64(classes)), ""
	if !(c.TrainLoss <= c.GuessLoss) { // as NaN is
		c.Warning = fmt.Sprintf("training ended with loss %.2f, worse than guessing among %d classes (%.2f)",
			c.TrainLoss, classes, c.GuessLoss)
	}
}

// Embedding holds complexes as points: their integrals.
type Embedding struct {
	Points []float32 `json:"points"` // [G, ℓ]
	Labels []int32   `json:"labels"` // [G]
	// Integrals over the single simplices, [S, ℓ], in the order of the
	// collection.
	Integrals []float32            `json:"-"`
	Data      *datasets.Collection `json:"-"` // what is embedded
}

// Forms returns ℓ, the dimension of the embedding.
func (e Embedding) Forms() int { return len(e.Points) / max(1, len(e.Labels)) }

// accuracy returns the share of complexes whose largest integral is that of
// their class, in percent.
func (e Embedding) accuracy() float64 {
	p := train.Predictions{Logits: e.Points, Labels: e.Labels, Classes: e.Forms()}
	return 100 * p.Accuracy()
}

// loss returns the mean cross-entropy with the integrals as logits.
func (e Embedding) loss() float64 {
	sum, row := 0.0, make([]float64, e.Forms())
	for g, label := range e.Labels {
		for j := range row {
			row[j] = float64(e.Points[g*len(row)+j])
		}
		sum += floats.LogSumExp(row) - row[label]
	}
	return sum / float64(len(e.Labels))
}

// tables returns a collection as tables with a row for every complex:
// vertices [G, V, n], simplices [G, S, k+1], which of these are there [G, S],
// and labels [G].
func tables(c *datasets.Collection) []*tensors.Tensor {
	k, v, s := c.Degree(), 0, 0
	for g := range c.Len() {
		v, s = max(v, c.Count(0, g)), max(s, c.Count(k, g))
	}
	corners := k + 1
	points := make([]float32, c.Len()*v*c.Dim)
	simplices := make([]int32, c.Len()*s*corners)
	present := make([]float32, c.Len()*s)
	for g := range c.Len() {
		p, q := c.Points(g), c.Corners(k, g)
		copy(points[g*v*c.Dim:], p)
		copy(simplices[g*s*corners:], q)
		for i := range len(q) / corners {
			present[g*s+i] = 1
		}
	}
	return []*tensors.Tensor{
		tensors.FromFlatDataAndDimensions(points, c.Len(), v, c.Dim),
		tensors.FromFlatDataAndDimensions(simplices, c.Len(), s, corners),
		tensors.FromFlatDataAndDimensions(present, c.Len(), s),
		tensors.FromFlatDataAndDimensions(c.Labels, c.Len()),
	}
}

// integrals returns the integrals over all simplices of complexes in tables,
// [G, S, ℓ], zero where there is no simplex.
func integrals(form exterior.Form, tables []*Node) *Node {
	vertices, simplices, present := tables[0], tables[1], tables[2]
	d := vertices.Shape().Dimensions
	g, v, n := d[0], d[1], d[2]
	s, corners := simplices.Shape().Dimensions[1], simplices.Shape().Dimensions[2]
	first := MulScalar(Iota(simplices.Graph(), simplices.Shape(), 0), v)
	x := exterior.Integrate(form, Reshape(vertices, g*v, n), Reshape(Add(simplices, first), g*s, corners))
	x = Mul(x, Reshape(present, g*s, 1))
	return Reshape(x, g, s, x.Shape().Dimensions[1])
}

// classify trains forms on one collection and tests them on another. The
// learner it returns is the caller's to close.
func classify(ctx context.Context, backend compute.Backend, name string, n Network, seed uint32,
	trainData, testData *datasets.Collection, report func(Step)) (*Classification, *learner, error) {
	if err := n.check(); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	forms := func(scope *model.Scope) exterior.Form {
		return n.forms(scope, trainData.Dim, trainData.Degree(), len(trainData.Classes))
	}
	loss := func(scope *model.Scope, tables []*Node, rows *Node) *Node {
		batch := make([]*Node, len(tables))
		for i, t := range tables {
			batch[i] = Gather(t, ExpandAxes(rows, -1))
		}
		logits := ReduceSum(integrals(forms(scope), batch), 1)
		all := Equal(rows, rows)
		centre := ReduceAllMean(Square(ReduceSum(logits, 1)))
		return Add(layers.CrossEntropy(logits, batch[3], all, nil), MulScalar(centre, n.Centre))
	}
	l, err := newLearner(backend, seed, n.optimizer(), trainData.Len(), tables(trainData), loss)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	r := &Classification{}
	if r.Losses, err = l.train(ctx, name, n, report); err != nil {
		l.close()
		return nil, nil, err
	}
	r.Parameters = l.parameters()
	embed := func(data *datasets.Collection) (Embedding, error) {
		e := Embedding{Labels: data.Labels, Data: data}
		in := tables(data)
		x, err := l.evaluate(backend, func(scope *model.Scope, in []*Node) *Node {
			return integrals(forms(scope), in)
		}, in[:3]...)
		if err != nil {
			return e, fmt.Errorf("%s: %w", name, err)
		}
		count := len(data.Classes)
		width := len(x) / data.Len()
		e.Points = make([]float32, data.Len()*count)
		for g := range data.Len() {
			simplices := data.Count(data.Degree(), g)
			row := x[g*width:][:simplices*count]
			for i, v := range row {
				e.Points[g*count+i%count] += v
			}
			e.Integrals = append(e.Integrals, row...)
		}
		return e, nil
	}
	if r.Train, err = embed(trainData); err == nil {
		r.Test, err = embed(testData)
	}
	if err != nil {
		l.close()
		return nil, nil, err
	}
	r.score()
	return r, l, nil
}
