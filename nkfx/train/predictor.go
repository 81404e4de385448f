package train

import (
	"context"
	"errors"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/nkfx/internal/outputs"
	"github.com/neuralkforms/nkf/nkfx/internal/saved"
)

// Predictor is a trained model that is ready to predict. Any number of goroutines may use it at once. Batches
// are padded to powers of two; a program is compiled at the first batch of each size.
type Predictor struct {
	// Objective says what outputs are predicted from. It may be replaced before the first prediction by that
	// of the training.
	Objective Objective

	info    datasets.Info
	backend compute.Backend
	build   Model
	weights saved.Weights

	mu       sync.Mutex
	programs map[*packing.Layout]*program // by layouts with all parts
}

// NewPredictor returns a predictor of a model on a backend, with the weights that [FitAll] returned for data
// of that description. It is an error if a variable is not float32.
func NewPredictor(backend compute.Backend, build Model, data datasets.Info, weights *model.Store) (*Predictor,
	error) {
	if backend == nil || build == nil || weights == nil {
		return nil, errors.New("a predictor takes a backend, a model and its weights")
	}
	kept, err := saved.Of(weights)
	if err != nil {
		return nil, err
	}
	return &Predictor{Objective: NewObjective(data), info: data, backend: backend, build: build,
		weights: kept, programs: map[*packing.Layout]*program{}}, nil
}

// Info describes the data that the model was trained on.
func (p *Predictor) Info() datasets.Info { return p.info }

// Predict returns the predictions for all complexes, [G, outputs], row after row: logits, or numbers in the
// units of the data that the model was trained on. The data need no classes or targets, and may be empty. Of
// many complexes equal simplices are integrated once, as in training.
//
// It is an error if the collection is not valid, if the weights are not those of the model on such data, if
// an output is not finite, because coordinates are too large, or if the context ends, which is checked
// between batches and while programs are compiled; see [Wait].
func (p *Predictor) Predict(ctx context.Context, data *datasets.Collection) (all []float32, err error) {
	for rows, err := range p.Batches(ctx, data) {
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, nil
}

// Batches yields the predictions of [Predictor.Predict] batch by batch, as they are made, [B, outputs] each.
// It ends with an error if there is one.
func (p *Predictor) Batches(ctx context.Context, data *datasets.Collection) iter.Seq2[[]float32, error] {
	return func(yield func([]float32, error) bool) {
		if err := p.each(ctx, data, func(rows []float32) bool { return yield(rows, nil) }); err != nil {
			yield(nil, err)
		}
	}
}

// each calls yield with the predictions for each batch until that returns false.
func (p *Predictor) each(ctx context.Context, data *datasets.Collection, yield func([]float32) bool) error {
	if ctx == nil {
		return errNoContext
	}
	if err := data.Validate(); err != nil {
		return err
	}
	if p.backend.IsFinalized() {
		return errors.New("the backend of the predictor was finalized: it has to stay open")
	}
	known := *data // with the classes or tasks of the model
	known.Classes, known.Tasks, known.Regression = p.info.Classes, p.info.Tasks, p.info.Regression
	known.Labels, known.Targets = make([]int32, data.Len()), make([]float32, data.Len()*len(p.info.Tasks))
	more := true
	for from, to := 0, 0; more && from < data.Len(); from = to {
		if to = from + maxPart; data.Len()-to < minMany {
			to = data.Len()
		}
		var err error
		if more, err = p.part(ctx, &known, from, to, yield); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// part calls yield with the predictions for the batches of some complexes, and reports whether it returned
// true.
func (p *Predictor) part(ctx context.Context, data *datasets.Collection, from, to int,
	yield func([]float32) bool) (more bool, err error) {
	q, err := p.question(ctx, data.Part(from, to))
	defer q.free()
	if err != nil {
		return false, err
	}
	q.first = int32(from)
	for batch, err := range q.Batches(slices.Values(q.ids), q.layouts...) {
		if err := errors.Join(err, context.Cause(ctx)); err != nil {
			return false, err
		}
		rows, err := p.outputs(q, batch)
		if err != nil || !yield(rows) {
			return false, err
		}
	}
	return true, nil
}

// outputs returns the predictions for a batch.
func (p *Predictor) outputs(q *question, batch packing.Batch) ([]float32, error) {
	vertices := q.table
	if vertices == nil {
		own := q.Vertices(batch)
		vertices = tensors.FromFlatDataAndDimensions(own, len(own)/q.data.Dim, q.data.Dim)
	}
	row := tensors.FromFlatDataAndDimensions(batch.Row, len(batch.Row))
	result, err := q.execs[batch.Layout].Call(vertices, row)
	if err != nil {
		return nil, q.fail(err)
	}
	defer result[0].MustFinalizeAll()
	all, err := tensors.CopyFlatData[float32](result[0])
	if err != nil {
		return nil, err
	}
	columns := p.Objective.Outputs()
	all = all[:len(batch.IDs)*columns]
	ids := slices.Clone(batch.IDs)
	for i := range ids {
		ids[i] += q.first
	}
	return all, outputs.Check(q.data, ids, all, columns, func(id []int32) error {
		own := []int32{id[0] - q.first}
		for alone, err := range q.Batches(slices.Values([][]int32{own}), batch.Layout) {
			if err == nil {
				_, err = p.outputs(q, alone)
			}
			return err
		}
		return nil
	})
}

// program computes the outputs for batches of a layout, which has only the parts that the model reads.
type program struct {
	layout *packing.Layout
	exec   *Exec
	ready  chan struct{} // closed when the fields are set
	err    error
}

// program returns the program of a layout and vertices of that shape. It is compiled by the first who asks
// for it, and for all others, even if nobody waits any more.
func (p *Predictor) program(ctx context.Context, layout *packing.Layout, vertices shapes.Shape) (*program,
	error) {
	p.mu.Lock()
	out := p.programs[layout]
	if out == nil {
		out = &program{layout: layout, ready: make(chan struct{})}
		p.programs[layout] = out
		start(p.backend, func() {
			defer close(out.ready)
			if out.err = guard(func() error { return p.compile(out, vertices) }); out.err != nil {
				p.mu.Lock()
				defer p.mu.Unlock()
				delete(p.programs, layout) // another may have more luck
			}
		})
	}
	p.mu.Unlock()
	select {
	case <-out.ready:
		return out, out.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// compile compiles a program for vertices of that shape. Every graph has a store of its own, so that several
// can be built at once, with the weights as constants.
func (p *Predictor) compile(out *program, vertices shapes.Shape) error {
	task := Task{Model: p.build, Objective: p.Objective}
	output := func(store *model.Store, batch *layers.Batch) *Node {
		return ConvertDType(task.output(store.WithVariableAsConst(true).RootScope(), batch), dtypes.Float32)
	}
	store, err := p.weights.Store()
	if err != nil {
		return err
	}
	build := func(batch *layers.Batch) *Node { return output(store, batch) }
	out.layout = reading(p.backend, store, vertices, build, out.layout)[0]
	out.exec, err = NewExec(p.backend, func(vertices, row *Node) *Node {
		store, err := p.weights.Store()
		if err != nil {
			panic(err)
		}
		return output(store, layers.Unpack(out.layout, []*Node{vertices, row}))
	})
	if err == nil {
		_, err = out.exec.Compile(vertices, shapes.Make(dtypes.Int32, out.layout.Width()))
	}
	return err
}

// cause returns what a model panicked with while its graph was built, without what GoMLX says of itself.
func cause(err error) string {
	text := err.Error()
	if at := strings.LastIndex(text, "panicked: "); at >= 0 {
		text = text[at+len("panicked: "):]
	}
	text, _, _ = strings.Cut(text, " when Store.")
	return text
}

// Predict returns the predictions for all complexes of the task's data by the task's model with the given
// weights, as [Predictor.Predict] does. It compiles programs at each call: keep a Predictor for many.
func Predict(backend compute.Backend, task Task, weights *model.Store) ([]float32, error) {
	if err := task.whole(); err != nil {
		return nil, err
	}
	p, err := NewPredictor(backend, task.Model, task.Data.Info, weights)
	if err != nil {
		return nil, err
	}
	if task.Objective != nil {
		p.Objective = task.Objective
	}
	return p.Predict(context.Background(), task.Data)
}

const (
	predictorFormat = 1
	predictorFile   = "predictor.json"
)

// savedPredictor is the file of a predictor.
type savedPredictor struct {
	Format   int           `json:"format"`
	Info     datasets.Info `json:"info"`
	Weights  saved.Weights `json:"weights"`
	Checksum string        `json:"checksum"`
}

func (s *savedPredictor) head() saved.Head {
	return saved.Head{Format: &s.Format, Checksum: &s.Checksum}
}

// Save writes the weights and what the data are into a folder, which is created if necessary: all but the
// model and an objective of its own, which are Go. The file appears complete or not at all.
func (p *Predictor) Save(folder string) error {
	s := savedPredictor{Info: p.info, Weights: p.weights}
	return s.head().Write(filepath.Join(folder, predictorFile), &s, predictorFormat)
}

// Load reads what [Predictor.Save] wrote of that model, to predict on a backend. It is an error if the file
// is damaged or of another version of nkf. Whether the model is that one shows in the first prediction.
func Load(folder string, backend compute.Backend, build Model) (*Predictor, error) {
	var s savedPredictor
	err := s.head().Read(filepath.Join(folder, predictorFile), &s, predictorFormat, "Predictor.Save",
		func() error { return s.Weights.Check() })
	if err != nil {
		return nil, err
	}
	weights, err := s.Weights.Store()
	if err != nil {
		return nil, err
	}
	return NewPredictor(backend, build, s.Info, weights)
}
