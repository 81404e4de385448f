package laws

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/internal/scoped"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// Subject holds what a law checks. Backend and Form are required; other fields
// have defaults.
type Subject struct {
	// Backend computes.
	Backend compute.Backend
	// Form is the bundle of forms: its coefficients, its rule, and its own
	// Integral where it has one.
	Form exterior.Form
	// Store holds the variables of the form, if it has any.
	Store *model.Store
	// Simplices is the number of random simplices, 8 by default, and Size
	// the standard deviation of their coordinates, 1 by default.
	Simplices int
	Size      float64
	// Tolerance bounds the discrepancy, relative to the largest value
	// compared. The default is 1e-9, for laws that hold up to rounding in
	// float64; give what the rule's own error asks for where it has one.
	Tolerance float64
	// Seed makes the simplices.
	Seed uint64
}

// ErrViolated is wrapped by the error of a law that does not hold, whose text
// has the figures. Errors of checks that cannot run do not wrap it.
var ErrViolated = errors.New("law violated")

// violated returns the error of a law by the discrepancy that was measured and
// the one that was allowed.
func violated(law string, discrepancy, tolerance float64, format string, args ...any) error {
	return fmt.Errorf("laws: %s: %s: off by %.2g of the largest value, more than the tolerance %.2g: %w",
		law, fmt.Sprintf(format, args...), discrepancy, tolerance, ErrViolated)
}

// sample is a random complex on a graph: each simplex has vertices of its
// own, so that parts of them can be named by number.
type sample struct {
	Subject
	rng       *rand.Rand
	graph     *Graph
	vertices  []float64
	simplices [][]int32
}

// run draws a sample, computes the nodes that build makes of it and returns
// their values.
func (s Subject) run(law string, build func(sample) []*Node) ([][]float64, error) {
	if s.Backend == nil || s.Form.Count == 0 {
		return nil, fmt.Errorf("laws: %s: the subject needs a Backend and a Form", law)
	}
	if s.Store == nil {
		s.Store = model.NewStore()
	}
	if s.Simplices == 0 {
		s.Simplices = 8
	}
	if s.Size == 0 {
		s.Size = 1
	}
	if s.Form.Rule == nil {
		s.Form.Rule = quadrature.Cubature(5)
	}
	exec, err := model.NewExec(s.Backend, s.Store, func(_ *model.Scope, g *Graph) []*Node {
		d := sample{Subject: s, rng: rand.New(rand.NewPCG(s.Seed, 0)), graph: g}
		d.simplices = make([][]int32, s.Simplices)
		for i := range d.simplices {
			for range d.Form.Degree + 1 {
				d.simplices[i] = append(d.simplices[i], d.vertex(d.normals(d.Form.Dim)))
			}
		}
		return build(d)
	})
	if err != nil {
		return nil, fmt.Errorf("laws: %s: %w", law, err)
	}
	defer exec.Finalize()
	outputs, err := exec.Call()
	if err != nil {
		return nil, fmt.Errorf("laws: %s: %w", law, scoped.Cause(err))
	}
	values := make([][]float64, len(outputs))
	for i, output := range outputs {
		values[i] = tensors.MustCopyFlatData[float64](output)
	}
	return values, nil
}

// normals draws coordinates.
func (d sample) normals(count int) []float64 {
	x := make([]float64, count)
	for i := range x {
		x[i] = d.Size * d.rng.NormFloat64()
	}
	return x
}

// vertex adds a vertex and returns its number.
func (d *sample) vertex(x []float64) int32 {
	d.vertices = append(d.vertices, x...)
	return int32(len(d.vertices)/len(x) - 1)
}

// at returns the coordinates of a vertex.
func (d sample) at(v int32) []float64 {
	n := d.Form.Dim
	return d.vertices[int(v)*n : int(v+1)*n]
}

// nodes returns the vertices [V, n] and these simplices on the graph.
func (d sample) nodes(simplices [][]int32) (vertices, indices *Node) {
	return d.constant(d.vertices, -1, d.Form.Dim), Const(d.graph, simplices)
}

// constant returns numbers on the graph.
func (d sample) constant(x []float64, dims ...int) *Node {
	return Reshape(Const(d.graph, x), dims...)
}

// integral returns the integrals of a form over the simplices.
func (d sample) integral(form exterior.Form, simplices [][]int32) *Node {
	vertices, indices := d.nodes(simplices)
	return exterior.Integrate(form, vertices, indices)
}

// plain returns the form without an Integral of its own: its coefficients alone.
func plain(form exterior.Form) exterior.Form {
	return exterior.Form{Dim: form.Dim, Degree: form.Degree, Count: form.Count, Rule: form.Rule,
		Coefficients: form.Coefficients}
}

// equal checks that two nodes agree within the tolerance.
func (s Subject) equal(law string, build func(sample) (got, want *Node)) error {
	values, err := s.run(law, func(d sample) []*Node {
		got, want := build(d)
		return []*Node{got, want}
	})
	if err != nil {
		return err
	}
	return compare(law, values[0], values[1], s.tolerance())
}

// tolerance returns the tolerance or its default.
func (s Subject) tolerance() float64 {
	if s.Tolerance == 0 {
		return 1e-9
	}
	return s.Tolerance
}

// compare returns an error unless got equals want within the tolerance,
// relative to the largest entry of both.
func compare(law string, got, want []float64, tolerance float64) error {
	if len(got) != len(want) {
		return fmt.Errorf("laws: %s: %d values compared with %d", law, len(got), len(want))
	}
	scale := 0.0
	for i := range want {
		scale = math.Max(scale, math.Max(math.Abs(want[i]), math.Abs(got[i])))
	}
	if scale == 0 {
		return nil
	}
	worst, at := -1.0, 0
	for i := range want {
		// NaN is worse than anything.
		if off := math.Abs(got[i]-want[i]) / scale; off > worst || math.IsNaN(off) {
			worst, at = off, i
			if math.IsNaN(off) {
				break
			}
		}
	}
	if worst <= tolerance {
		return nil
	}
	return violated(law, worst, tolerance, "entry %d is %.10g, want %.10g", at, got[at], want[at])
}
