package bench

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/exterior/laws"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// CheckResult says whether a law or a reference value holds on the backend.
type CheckResult struct {
	Name  string `json:"name"`
	Error string `json:"error,omitempty"`
}

// String returns the result as a line.
func (c CheckResult) String() string {
	if c.Error == "" {
		return c.Name + ": holds"
	}
	return c.Name + ": FAILS: " + c.Error
}

// reference is reference.json: 1-forms in R³ and 2-forms in R⁴ of MLPs with tanh, and over simplices their
// integrals and the gradients of the sum of squares, from PyTorch in float64.
//
//go:embed reference.json
var reference []byte

// Check tests on a backend, for neural forms of degrees 1 and 2, Stokes' theorem, the sign of
// permutations, additivity under subdivision, linearity, pull-back and padding, in float64; and values and
// gradients against the reference, in float64 and float32.
func Check(backend compute.Backend) (out []CheckResult) {
	add := func(name string, err error) {
		c := CheckResult{Name: name}
		if err != nil {
			c.Error = err.Error()
		}
		out = append(out, c)
	}
	for k := 1; k <= 2; k++ {
		store := model.NewStore()
		store.SetParam(model.ParamInitialSeed, int64(1))
		forms := layers.KForm(store.RootScope(), 3, k, 3).Hidden(8).Activation(Tanh).
			Quadrature(quadrature.Gauss(6)).Done()
		// At this size the rule's error is below the tolerance, and rounding in float64 far below.
		subject := laws.Subject{Backend: backend, Store: store, Form: forms, Size: 0.1, Tolerance: 1e-6}
		for _, law := range []struct {
			name string
			of   func(laws.Subject) error
		}{{"Stokes' theorem", laws.Stokes}, {"sign of permutations", laws.Orientation},
			{"additivity under subdivision", laws.Subdivision}, {"linearity", laws.Linearity},
			{"pull-back", laws.Pullback}, {"padding", laws.Padding}} {
			add(fmt.Sprintf("%s, %d-forms", law.name, k), law.of(subject))
		}
	}
	var cases []golden
	if err := json.Unmarshal(reference, &cases); err != nil {
		add("reference values", err)
	}
	for _, c := range cases {
		// Of the largest value: rounding in a few hundred operations, a digit left.
		for dtype, tolerance := range map[dtypes.DType]float64{dtypes.Float64: 1e-10, dtypes.Float32: 1e-4} {
			name := fmt.Sprintf("values and gradients of %s, %s", c.Name, dtype)
			add(name, c.check(backend, dtype, tolerance))
		}
	}
	return out
}

// golden is a case of reference.json.
type golden struct {
	Name      string      `json:"name"`
	Dim       int         `json:"dim"`
	Degree    int         `json:"degree"`
	Forms     int         `json:"forms"`
	Points    [][]float64 `json:"points"`  // of the rule, barycentric
	Weights   []float64   `json:"weights"` // of the rule
	Layers    []parameter `json:"layers"`  // weights and biases in turns
	Corners   parameter   `json:"corners"` // [S, k+1, n]
	Integrals []float64   `json:"integrals"`
	Gradients [][]float64 `json:"gradients"` // by corners and layers
}

// parameter is an array.
type parameter struct {
	Dims   []int     `json:"dims"`
	Values []float64 `json:"values"`
}

// check compares values and gradients on a backend.
func (c golden) check(backend compute.Backend, dtype dtypes.DType, tolerance float64) error {
	rule := &quadrature.Nodes{K: c.Degree, Barycentric: slices.Concat(c.Points...)}
	for _, w := range c.Weights { // parts of the volume
		rule.Weights = append(rule.Weights, w/math.Gamma(float64(c.Degree)+1))
	}
	exec, err := NewExec(backend, func(in []*Node) []*Node {
		for i := range in {
			in[i] = ConvertDType(in[i], dtype)
		}
		form := exterior.Neural(c.Dim, c.Degree, c.Forms, Tanh, func(*Node) (layers []exterior.Affine) {
			for i := 1; i < len(in); i += 2 {
				layers = append(layers, exterior.Affine{W: in[i], B: in[i+1]})
			}
			return layers
		})
		form.Rule = rule
		x := exterior.IntegrateCorners(form, in[0])
		out := append([]*Node{x}, Gradient(ReduceAllSum(Square(x)), in...)...)
		for i := range out {
			out[i] = ConvertDType(out[i], dtypes.Float64)
		}
		return out
	})
	if err != nil {
		return err
	}
	defer exec.Finalize()
	var inputs []any
	for _, p := range append([]parameter{c.Corners}, c.Layers...) {
		inputs = append(inputs, tensors.FromFlatDataAndDimensions(p.Values, p.Dims...))
	}
	got, err := exec.Call(inputs...)
	if err != nil {
		return err
	}
	scale := 0.0
	for _, values := range c.Gradients { // one scale, for some gradients are small
		for _, v := range values {
			scale = max(scale, math.Abs(v))
		}
	}
	for i, want := range append([][]float64{c.Integrals}, c.Gradients...) {
		values := tensors.MustCopyFlatData[float64](got[i])
		got[i].MustFinalizeAll()
		if len(values) != len(want) {
			return fmt.Errorf("%d values, want %d", len(values), len(want))
		}
		for j, v := range values {
			if !(math.Abs(v-want[j]) <= tolerance*scale) { // which NaN fails
				return fmt.Errorf("value %d of output %d is %g, want %g within %.0e of %g", j, i, v, want[j],
					tolerance, scale)
			}
		}
	}
	return nil
}
