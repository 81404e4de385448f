package train

import (
	"context"
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/nkfx/internal/outputs"
)

// question is what a predictor is asked: complexes in batches.
type question struct {
	*packing.Packer
	data    *datasets.Collection
	first   int32           // complex of the data among those of all questions
	ids     [][]int32       // complexes of each batch
	table   *tensors.Tensor // [rows, n]: coordinates that occur; nil if each batch has its own vertices
	layouts []*packing.Layout
	execs   map[*packing.Layout]*Exec
}

const (
	maxFew  = 64   // complexes of a batch of few
	maxMean = 128  // vertices and simplices of a complex in a batch, on average, unless a single one has more
	minMany = 256  // complexes from which equal simplices are looked for
	maxPart = 4096 // complexes of a question, which bounds its memory
)

// question divides complexes into batches.
func (p *Predictor) question(ctx context.Context, data *datasets.Collection) (*question, error) {
	q := &question{Packer: packing.New(data), data: data, execs: map[*packing.Layout]*Exec{}}
	if data.Len() >= minMany {
		q.Packer, q.ids = packing.Distinct(data, maxDistinct), batches(data, maxEvaluation)
		budgets := q.budgets(make([]packing.Repeated, data.Degree()+1))
		if q.Repeats() && share(budgets) <= maxDistinct {
			var err error
			table := shapes.Make(dtypes.Float32, outputs.Padded(q.TableRows()), data.Dim)
			q.table, err = onDevice(p.backend, table, q.Coordinates)
			if err != nil {
				return q, err
			}
			return q, p.programsOf(ctx, q, q.padded(budgets, maxEvaluation*maxMean))
		}
		q.Packer = packing.New(data)
	}
	q.ids = batches(data, maxFew)
	return q, p.programsOf(ctx, q, q.padded(q.budgets(nil), maxFew*maxMean))
}

// programsOf gives a question the programs for batches of some layouts.
func (p *Predictor) programsOf(ctx context.Context, q *question, layouts []*packing.Layout) error {
	for _, layout := range layouts {
		vertices := shapes.Make(dtypes.Float32, layout.Budget.Rows[0], q.data.Dim)
		if q.table == nil {
			layout = layout.WithoutTable()
		} else {
			vertices = q.table.Shape()
		}
		program, err := p.program(ctx, layout, vertices)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return q.fail(err)
		}
		q.layouts, q.execs[program.layout] = append(q.layouts, program.layout), program.exec
	}
	return nil
}

// fail returns the error of a model.
func (q *question) fail(err error) error {
	return fmt.Errorf("the model with these weights, on %q: %s; train again if they are those of another "+
		"model", q.data.Name, cause(err))
}

// free frees the table.
func (q *question) free() {
	if q.table != nil {
		q.table.MustFinalizeAll()
	}
}

// budgets returns those of the batches, with distinct simplices of as many degrees.
func (q *question) budgets(distinct []packing.Repeated) (all []packing.Budget) {
	for _, ids := range q.ids {
		all = append(all, q.Holding(packing.Budget{Distinct: distinct}, ids))
	}
	return all
}

// share returns the share of distinct simplices in all batches.
func share(budgets []packing.Budget) float64 {
	distinct, all := 0, 0
	for _, b := range budgets {
		for k, d := range b.Distinct[1:] {
			distinct, all = distinct+d.Simplices, all+b.Rows[k+1]
		}
	}
	return float64(distinct) / float64(max(1, all))
}

// padded returns the layouts for batches of some budgets, ascending: one size for all, so that there are few,
// unless a complex is larger than that many rows.
func (q *question) padded(budgets []packing.Budget, rows int) (layouts []*packing.Layout) {
	var usual packing.Budget
	for _, b := range budgets {
		if slices.Max(b.Rows) <= rows {
			usual = usual.Combine(b, func(x, y int) int { return max(x, y) })
		}
	}
	for _, b := range budgets {
		own := usual.Combine(b, func(x, y int) int { return outputs.Padded(max(1, x, y)) })
		most := slices.Max(own.Rows)
		for k := range own.Rows {
			own.Rows[k] = most
		}
		if layout := q.Layout(own); !slices.Contains(layouts, layout) {
			layouts = append(layouts, layout)
		}
	}
	slices.SortFunc(layouts, func(a, b *packing.Layout) int { return a.Budget.Rows[0] - b.Budget.Rows[0] })
	return layouts
}

// batches returns the numbers of complexes of the batches of a prediction, most in each.
func batches(data *datasets.Collection, most int) (all [][]int32) {
	total := most * maxMean // none fits any more
	for g := range data.Len() {
		rows := 0
		for k := range data.Simplices {
			rows += data.Count(k, g)
		}
		if last := len(all) - 1; last < 0 || len(all[last]) == most || total+rows > most*maxMean {
			all, total = append(all, nil), 0
		}
		all[len(all)-1], total = append(all[len(all)-1], int32(g)), total+rows
	}
	return all
}
