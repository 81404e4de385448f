package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	. "github.com/gomlx/gomlx/core/graph"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/synthetic"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Classification is the result of training neural forms whose integrals over
// the chain of a complex, Σ_σ ∫_σ ω_c for class c, are its logits.
type Classification struct {
	Parameters int              `json:"parameters"`
	Losses     Numbers[float64] `json:"losses"` // mean training loss of every epoch
	// TrainLoss and TestLoss are cross-entropies after the last epoch, and
	// GuessLoss is that of equal scores for all classes, which forms that are
	// zero have: the logarithm of the number of classes.
	TrainLoss     train.Score `json:"train_loss"`
	TestLoss      train.Score `json:"test_loss"`
	GuessLoss     train.Score `json:"guess_loss"`
	TrainAccuracy float64     `json:"train_accuracy"` // in percent, after the last epoch
	TestAccuracy  float64     `json:"test_accuracy"`
	// Warning says that training ended with a loss above that of guessing; it
	// is empty where it did not.
	Warning string    `json:"warning,omitempty"`
	Train   Embedding `json:"train"`
	Test    Embedding `json:"test"`
}

// String returns the size and the scores in a line, with the warning if there
// is one.
func (c Classification) String() string {
	s := fmt.Sprintf("%d parameters, training accuracy %.1f %%, test accuracy %.1f %%",
		c.Parameters, c.TrainAccuracy, c.TestAccuracy)
	if c.Warning != "" {
		s += "; " + c.Warning
	}
	return s
}

// score fills in what follows from the two embeddings.
func (c *Classification) score() {
	c.TrainLoss, c.TrainAccuracy = c.Train.evaluate()
	c.TestLoss, c.TestAccuracy = c.Test.evaluate()
	classes := c.Train.Forms()
	c.GuessLoss, c.Warning = train.Score(math.Log(float64(classes))), ""
	if !(c.TrainLoss <= c.GuessLoss) { // as NaN is
		c.Warning = fmt.Sprintf("training ended with loss %.2f, worse than guessing among %d classes (%.2f)",
			c.TrainLoss, classes, c.GuessLoss)
	}
}

// Embedding holds complexes as points: their integrals.
type Embedding struct {
	Points Numbers[float32] `json:"points"` // [G, ℓ]
	Labels []int32          `json:"labels"` // [G]
	// Integrals over the single simplices, [S, ℓ], in the order of the
	// collection; of a convolution, over translations [G, T, ℓ].
	Integrals []float32            `json:"-"`
	Data      *datasets.Collection `json:"-"` // what is embedded
}

// Forms returns ℓ, the dimension of the embedding.
func (e Embedding) Forms() int { return len(e.Points) / max(1, len(e.Labels)) }

// evaluate returns the mean cross-entropy with the integrals as logits, and the accuracy in percent.
func (e Embedding) evaluate() (loss train.Score, accuracy float64) {
	seen := train.Predictions{Values: e.Points, Labels: e.Labels}
	mean, scores := train.Classes{Count: e.Forms()}.Evaluate(seen)
	return train.Score(mean), float64(scores.Accuracy)
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

// classifier classifies complexes by what one form for each class sees of them.
type classifier struct {
	Network
	name        string
	seed        uint32
	sample      func(perClass int, seed uint64, part synthetic.Part) (*datasets.Collection, error)
	train, test int // complexes of each class
	// see builds what forms see of complexes in tables, [G, items, ℓ]: sums over
	// the items are logits. An item is a simplex, unless complexes are tested one
	// by one, since what is seen of all of them would fill memory.
	see      func(form exterior.Form, tables []*Node) *Node
	oneByOne bool
}

// run makes the data, trains the forms and tests them. Unless it is nil, field is
// filled with what was learned.
func (c classifier) run(ctx context.Context, backend compute.Backend, report func(Step), field *Field) (
	r Classification, err error) {
	if err := c.check(); err != nil {
		return r, err
	}
	trainData, err := c.sample(c.train, uint64(c.seed), synthetic.Train)
	if err != nil {
		return r, err
	}
	testData, err := c.sample(c.test, uint64(c.seed), synthetic.Test)
	if err != nil {
		return r, err
	}
	forms := func(scope *model.Scope) exterior.Form {
		return c.forms(scope, trainData.Dim, trainData.Degree(), len(trainData.Classes))
	}
	loss := func(scope *model.Scope, tables []*Node, rows *Node) *Node {
		batch := gatherRows(tables, rows)
		logits := ReduceSum(c.see(forms(scope), batch), 1)
		return layers.CrossEntropy(logits, batch[3], Equal(rows, rows), nil)
	}
	l, err := newLearner(backend, c.seed, c.optimizer(), trainData.Len(), train.Tables(trainData), loss)
	if err != nil {
		return r, err
	}
	defer l.close()
	if r.Losses, err = l.train(ctx, c.name, c.Network, report); err != nil {
		return r, err
	}
	r.Parameters = l.parameters()
	if r.Train, err = c.embed(backend, l, forms, trainData); err != nil {
		return r, err
	}
	if r.Test, err = c.embed(backend, l, forms, testData); err != nil {
		return r, err
	}
	r.score()
	if field != nil {
		err = field.fill(backend, l, forms)
	}
	return r, err
}

// gatherRows returns the rows of tables with the given numbers, [B].
func gatherRows(tables []*Node, rows *Node) []*Node {
	batch := make([]*Node, len(tables))
	for i, t := range tables {
		batch[i] = Gather(t, ExpandAxes(rows, -1))
	}
	return batch
}

// embed returns what the forms of a learner see of complexes, summed up.
func (c classifier) embed(backend compute.Backend, l *learner, forms func(*model.Scope) exterior.Form,
	data *datasets.Collection) (Embedding, error) {
	all := train.Tables(data)[:3]
	calls := [][]*tensors.Tensor{all}
	build := func(scope *model.Scope, in []*Node) *Node { return c.see(forms(scope), in) }
	if c.oneByOne {
		calls = nil
		for g := range data.Len() {
			calls = append(calls, append(slices.Clip(all), tensors.FromScalar(int32(g))))
		}
		build = func(scope *model.Scope, in []*Node) *Node {
			return c.see(forms(scope), gatherRows(in[:3], Reshape(in[3], 1)))
		}
	}
	seen, err := l.evaluate(backend, build, calls...)
	if err != nil {
		return Embedding{}, err
	}
	count, width := len(data.Classes), len(seen)/data.Len()
	e := Embedding{Labels: data.Labels, Data: data, Points: make([]float32, data.Len()*count)}
	for g := range data.Len() {
		row := seen[g*width : (g+1)*width]
		if !c.oneByOne {
			row = row[:data.Count(data.Degree(), g)*count] // without padding
		}
		for i, v := range row {
			e.Points[g*count+i%count] += v
		}
		e.Integrals = append(e.Integrals, row...)
	}
	return e, nil
}
