package heat

import (
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/datasets/simplicial"
	"github.com/neuralkforms/nkf/layers"
)

// must returns the result of a call that cannot fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// surface is a basis and functions on its vertices, [V, columns].
type surface struct {
	*simplicial.Basis
	functions []float64
	columns   int
}

// unit returns the basis of the surface scaled to area 1.
func unit(b *simplicial.Basis) *simplicial.Basis {
	area := floats.Sum(b.Mass)
	scaled := func(x []float64, s float64) []float64 { return floats.ScaleTo(make([]float64, len(x)), s, x) }
	return &simplicial.Basis{Values: scaled(b.Values, area), Vectors: scaled(b.Vectors, math.Sqrt(area)),
		Mass: scaled(b.Mass, 1/area)}
}

// batch returns surfaces with the same numbers of functions and eigenvalues, and padding vertices.
func batch(g *Graph, padding int, all ...surface) *layers.Batch {
	k, columns := len(all[0].Values), all[0].columns
	var vertices, values []float64
	var of []int32
	mask := slices.Repeat([]bool{true}, len(all))
	for b, s := range all {
		for v, area := range s.Mass {
			vertices = append(vertices, s.functions[v*columns:(v+1)*columns]...)
			vertices = append(append(vertices, s.Vectors[v*k:(v+1)*k]...), area)
			of = append(of, int32(b))
		}
		values = append(values, s.Values...)
	}
	vertices = append(vertices, make([]float64, padding*(columns+k+1))...)
	of = append(of, slices.Repeat([]int32{int32(len(all))}, padding)...)
	return layers.NewBatch(layers.Parts{
		Vertices: Reshape(Const(g, vertices), len(of), -1), VertexOf: Const(g, of), Mask: Const(g, mask),
		Globals: Reshape(Const(g, values), len(all), k),
	})
}

// compute64 computes nodes, whose variables are those of the store.
func compute64(backend compute.Backend, store *model.Store,
	build func(scope *model.Scope, g *Graph) []*Node) [][]float64 {
	exec := must(model.NewExec(backend, store, func(scope *model.Scope, g *Graph) []*Node {
		out := build(scope, g)
		for i, node := range out {
			out[i] = ConvertDType(node, dtypes.Float64)
		}
		return out
	}))
	defer exec.Finalize()
	results := must(exec.Call())
	out := make([][]float64, len(results))
	for i, x := range results {
		out[i] = tensors.MustCopyFlatData[float64](x)
	}
	return out
}

// onVertices is compute64 for one function of a surface at its vertices.
func onVertices(t *testing.T, backend compute.Backend, of surface, f func(s *surfaces) *Node) []float64 {
	const padding = 3
	out := compute64(backend, model.NewStore(), func(_ *model.Scope, g *Graph) []*Node {
		s := newSurfaces(batch(g, padding, of))
		return []*Node{s.atVertices(f(s))}
	})[0]
	return out[:len(out)/(len(of.Mass)+padding)*len(of.Mass)]
}

// seeded returns a store whose variables begin the same every time.
func seeded(t *testing.T) *model.Store {
	t.Helper()
	store := model.NewStore()
	require.NoError(t, store.SetRNGStateFromSeed(7))
	return store
}

// sphere returns the unit sphere, an icosahedron whose triangles were cut in four level times.
func sphere(level int) *mesh.Mesh {
	const phi = math.Phi
	m := &mesh.Mesh{Vertices: []float64{-1, phi, 0, 1, phi, 0, -1, -phi, 0, 1, -phi, 0, 0, -1, phi, 0, 1,
		phi, 0, -1, -phi, 0, 1, -phi, phi, 0, -1, phi, 0, 1, -phi, 0, -1, -phi, 0, 1},
		Triangles: []int32{0, 11, 5, 0, 5, 1, 0, 1, 7, 0, 7, 10, 0, 10, 11, 1, 5, 9, 5, 11, 4, 11, 10, 2, 10,
			7, 6, 7, 1, 8, 3, 9, 4, 3, 4, 2, 3, 2, 6, 3, 6, 8, 3, 8, 9, 4, 9, 5, 2, 4, 11, 6, 2, 10, 8, 6, 7,
			9, 8, 1}}
	for i := range level + 1 {
		if i > 0 {
			m = m.Subdivide(nil)
		}
		for p := range slices.Chunk(m.Vertices, 3) {
			floats.Scale(1/floats.Norm(p, 2), p)
		}
	}
	return m
}

// torus returns a torus about an axis that is not round, of 12 times 8 squares at level 0, and of twice
// as many in both directions at each next one.
func torus(level int) *mesh.Mesh {
	m := &mesh.Mesh{}
	n := 1 << level
	a, b := 12*n, 8*n
	for i := range a {
		for j := range b {
			u, v := 2*math.Pi*float64(i)/float64(a), 2*math.Pi*float64(j)/float64(b)
			r := 2 + (1+0.2*math.Cos(u))*math.Cos(v)
			m.Vertices = append(m.Vertices, r*math.Cos(u), 1.3*r*math.Sin(u),
				(1+0.2*math.Cos(u))*math.Sin(v)+0.1*math.Sin(2*u))
			at := func(i, j int) int32 { return int32(i%a*b + j%b) }
			m.Triangles = append(m.Triangles, at(i, j), at(i+1, j), at(i+1, j+1), at(i, j),
				at(i+1, j+1), at(i, j+1))
		}
	}
	return m
}

// complexOf returns a mesh as a complex.
func complexOf(n int, vertices []float64, triangles []int32) *simplicial.Complex {
	var list [][]int
	for t := range slices.Chunk(triangles, 3) {
		list = append(list, []int{int(t[0]), int(t[1]), int(t[2])})
	}
	return must(must(simplicial.New(len(vertices)/n, list)).Embed(n, vertices))
}
