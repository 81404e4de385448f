package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
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

// score fills in what follows from the two embeddings, with the loss of the training.
func (c *Classification) score(published bool) {
	c.TrainLoss, c.TrainAccuracy = c.Train.evaluate(published)
	c.TestLoss, c.TestAccuracy = c.Test.evaluate(published)
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

// evaluate returns the mean cross-entropy with the integrals as logits, in the published loss their softmax,
// and the accuracy in percent.
func (e Embedding) evaluate(published bool) (loss train.Score, accuracy float64) {
	seen := train.Predictions{Values: e.Points, Labels: e.Labels}
	if published {
		seen.Values = slices.Clone(e.Points)
		for row := range slices.Chunk(seen.Values, e.Forms()) {
			exps, highest := 0.0, slices.Max(row)
			for _, v := range row {
				exps += math.Exp(float64(v - highest))
			}
			for i, v := range row {
				row[i] = float32(math.Exp(float64(v-highest)) / exps)
			}
		}
	}
	mean, scores := train.Classes{Count: e.Forms()}.Evaluate(seen)
	return train.Score(mean), float64(scores.Accuracy)
}

// classifier classifies complexes by what one form for each class sees of them.
type classifier struct {
	Network
	name        string
	seed        uint32
	sample      func(perClass int, seed uint64, part synthetic.Part) (*datasets.Collection, error)
	train, test int // complexes of each class
	// seen builds what forms see of complexes, [B, items, ℓ]: sums over the items are logits. If it is nil,
	// these are integrals over the simplices.
	seen  func(form exterior.Form, batch *layers.Batch) *Node
	items int
}

// logits builds what forms see of complexes, summed up.
func (c classifier) logits(form exterior.Form, batch *layers.Batch) *Node {
	if c.seen == nil {
		return batch.Readout(layers.Sum, form)
	}
	return ReduceSum(c.seen(form, batch), 1)
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
	store, err := seeded(c.seed)
	if err != nil {
		return r, err
	}
	defer store.Finalize()
	forms := func(scope *model.Scope) exterior.Form {
		return c.forms(scope, trainData.Dim, trainData.Degree(), len(trainData.Classes))
	}
	objective := train.NewObjective(trainData.Info)
	epochs, err := train.NewEpochs(backend, store, c.optimizer(), trainData, c.Batch,
		func(scope *model.Scope, batch *layers.Batch) *Node {
			logits := c.logits(forms(scope), batch)
			if c.Published {
				logits = Softmax(logits)
			}
			return objective.Loss(scope, logits, batch)
		})
	if err != nil {
		return r, err
	}
	defer epochs.Close()
	r.Losses, err = c.Network.train(ctx, c.name, c.seed, trainData.Len(), report,
		func(order []int32, rate float64) (float64, error) {
			return epochs.Run(order, func(int) float64 { return rate })
		})
	if err != nil {
		return r, err
	}
	r.Parameters = parameters(store)
	see := c.over(backend, store, forms)
	if c.seen != nil {
		if see, err = c.each(ctx, backend, store, forms, trainData.Info); err != nil {
			return r, err
		}
	}
	if r.Train, err = c.embed(trainData, see); err != nil {
		return r, err
	}
	if r.Test, err = c.embed(testData, see); err != nil {
		return r, err
	}
	r.score(c.Published)
	if field != nil {
		err = field.fill(backend, store, forms)
	}
	return r, err
}

// embed returns what trained forms see of complexes, and its sums.
func (c classifier) embed(data *datasets.Collection, see func(*datasets.Collection) ([]float32, error)) (
	e Embedding, err error) {
	count, degree := len(data.Classes), data.Degree()
	e = Embedding{Labels: data.Labels, Data: data, Points: make([]float32, data.Len()*count)}
	if e.Integrals, err = see(data); err != nil {
		return e, err
	}
	from := 0
	for g := range data.Len() {
		items := c.items
		if c.seen == nil {
			items = data.Count(degree, g)
		}
		to := from + items*count
		for i, v := range e.Integrals[from:to] {
			e.Points[g*count+i%count] += v
		}
		from = to
	}
	e.Integrals = e.Integrals[:from] // without padding
	return e, nil
}

// over returns a function for the integrals of trained forms over all simplices of complexes, [S, ℓ].
func (c classifier) over(backend compute.Backend, store *model.Store,
	forms func(*model.Scope) exterior.Form) func(*datasets.Collection) ([]float32, error) {
	return func(data *datasets.Collection) ([]float32, error) {
		return values(backend, store, func(scope *model.Scope, g *Graph) *Node {
			return whole(g, data).Integrate(forms(scope))
		})
	}
}

// each returns a function for what trained forms see of each complex, [G, items, ℓ]. Its programs serve
// training and test data.
func (c classifier) each(ctx context.Context, backend compute.Backend, store *model.Store,
	forms func(*model.Scope) exterior.Form, info datasets.Info) (
	func(*datasets.Collection) ([]float32, error), error) {
	p, err := train.NewPredictor(backend, func(scope *model.Scope, batch *layers.Batch) *Node {
		x := c.seen(forms(scope), batch)
		return Reshape(x, x.Shape().Dimensions[0], -1)
	}, info, store)
	if err != nil {
		return nil, err
	}
	p.Objective = train.Classes{Count: c.items * len(info.Classes)}
	return func(data *datasets.Collection) ([]float32, error) { return p.Predict(ctx, data) }, nil
}
