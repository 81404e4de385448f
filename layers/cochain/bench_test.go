package cochain

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// BenchmarkNetwork times a step of the cochain network, the loss and its
// gradients, on a batch as large as 32 molecules of BZR.
func BenchmarkNetwork(b *testing.B) {
	const graphs, size, bonds = 32, 36, 39
	rng := rand.New(rand.NewPCG(1, 1))
	x := make([][]float32, graphs*size)
	vertexOf, simplexOf := make([]int32, len(x)), make([]int32, graphs*bonds)
	for i := range x {
		x[i] = make([]float32, 53)
		x[i][rng.IntN(10)] = 1
		vertexOf[i] = int32(i / size)
	}
	edges := make([][]int32, len(simplexOf))
	for i := range edges {
		first := int32(i / bonds * size)
		edges[i] = []int32{first + int32(i%bonds%size), first + rng.Int32N(size)}
		simplexOf[i] = int32(i / bonds)
	}
	mask := make([]bool, graphs)
	for i := range mask {
		mask[i] = true
	}
	config := Config{
		Width: 8, Layers: 3, Forms: 8, Hidden: 32, Points: 2, Functions: 16, Head: 32, Dropout: 0.3,
	}
	store := model.NewStore()
	store.SetParam(model.ParamInitialSeed, int64(1))
	exec, err := model.NewExec(backendtest.Get(b, "xla:cpu"), store, func(scope *model.Scope, x *Node) *Node {
		g := x.Graph()
		store.SetTraining(g, true)
		batch := layers.NewBatch(layers.Parts{
			Vertices: x, VertexOf: Const(g, vertexOf), Mask: Const(g, mask),
			Simplices: []layers.Simplices{1: {Corners: Const(g, edges), Of: Const(g, simplexOf)}},
		})
		loss := ReduceAllSum(Square(Network(scope, batch, config, 2)))
		sum := loss
		for _, gradient := range scope.BuildTrainableVariablesGradientsGraph(loss) {
			sum = Add(sum, ReduceAllSum(Square(gradient)))
		}
		return sum
	})
	require.NoError(b, err)
	defer exec.Finalize()
	_, err = exec.Call(x)
	require.NoError(b, err)
	for b.Loop() {
		_, err := exec.Call(x)
		require.NoError(b, err)
	}
}

// BenchmarkSurface times a step of the network of meshes that experiments prefer, on
// 16 tori of 300 vertices.
func BenchmarkSurface(b *testing.B) {
	const count, rows, columns = 16, 15, 20
	rng := rand.New(rand.NewPCG(1, 1))
	m := meshes{}
	for mesh := range int32(count) {
		at := func(i, j int32) int32 { return mesh*rows*columns + i%rows*columns + j%columns }
		for v := range int32(rows * columns) {
			i, j := v/columns, v%columns
			row := make([]float64, 21)
			for k := range row {
				row[k] = rng.NormFloat64()
			}
			row[20] = 0.1 + rng.Float64()
			m.features, m.places = append(m.features, row), append(m.places, row[:3])
			m.of = append(m.of, mesh)
			a, right, down, across := at(i, j), at(i, j+1), at(i+1, j), at(i+1, j+1)
			m.edges = append(m.edges, []int32{a, right}, []int32{a, down}, []int32{a, across})
			m.triangles = append(m.triangles, []int32{a, right, across}, []int32{a, across, down})
			m.edgeOf, m.triOf = append(m.edgeOf, mesh, mesh, mesh), append(m.triOf, mesh, mesh)
			m.areas = append(m.areas, []float64{rng.Float64()}, []float64{rng.Float64()})
		}
	}
	config := SurfaceConfig{Members: 1, Width: 32, Hidden: 64, Layers: 3, Neighbors: true, Forms: 16,
		Functions: 64, Tensors: 16, Head: 64, Dropout: 0.2, Logs: 3, Scale: 0.1, Noise: 0.05}
	store := model.NewStore()
	store.SetParam(model.ParamInitialSeed, int64(1))
	step := func(scope *model.Scope, in []*Node) *Node {
		g := in[0].Graph()
		store.SetTraining(g, true)
		for i, x := range in {
			if x.DType().IsFloat() {
				in[i] = ConvertDType(x, dtypes.Float32)
			}
		}
		mask := GreaterOrEqual(Iota(g, shapes.Make(dtypes.Int32, count), 0), Scalar(g, dtypes.Int32, 0))
		batch := layers.NewBatch(layers.Parts{Vertices: in[0], VertexOf: in[1], Mask: mask,
			Simplices: []layers.Simplices{{Cochain: in[2]}, {Corners: in[3], Of: in[4]},
				{Corners: in[5], Of: in[6], Cochain: in[7]}}})
		loss := ReduceAllSum(Square(Surface(scope, batch, config, 12)))
		sum := loss
		for _, gradient := range scope.BuildTrainableVariablesGradientsGraph(loss) {
			sum = Add(sum, ReduceAllSum(Square(gradient)))
		}
		return sum
	}
	exec, err := model.NewExec(backendtest.Get(b, "xla:cpu"), store, step)
	require.NoError(b, err)
	defer exec.Finalize()
	out, err := exec.Call(m.inputs()...)
	require.NoError(b, err)
	b.Log(out[0])
	least := time.Hour
	for b.Loop() {
		before := time.Now()
		_, err := exec.Call(m.inputs()...)
		require.NoError(b, err)
		least = min(least, time.Since(before))
	}
	b.ReportMetric(float64(least.Microseconds()), "least-us")
}
