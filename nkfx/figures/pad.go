package figures

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// Pad is a figure of neural 1-forms on the plane for a mouse or a finger. The page evaluates the forms
// itself, from the weights of their network, and needs no kernel; its integrals are those of package
// exterior, to about seven digits. As SVG and PNG it is the figure that it was made of, whose first panel
// has the range of the page.
type Pad struct {
	*Figure
	data object
}

// NeuralForms are the forms of a [Pad], as layers.KForm makes them.
type NeuralForms struct {
	Weights    *model.Store
	Scope      string // of the forms, such as "/forms"
	Activation string // "relu", "silu" or "tanh"
	Rule       quadrature.Rule
}

// Triangle returns a pad with a triangle, whose corners [3, 2] can be dragged: the integral of a form along
// its boundary, and the integral of the derivative over the triangle.
func (n NeuralForms) Triangle(f *Figure, corners []float64) (*Pad, error) {
	return n.pad(f, object{"kind": "triangle", "corners": pairs(corners)})
}

// Stroke returns a pad to draw a path on, which is classified by its integrals: the class with the largest
// one wins. It begins with path first of the collection, and has the first path of each class to choose
// from. A model that was trained on paths with a fixed number of points gets as many, of the path stretched
// to the range of the collection; 0 leaves paths as they are.
func (n NeuralForms) Stroke(f *Figure, paths *datasets.Collection, first, points int) (*Pad, error) {
	examples := make([][][2]float64, len(paths.Classes), len(paths.Classes)+1)
	low, high := [2]float64{}, [2]float64{}
	for g, label := range paths.Labels {
		if examples[label] == nil {
			examples[label] = pairs(paths.Points(g))
		}
		for _, p := range pairs(paths.Points(g)) {
			for axis, x := range p {
				low[axis], high[axis] = min(low[axis], x), max(high[axis], x)
			}
		}
	}
	return n.pad(f, object{"kind": "stroke", "points": points, "box": object{"low": low, "high": high},
		"classes": padClasses(paths.Classes), "first": len(examples),
		"examples": append(examples, pairs(paths.Points(first)))})
}

// Disc returns a pad with a disc that can be dragged over drawings, the first of each class: what
// templates, one form for each class on the disc about the origin, see of a drawing where they are moved by
// the center of the disc. That is the sum of the integrals over the edges inside, times the mean of
// Gaussians with that bandwidth about the starts of all edges.
func (n NeuralForms) Disc(f *Figure, drawings *datasets.Collection, radius, bandwidth float64) (*Pad, error) {
	var first []object
	for g, label := range drawings.Labels {
		if int(label) != len(first) {
			continue
		}
		at, edges := pairs(drawings.Points(g)), [][2][2]float64{}
		corners := drawings.Corners(1, g)
		for i := 0; i < len(corners); i += 2 {
			edges = append(edges, [2][2]float64{at[corners[i]], at[corners[i+1]]})
		}
		first = append(first, object{"label": label, "edges": edges})
	}
	return n.pad(f, object{"kind": "disc", "radius": radius, "bandwidth": bandwidth, "drawings": first,
		"classes": padClasses(drawings.Classes)})
}

// padClasses returns names and colors. Where colors would repeat, names alone tell classes apart.
func padClasses(names []string) (out []object) {
	for class, name := range names {
		out = append(out, object{"name": name, "color": hex(Class(class))})
	}
	return out
}

// pad returns a pad with the forms and the range of a figure.
func (n NeuralForms) pad(f *Figure, data object) (*Pad, error) {
	if len(f.Panels) == 0 || f.Panels[0].X.Min >= f.Panels[0].X.Max {
		return nil, fmt.Errorf("figures.Pad: figure %q has no panel with a range: see Panel.Within", f.Title)
	}
	forms, err := n.data()
	if err != nil {
		return nil, err
	}
	data["low"], data["high"] = f.Panels[0].X.Min, f.Panels[0].X.Max
	data["strengths"], data["signs"] = Strength(1).stops(), Signed(1).stops()
	data["forms"] = forms
	return &Pad{f, data}, nil
}

// data returns the forms as a page reads them, their weights in single precision, packed.
func (n NeuralForms) data() (object, error) {
	layers, out := []object{}, 0
	for i := 0; n.Weights.GetVariable(n.variable(i, "weights")) != nil; i++ {
		layer := object{}
		for _, name := range []string{"weights", "biases"} {
			v := n.Weights.GetVariable(n.variable(i, name))
			if v == nil {
				return nil, fmt.Errorf("figures.NeuralForms: layer %d of %s has no %s", i, n.Scope, name)
			}
			value, err := v.Value()
			if err != nil {
				return nil, err
			}
			numbers, err := singles(value)
			if err != nil {
				return nil, fmt.Errorf("figures.NeuralForms: %s of layer %d: %w", name, i, err)
			}
			layer[name], out = packed(numbers), len(numbers)
		}
		layers = append(layers, layer)
	}
	if len(layers) == 0 {
		return nil, fmt.Errorf("figures.NeuralForms: no forms in the scope %q", n.Scope)
	}
	if !slices.Contains([]string{"relu", "silu", "tanh"}, n.Activation) {
		return nil, fmt.Errorf("figures.NeuralForms: activation %q: a page has relu, silu and tanh",
			n.Activation)
	}
	data := object{"layers": layers, "activation": n.Activation, "count": out / 2}
	for k, name := range []string{"edge", "triangle"} {
		nodes, err := n.Rule.Nodes(k + 1)
		if err != nil {
			return nil, err
		}
		data[name] = object{"points": nodes.Barycentric, "weights": nodes.Weights}
	}
	return data, nil
}

// singles returns the numbers of a tensor in single precision.
func singles(t *tensors.Tensor) ([]float32, error) {
	if t.DType() != dtypes.Float64 {
		return tensors.CopyFlatData[float32](t)
	}
	numbers, err := tensors.CopyFlatData[float64](t)
	return datasets.Float32s(numbers), err
}

// variable returns the path of a variable of a layer.
func (n NeuralForms) variable(layer int, name string) string {
	return fmt.Sprintf("%s/layer_%d/%s", n.Scope, layer, name)
}

// HTML returns the pad for a page: the forms and the data, and the program that draws. See [Scene.HTML].
func (p *Pad) HTML() (out string) {
	defer unlessBroken(p.Title, &out)
	data, err := json.Marshal(p.data)
	if err != nil {
		panic(err)
	}
	return "<style>" + dark + "</style>" + paged("pad", string(data))
}

// PNG returns the figure as PNG with 96 dots per inch, as that of a scene.
func (p *Pad) PNG() ([]byte, error) { return p.png(96) }

// pairs returns points of the plane, one by one.
func pairs(points []float64) (out [][2]float64) {
	for i := 0; i+1 < len(points); i += 2 {
		out = append(out, [2]float64{points[i], points[i+1]})
	}
	return out
}
