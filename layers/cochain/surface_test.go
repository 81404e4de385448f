package cochain

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// meshes are two surfaces with features and areas of vertices, areas of triangles.
type meshes struct {
	places    [][]float64
	features  [][]float64 // with the area last
	of        []int32
	edges     [][]int32
	edgeOf    []int32
	triangles [][]int32
	triOf     []int32
	areas     [][]float64
}

// twoMeshes returns a tetrahedron and a square, with padding: so many vertices, edges and triangles.
func twoMeshes(padding int) meshes {
	m := meshes{
		of: []int32{0, 0, 0, 0, 1, 1, 1, 1},
		edges: [][]int32{{0, 1}, {2, 0}, {0, 3}, {1, 2}, {3, 1}, {2, 3}, {4, 5}, {5, 6}, {4, 6}, {6, 7},
			{4, 7}},
		edgeOf:    []int32{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1},
		triangles: [][]int32{{0, 1, 2}, {0, 3, 1}, {2, 3, 0}, {1, 2, 3}, {4, 5, 6}, {4, 6, 7}},
		triOf:     []int32{0, 0, 0, 0, 1, 1},
	}
	r := rand.New(rand.NewPCG(1, 9))
	for range m.of {
		row := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), 0.1 + r.Float64()}
		m.features = append(m.features, row)
		m.places = append(m.places, []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
	}
	for range m.triangles {
		m.areas = append(m.areas, []float64{0.1 + r.Float64()})
	}
	last := int32(len(m.of) + padding - 1)
	for range padding {
		m.features, m.of = append(m.features, make([]float64, 4)), append(m.of, 2)
		m.places = append(m.places, make([]float64, 3))
		m.edges, m.edgeOf = append(m.edges, []int32{last, last}), append(m.edgeOf, 2)
		m.triangles, m.triOf = append(m.triangles, []int32{last, last, last}), append(m.triOf, 2)
		m.areas = append(m.areas, []float64{0})
	}
	return m
}

// inputs are the arrays that batch takes.
func (m meshes) inputs() []any {
	return []any{m.places, m.of, m.features, m.edges, m.edgeOf, m.triangles, m.triOf, m.areas}
}

// batch returns the meshes on the graph.
func (m meshes) batch(g *Graph) *layers.Batch {
	var inputs []*Node
	for _, x := range m.inputs() {
		inputs = append(inputs, Const(g, x))
	}
	return meshBatch(inputs, -1)
}

// meshBatch returns the batch of inputs, of which the simplices of a degree have labels, or none for -1.
func meshBatch(inputs []*Node, labeled int) *layers.Batch {
	g := inputs[0].Graph()
	b := layers.Parts{
		Vertices: inputs[0], VertexOf: inputs[1], Mask: Const(g, []bool{true, true}),
		Globals: Const(g, [][]float64{{0.3, -1}, {2, 0.5}}),
		Simplices: []layers.Simplices{
			{Cochain: inputs[2]},
			{Corners: inputs[3], Of: inputs[4]},
			{Corners: inputs[5], Of: inputs[6], Cochain: inputs[7]},
		},
	}
	if labeled >= 0 {
		of := []int{1, 4, 6}[labeled] // of the vertices, edges or triangles
		b.Simplices[labeled].Labels = ZerosLike(inputs[of])
	}
	return layers.NewBatch(b)
}

// allOfIt has everything that a network may be made of.
var allOfIt = SurfaceConfig{
	Members: 2, Width: 4, Hidden: 5, Layers: 2, Neighbors: true, Currents: 3, Masses: 2, Forms: 3,
	Functions: 2, Tensors: 2, Head: 4,
}

// network returns a function that computes the logits of a network and the gradients of the sum of their
// squares by all variables. It is compiled once for all meshes of the same numbers of simplices.
func network(t *testing.T, backend compute.Backend, c SurfaceConfig, labeled int, training bool,
) func(m meshes) [][]float64 {
	t.Helper()
	store := seeded(t)
	exec, err := model.NewExec(backend, store, func(scope *model.Scope, inputs []*Node) []*Node {
		store.SetTraining(inputs[0].Graph(), training)
		out := Surface(scope, meshBatch(inputs, labeled), c, 3)
		if k := labeled; k >= 0 {
			count := inputs[[]int{1, 4, 6}[k]].Shape().Dimensions[0]
			require.Equal(t, []int{c.Members, count, 3}, out.Shape().Dimensions)
			// Of padding the logits do not count.
			out = SliceAxis(out, 1, AxisRange(0, []int{8, 11, 6}[k]))
		}
		return append([]*Node{out},
			scope.BuildTrainableVariablesGradientsGraph(ReduceAllSum(Square(out)))...)
	})
	require.NoError(t, err)
	t.Cleanup(exec.Finalize)
	return func(m meshes) (all [][]float64) {
		out, err := exec.Call(m.inputs()...)
		require.NoError(t, err)
		for _, x := range out {
			all = append(all, tensors.MustCopyFlatData[float64](x))
		}
		return all
	}
}

// TestSurfaceLaws: listing vertices, edges and triangles in another order, turning some of them round,
// reflecting the points and padding change no logit and no gradient; logits of simplices come in their order.
func TestSurfaceLaws(t *testing.T) {
	const outputs, tolerance = 3, 1e-10
	order := [][]int{{2, 0, 3, 1, 7, 4, 5, 6}, {5, 0, 3, 1, 2, 4, 10, 9, 6, 8, 7}, {3, 1, 0, 2, 5, 4}}
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		for degree := -1; degree < 3; degree++ { // of the simplices with labels
			place := []int{0, 1} // of the logits
			if degree >= 0 {
				place = order[degree]
			}
			of := network(t, backend, allOfIt, degree, true)
			want, padded, moved := of(twoMeshes(1)), of(twoMeshes(7)), of(twoMeshes(1).moved(order))
			for member := range allOfIt.Members {
				for i, from := range place {
					row := func(x []float64, i int) []float64 {
						return x[(member*len(place)+i)*outputs:][:outputs]
					}
					closeTo(t, row(want[0], i), row(padded[0], i), tolerance, "padded")
					closeTo(t, row(want[0], from), row(moved[0], i), tolerance, "moved")
				}
			}
			gradients := slices.Concat(want[1:]...)
			closeTo(t, gradients, slices.Concat(padded[1:]...), tolerance, "gradients, padded")
			closeTo(t, gradients, slices.Concat(moved[1:]...), tolerance, "gradients, moved")
		}
	})
}

// moved lists vertices, edges and triangles in another order, place i having what was at order[degree][i],
// turns some of these round, and reflects the points.
func (m meshes) moved(order [][]int) meshes {
	out := twoMeshes(1)
	number := make([]int32, len(m.of))
	number[len(order[0])] = int32(len(order[0])) // padding
	for i, from := range order[0] {
		number[from] = int32(i)
		p := m.places[from]
		out.places[i], out.features[i] = []float64{p[1], p[0], p[2]}, m.features[from]
	}
	list := func(to, simplices [][]int32, order []int) {
		for i, from := range order {
			to[i] = nil
			for j := range simplices[from] {
				if i%2 == 0 {
					j = len(simplices[from]) - 1 - j
				}
				to[i] = append(to[i], number[simplices[from][j]])
			}
		}
	}
	list(out.edges, m.edges, order[1])
	list(out.triangles, m.triangles, order[2])
	for i, from := range order[2] {
		out.areas[i] = m.areas[from]
	}
	return out
}

// TestSurfaceMotions: turning the points about the origin, reflecting them and scaling each mesh change no
// logit and no gradient; other linear maps do.
func TestSurfaceMotions(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	mapped := func(rows [3][3]float64, scale float64) meshes {
		m := twoMeshes(1)
		for v, p := range twoMeshes(1).places {
			for i, row := range rows {
				m.places[v][i] = scale * (row[0]*p[0] + row[1]*p[1] + row[2]*p[2])
			}
		}
		return m
	}
	var reflection [3][3]float64 // 1 - 2 u uᵀ/|u|²
	u := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
	for i := range 3 {
		for j := range 3 {
			reflection[i][j] = -2 * u[i] * u[j] / (u[0]*u[0] + u[1]*u[1] + u[2]*u[2])
		}
		reflection[i][i]++
	}
	turn := [3][3]float64{reflection[1], reflection[0], reflection[2]} // two reflections
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		of := network(t, backend, allOfIt, -1, true)
		logits := func(m meshes) []float64 { return slices.Concat(of(m)...) }
		want, tolerance := logits(twoMeshes(1)), tolerances[dtypes.Float64]
		closeTo(t, want, logits(mapped(reflection, 1)), tolerance, "reflected")
		closeTo(t, want, logits(mapped(turn, 1)), tolerance, "turned")
		closeTo(t, want, logits(mapped(turn, 7)), tolerance, "turned and scaled")
		require.NotEqual(t, want, logits(mapped([3][3]float64{{2, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 1)))
	})
}

// TestTensors: of the function 1, lengths are those of the mean point, of the second moment and of the mean
// of n nᵀ, without their traces.
func TestTensors(t *testing.T) {
	m := twoMeshes(1)
	// The second mesh is a rectangle in the plane of y and z, whose corners stand for the same area each.
	copy(m.places[4:], [][]float64{{0, 0, 0}, {0, 4, 0}, {0, 4, 3}, {0, 0, 3}})
	for v := 4; v < 8; v++ {
		m.features[v][3] = 3
	}
	backend := backendtest.Get(t, "go")
	got := compute64(t, backend, seeded(t), false, func(scope *model.Scope, g *Graph) []*Node {
		s := newSurface(scope, m.batch(g), SurfaceConfig{Tensors: 1, Width: 2, Hidden: 1, Head: 1})
		return s.lengths(Ones(g, shapes.Make(dtypes.Float64, len(m.of), 3)))
	})
	// Points have the mean square (0 + 16 + 25 + 9)/4 = 12.5, the mean (0, 2, 1.5), and the second moment
	// with 8, 4.5 and 2·1.5 off the diagonal; n nᵀ - 1/3 has the diagonal 2/3, -1/3, -1/3.
	const third = 12.5 / 3
	second := third*third + (8-third)*(8-third) + (4.5-third)*(4.5-third) + 2*3*3
	for i, want := range []float64{6.25 / 12.5, second / (12.5 * 12.5), 2.0 / 3} {
		require.InDelta(t, math.Log(want+1e-3), got[i][1], 1e-12, "length %d", i)
	}
}

// TestSurfaceAugment: chance changes the logits of a training step, and not those of others.
func TestSurfaceAugment(t *testing.T) {
	backend := backendtest.Get(t, "go")
	plain := SurfaceConfig{Width: 4, Hidden: 5, Functions: 3, Head: 4}
	noisy := plain
	noisy.Logs, noisy.Scale, noisy.Noise = 2, 0.1, 0.05
	m := twoMeshes(1)
	logits := func(c SurfaceConfig, training bool) [][]float64 {
		return network(t, backend, c, -1, training)(m)
	}
	require.NotEqual(t, logits(plain, true), logits(noisy, true))
	require.Equal(t, logits(plain, false), logits(noisy, false))
}
