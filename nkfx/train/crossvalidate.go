package train

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/gomlx/compute"
	"gonum.org/v1/gonum/stat"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/packing"
)

// Task is a model to be trained and tested on folds of a collection.
type Task struct {
	Data     *datasets.Collection
	Model    Model
	Features Model           // of which Model is the [Ridge]: solved for in one epoch; nil: Model is trained
	Protocol Protocol        // zero: Published(16), or smaller batches of a smaller collection
	Folds    []datasets.Fold // nil: five, stratified by class
	Seeds    []uint32        // each trains on every fold; nil: 42
	Workers  int             // folds trained at once; results do not depend on it
	Team     *Team           // whose workers these are, if cross-validations share them; nil if not
	// Done returns the finished training of a fold and seed, if there is one;
	// it is not repeated. Save takes each one that ends. Both may be nil, and
	// neither is called twice at once.
	Done func(fold int, seed uint32) (*Fit, bool)
	Save func(*Fit) error
	// Report receives the progress, one at a time. It may be nil.
	Report func(Progress)
	// All says that [FitAll] follows: the time left counts it.
	All bool
}

// Progress is where a cross-validation or [FitAll] stands: as it begins to
// prepare and to compile, at the end of an epoch, and once more at the end of a
// training.
type Progress struct {
	Doing  string // "preparing" or "compiling", as that begins; else ""
	All    bool   // of FitAll
	Epoch         // the last one; its number is -1 before the first has ended
	Epochs int    // most epochs of the training
	Fold   int
	Seed   uint32
	Fits   int           // trainings that have ended
	Total  int           // trainings in all
	Left   time.Duration // estimate of the time left; negative while there is none
}

// What a task is doing before its first epoch.
const preparing, compiling = "preparing", "compiling"

// begins reports what a task begins to do.
func (t Task) begins(doing string, all bool, total int) error {
	if t.Report == nil {
		return nil
	}
	return guard(func() {
		t.Report(Progress{Doing: doing, All: all, Epoch: Epoch{Epoch: -1}, Total: total, Left: -1})
	})
}

// Outcome is the result of a cross-validation.
type Outcome struct {
	Parameters   int     // trainable parameters of the model
	Fits         []*Fit  // by seed, then fold
	Compilations int     // programs that a worker compiled
	Waste        float64 // padded rows of a training epoch over the real ones, read by the model or not
}

// String returns the mean and the standard deviation of the scores that the
// trainings reached with the weights of their last epochs.
func (o *Outcome) String() string {
	if o == nil {
		return "no outcome"
	}
	name, unit, metric := "accuracy", " %", "accuracy"
	if len(o.Fits) > 0 && !o.Fits[0].Last.Accuracy.Defined() {
		name, unit, metric = "RMSE", "", "rmse"
	}
	var scores []float64
	for _, fit := range o.Fits {
		scores = append(scores, float64(*fit.Last.Of(metric)))
	}
	mean, deviation := stat.PopMeanStdDev(scores, nil)
	return fmt.Sprintf("%s %.2f ± %.2f%s, %s, %d parameters", name, mean, deviation, unit,
		english.Plural(len(o.Fits), "training", ""), o.Parameters)
}

// CrossValidate trains the task's model on every fold with every seed. It
// stops between epochs when the context ends, with the context's cause.
func CrossValidate(ctx context.Context, backend compute.Backend, task Task) (*Outcome, error) {
	if err := task.complete(); err != nil {
		return nil, err
	}
	if err := task.begins(preparing, false, len(task.Folds)*len(task.Seeds)); err != nil {
		return nil, err
	}
	e, err := task.engine(backend)
	if err != nil {
		return nil, err
	}
	defer e.close()
	out := &Outcome{}
	for _, v := range e.variables {
		if v.Trainable {
			out.Parameters += v.Shape().Size()
		}
	}
	var budgets []packing.Budget
	for _, layout := range e.plan.training {
		budgets = append(budgets, layout.Budget)
	}
	if out.Waste, err = e.plan.packing.Waste(task.Folds[0].Train, budgets...); err != nil {
		return nil, err
	}
	if out.Fits, err = task.fits(ctx, backend, e); err != nil {
		return nil, err
	}
	for _, count := range e.compilations {
		out.Compilations += count
	}
	return out, nil
}

// complete sets what a task leaves open.
func (t *Task) complete() (err error) {
	if t.Seeds == nil {
		t.Seeds = []uint32{42}
	}
	if t.Folds == nil && t.Data != nil {
		if t.Folds, err = datasets.StratifiedFolds(t.Data.Labels, 5, 42); err != nil {
			return fmt.Errorf("%q: %w", t.Data.Name, err)
		}
	}
	if t.Protocol == (Protocol{}) {
		t.Protocol = Published(16)
		for _, fold := range t.Folds {
			t.Protocol.Batch = min(t.Protocol.Batch, len(fold.Train))
		}
	}
	return nil
}

// engine makes the engine of a task, with the plan of its shapes.
func (t Task) engine(backend compute.Backend) (*engine, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	p, err := newPlan(backend, t.Data, t.Folds, t.Protocol.Batch, distinctPays)
	if err != nil {
		return nil, err
	}
	return newEngine(backend, t, p)
}

// check returns an error for a task that cannot be done.
func (t Task) check() error {
	if t.Data == nil {
		return errors.New("a task has no data")
	}
	if t.Model == nil {
		return fmt.Errorf("the task on %q has no model", t.Data.Name)
	}
	if err := errors.Join(t.Protocol.check(), t.Data.Validate()); err != nil {
		return err
	}
	if t.Data.Len() == 0 {
		return fmt.Errorf("%q has no complexes", t.Data.Name)
	}
	if t.Features != nil && t.Data.Labeled() >= 0 {
		return fmt.Errorf("%q has classes of simplices: a ridge regression takes those of complexes",
			t.Data.Name)
	}
	if len(t.Folds) == 0 || len(t.Seeds) == 0 {
		return fmt.Errorf("%d folds and %d seeds: a cross-validation takes one or more of each", len(t.Folds),
			len(t.Seeds))
	}
	for f, fold := range t.Folds {
		// A schedule that is fixed needs no validation part.
		validation := len(fold.Validation) > 0 || t.Protocol.Cosine
		if len(fold.Train) < t.Protocol.Batch || !validation || len(fold.Test) == 0 {
			return fmt.Errorf(
				"fold %d of %q trains with %s, validates with %d and tests with %d: "+
					"it takes a batch of %d, one and one; use smaller batches or fewer folds",
				f, t.Data.Name, english.Plural(len(fold.Train), "complex", ""), len(fold.Validation),
				len(fold.Test), t.Protocol.Batch)
		}
		for _, part := range append(evaluatedParts(fold), fold.Train) {
			for _, id := range part {
				if id < 0 || int(id) >= t.Data.Len() {
					return fmt.Errorf("fold %d of %q: complex %d, but they are numbered 0 to %d",
						f, t.Data.Name, id, t.Data.Len()-1)
				}
			}
		}
	}
	return nil
}
