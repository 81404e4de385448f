package experiments

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/cochain"
	"github.com/neuralkforms/nkf/layers/exterior"
)

// CochainLevel is a trained cochain network between two of its layers, for one graph. Its vertices are points
// of Rᵐ. Vertices and forms are projected on the plane of the first two principal components of the vertices
// of the whole data set.
type CochainLevel struct {
	Points    []float64 // [V, 2]: the vertices of the graph in the plane
	Edges     []int32   // [S, 2]
	Forms     int       // ℓ
	Integrals []float64 // [S, ℓ]
	Messages  []float64 // [V, ℓ]: what the edges tell the vertices; nil at the last level
	Field     Field     // the forms restricted to the plane
	Share     float64   // of the variance of all vertices that the plane holds
}

// Largest returns the form with the largest sum of squares over the edges.
func (l CochainLevel) Largest() int {
	sums := make([]float64, l.Forms)
	for i, x := range l.Integrals {
		sums[i%l.Forms] += x * x
	}
	return floats.MaxIdx(sums)
}

// CochainLevels returns the levels of a cochain network with the weights of a
// store, from 0, for one complex of degree 1 of a data set, with its forms at
// side² points. It is an error if the network has no forms or is not two wide, or if there is no such complex
// or it has no vertex.
func CochainLevels(backend compute.Backend, weights *model.Store, config cochain.Config,
	data *datasets.Collection, graph, side int) ([]CochainLevel, error) {
	if err := checkLevels(config, data, graph, side); err != nil {
		return nil, err
	}
	values, err := model.CallOnceN(backend, weights, func(scope *model.Scope, g *Graph) (out []*Node) {
		for _, level := range cochain.Levels(scope, whole(g, data), config) {
			for _, x := range []*Node{level.Vertices, level.Integrals, level.Messages} {
				if x != nil { // the last level has no messages
					out = append(out, ConvertDType(x, dtypes.Float64))
				}
			}
		}
		return out
	})
	if err != nil {
		return nil, fmt.Errorf("the levels of %s: %w", data.Name, err)
	}
	start := data.Simplices[1].Start
	first, last, count := int(start[graph]), int(start[graph+1]), int(data.VertexStart[data.Len()])
	vertices := func(x []float64, width int) []float64 {
		return x[int(data.VertexStart[graph])*width : int(data.VertexStart[graph+1])*width]
	}
	levels, planes := make([]CochainLevel, config.Layers+1), make([]plane, config.Layers+1)
	for i := range levels {
		x, integrals := tensors.MustCopyFlatData[float64](values[3*i])[:count*config.Width],
			tensors.MustCopyFlatData[float64](values[3*i+1])
		p := newPlane(x, config.Width)
		l := CochainLevel{Edges: data.Corners(1, graph), Forms: config.Forms, Share: p.share,
			Points:    p.project(vertices(x, config.Width)),
			Integrals: integrals[first*config.Forms : last*config.Forms]}
		if i < config.Layers {
			l.Messages = vertices(tensors.MustCopyFlatData[float64](values[3*i+2]), config.Forms)
		}
		low, high := floats.Min(l.Points), floats.Max(l.Points)
		margin := math.Max(0.1, 0.15*(high-low))
		l.Field = Field{Low: low - margin, High: high + margin, Side: side}
		levels[i], planes[i] = l, p
	}
	fields, err := model.CallOnceN(backend, weights, func(scope *model.Scope, g *Graph) (out []*Node) {
		for i, level := range cochain.Levels(scope, whole(g, data), config) {
			out = append(out, planes[i].restrict(level.Form, Const(g, levels[i].Field.points())))
		}
		return out
	})
	if err != nil {
		return nil, fmt.Errorf("the forms of %s: %w", data.Name, err)
	}
	for i, field := range fields {
		levels[i].Field.Values = tensors.MustCopyFlatData[float32](field)
	}
	return levels, nil
}

// checkLevels returns an error for levels that cannot be.
func checkLevels(config cochain.Config, data *datasets.Collection, graph, side int) error {
	if config.Forms == 0 || config.Width < 2 || data.Degree() != 1 {
		return fmt.Errorf("%d forms, a width of %d, and %s of degree %d: want one or more forms, a width of "+
			"two or more, and graphs", config.Forms, config.Width, data.Name, data.Degree())
	}
	if graph < 0 || graph >= data.Len() || data.Count(0, graph) == 0 || side < 2 {
		return fmt.Errorf("graph %d of %s with forms at %d² points: there are graphs 0 to %d, it takes one "+
			"with a vertex, and 2 points or more a side", graph, data.Name, side, data.Len()-1)
	}
	return nil
}

// whole returns all complexes of a collection, which is valid, as one batch. Padding comes last.
func whole(g *Graph, data *datasets.Collection) *layers.Batch {
	all, err := layers.NewDataset(data, nil, data.Len(), nil)
	if err == nil {
		for batch, err := range all.Iter() {
			if err == nil {
				return layers.Unpack(batch.Spec,
					[]*Node{ConstTensor(g, batch.Inputs[0]), ConstTensor(g, batch.Inputs[1])})
			}
		}
	}
	panic(err)
}

// plane is an affine plane in Rᵐ.
type plane struct {
	mean  []float64  // [m]
	axes  *mat.Dense // [m, 2], orthonormal columns
	share float64    // of the variance of the points
}

// newPlane returns the plane through the mean of points [P, m], m 2 or more, in
// which they vary most: that of their two principal directions.
func newPlane(points []float64, m int) plane {
	x := mat.NewDense(len(points)/m, m, points)
	p := plane{mean: make([]float64, m), axes: mat.NewDense(m, 2, nil)}
	for j := range m {
		p.mean[j] = stat.Mean(mat.Col(nil, j, x), nil)
	}
	p.axes.Set(0, 0, 1) // should no directions be better than others
	p.axes.Set(1, 1, 1)
	var pc stat.PC
	if pc.PrincipalComponents(x, nil) {
		var vectors mat.Dense
		pc.VectorsTo(&vectors)
		p.axes.Copy(vectors.Slice(0, m, 0, 2))
		variances := pc.VarsTo(nil)
		p.share = (variances[0] + variances[1]) / math.Max(floats.Sum(variances), math.SmallestNonzeroFloat64)
	}
	return p
}

// project returns the coordinates of points [P, m] in the plane, [P, 2].
func (p plane) project(points []float64) []float64 {
	m := len(p.mean)
	x := mat.NewDense(len(points)/m, m, slices.Clone(points))
	x.Apply(func(_, j int, v float64) float64 { return v - p.mean[j] }, x)
	var out mat.Dense
	out.Mul(x, p.axes)
	return out.RawMatrix().Data
}

// restrict returns the pull-back of 1-forms on Rᵐ to the plane, at points whose coordinates follow each
// other: coefficients along the two axes, [P, 2, ℓ].
func (p plane) restrict(form exterior.Form, points *Node) *Node {
	g := points.Graph()
	axes := ConstAsDType(g, dtypes.Float32, p.axes.RawMatrix().Data)
	axes = Reshape(axes, len(p.mean), 2)
	mean := ConstAsDType(g, dtypes.Float32, [][]float64{p.mean})
	at := Add(Einsum("pa,ma->pm", Reshape(points, -1, 2), axes), mean)
	return Einsum("pmj,ma->paj", form.At(at), axes)
}
