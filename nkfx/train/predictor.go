package train

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
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
	programs map[*packing.Layout]*Exec
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
		weights: kept, programs: map[*packing.Layout]*Exec{}}, nil
}

// Info describes the data that the model was trained on.
func (p *Predictor) Info() datasets.Info { return p.info }

// Most complexes of a batch, and most of its vertices and of its simplices unless a single complex has more.
const maxComplexes, maxRows = 64, 8192

// Predict returns the predictions for all complexes, [G, outputs], row after row: logits, or numbers in the
// units of the data that the model was trained on. The data need no classes or targets, and may be empty.
//
// It is an error if the collection is not valid, if the weights are not those of the model on such data, if
// an output is not finite, because coordinates are too large, or if the context ends, which is checked
// between batches.
func (p *Predictor) Predict(ctx context.Context, data *datasets.Collection) (all []float32, err error) {
	if err := data.Validate(); err != nil {
		return nil, err
	}
	if p.backend.IsFinalized() {
		return nil, errors.New("the backend of the predictor was finalized: it has to stay open")
	}
	asked := *data // with the classes or tasks of the model
	asked.Classes, asked.Tasks, asked.Regression = p.info.Classes, p.info.Tasks, p.info.Regression
	asked.Labels, asked.Targets = make([]int32, data.Len()), make([]float32, data.Len()*len(p.info.Tasks))
	packer := packing.New(&asked)
	ids := batches(data)
	for batch, err := range packer.Batches(slices.Values(ids), predictorLayouts(packer, ids)...) {
		if err := errors.Join(err, context.Cause(ctx)); err != nil {
			return nil, err
		}
		values, err := p.outputs(packer, &asked, batch)
		if err != nil {
			return nil, err
		}
		all = append(all, values...)
	}
	return all, context.Cause(ctx)
}

// predictorLayouts returns the layouts for some batches, ascending: one size for all, so that there are few,
// unless a complex is larger than a batch.
func predictorLayouts(packer *packing.Packer, batches [][]int32) (layouts []*packing.Layout) {
	var budgets []packing.Budget
	most, complexes := 1, 1
	for _, ids := range batches {
		b := packer.Holding(packing.Budget{}, ids)
		most, complexes = max(most, slices.Max(b.Rows)), max(complexes, len(ids))
		budgets = append(budgets, b)
	}
	for _, b := range budgets {
		rows := outputs.Padded(max(slices.Max(b.Rows), min(most, maxRows)))
		b = b.Combine(b, func(int, int) int { return rows })
		b.Complexes = outputs.Padded(complexes)
		if layout := packer.Layout(b).WithoutTable(); !slices.Contains(layouts, layout) {
			layouts = append(layouts, layout)
		}
	}
	slices.SortFunc(layouts, func(a, b *packing.Layout) int { return a.Budget.Rows[0] - b.Budget.Rows[0] })
	return layouts
}

// batches returns the numbers of complexes of the batches of a prediction.
func batches(data *datasets.Collection) (all [][]int32) {
	total := maxRows + 1 // none fits any more
	for g := range data.Len() {
		rows := 0
		for k := range data.Simplices {
			rows += data.Count(k, g)
		}
		if last := len(all) - 1; last < 0 || len(all[last]) == maxComplexes || total+rows > maxRows {
			all, total = append(all, nil), 0
		}
		all[len(all)-1], total = append(all[len(all)-1], int32(g)), total+rows
	}
	return all
}

// outputs returns the predictions for a batch.
func (p *Predictor) outputs(packer *packing.Packer, data *datasets.Collection, batch packing.Batch) ([]float32,
	error) {
	program, err := p.program(batch.Layout)
	if err != nil {
		return nil, err
	}
	vertices := packer.Vertices(batch)
	result, err := program.Call(
		tensors.FromFlatDataAndDimensions(vertices, len(vertices)/data.Dim, data.Dim),
		tensors.FromFlatDataAndDimensions(batch.Row, len(batch.Row)))
	if err != nil {
		return nil, fmt.Errorf("the model with these weights, on %q: %s; train again if they are those of "+
			"another model", data.Name, cause(err))
	}
	defer result[0].MustFinalizeAll()
	all, err := tensors.CopyFlatData[float32](result[0])
	if err != nil {
		return nil, err
	}
	columns := p.Objective.Outputs()
	all = all[:len(batch.IDs)*columns]
	return all, outputs.Check(data, batch.IDs, all, columns, func(id []int32) error {
		for alone, err := range packer.Batches(slices.Values([][]int32{id}), batch.Layout) {
			if err == nil {
				_, err = p.outputs(packer, data, alone)
			}
			return err
		}
		return nil
	})
}

// program returns the program of a layout. Every graph has a store of its own, so that several can be built
// at once, with the weights as constants.
func (p *Predictor) program(layout *packing.Layout) (*Exec, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if program := p.programs[layout]; program != nil {
		return program, nil
	}
	task := Task{Model: p.build, Objective: p.Objective}
	program, err := NewExec(p.backend, func(vertices, row *Node) *Node {
		store, err := p.weights.Store()
		if err != nil {
			panic(err)
		}
		scope := store.WithVariableAsConst(true).RootScope()
		out := task.output(scope, layers.Unpack(layout, []*Node{vertices, row}))
		return ConvertDType(out, dtypes.Float32)
	})
	if err != nil {
		return nil, err
	}
	p.programs[layout] = program
	return program, nil
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
