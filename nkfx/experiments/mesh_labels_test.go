package experiments

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/spatial/r3"
	"gonum.org/v1/gonum/stat"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// remoteness returns for each vertex of a mesh the mean length of the shortest paths along edges to some
// others, drawn at random; nil if the mesh is not connected.
func remoteness(m *mesh.Mesh, r *rand.Rand) []float64 {
	g := simple.NewWeightedUndirectedGraph(0, 0)
	for i := 0; i < len(m.Triangles); i += 3 {
		for j := range 3 {
			a, b := int64(m.Triangles[i+j]), int64(m.Triangles[i+(j+1)%3])
			square := 0.0
			for k := range int64(3) {
				d := m.Vertices[3*a+k] - m.Vertices[3*b+k]
				square += d * d
			}
			if a != b {
				g.SetWeightedEdge(g.NewWeightedEdge(simple.Node(a), simple.Node(b), math.Sqrt(square)))
			}
		}
	}
	vertices, _ := m.Len()
	if g.Nodes().Len() < vertices {
		return nil
	}
	const sources = 30
	out := make([]float64, vertices)
	for range sources {
		shortest := path.DijkstraFrom(simple.Node(r.IntN(vertices)), g)
		for v := range out {
			d := shortest.WeightTo(int64(v))
			if d > 1e9 {
				return nil
			}
			out[v] += d / sources
		}
	}
	return out
}

// bending returns for each triangle of a mesh the mean angle between it and those that share a corner with
// it, whichever way they look.
func bending(m *mesh.Mesh) []float64 {
	vertices, triangles := m.Len()
	normals, around := make([]r3.Vec, triangles), make([][]int, vertices)
	for t := range triangles {
		var p [3]r3.Vec
		for i, v := range m.Triangles[3*t : 3*t+3] {
			p[i] = r3.Vec{X: m.Vertices[3*v], Y: m.Vertices[3*v+1], Z: m.Vertices[3*v+2]}
			around[v] = append(around[v], t)
		}
		if n := r3.Cross(r3.Sub(p[1], p[0]), r3.Sub(p[2], p[0])); r3.Norm(n) > 0 {
			normals[t] = r3.Unit(n)
		}
	}
	out := make([]float64, triangles)
	for t := range out {
		count := 0.0
		for _, v := range m.Triangles[3*t : 3*t+3] {
			for _, other := range around[v] {
				out[t] += math.Acos(min(1, math.Abs(r3.Dot(normals[t], normals[other]))))
				count++
			}
		}
		out[t] /= count
	}
	return out
}

// TestFacesOfRealMeshes learns, of some meshes, which half of the faces lies farther from all others along
// the surface, and which is more bent, and says how often it is right about those of other meshes. With
// -search.
func TestFacesOfRealMeshes(t *testing.T) {
	if !*search {
		t.Skip("takes minutes: go test ./nkfx/experiments -run TestFacesOfRealMeshes -search -v")
	}
	data, err := Princeton.Load(t.Context())
	require.NoError(t, err)
	all := data.(*mesh.Set)
	r := rand.New(rand.NewPCG(4, 4))
	halves := map[string]*mesh.Set{}
	for _, m := range all.Meshes {
		vertices := remoteness(m, r)
		if vertices == nil {
			continue
		}
		far := make([]float64, len(m.Triangles)/3)
		for i, v := range m.Triangles {
			far[i/3] += vertices[v] / 3
		}
		for rule, x := range map[string][]float64{"far": far, "bent": bending(m)} {
			median := stat.Quantile(0.5, stat.Empirical, slices.Sorted(slices.Values(x)), nil)
			labels := make([]int32, len(x))
			for i, x := range x {
				if x > median {
					labels[i] = 1
				}
			}
			s := halves[rule]
			if s == nil {
				s = &mesh.Set{Elements: mesh.Faces}
				s.Name, s.Classes = rule, []string{"less", "more"}
				halves[rule] = s
			}
			s.Meshes, s.Labels = append(s.Meshes, m), append(s.Labels, labels)
			s.Targets = append(s.Targets, nil)
		}
	}
	recipe, err := models.Lookup("mesh-forms", models.Size{})
	require.NoError(t, err)
	encoder := mesh.Encoder{Invariants: true, Descriptor: "moments", Labels: mesh.Faces}
	for rule, least := range map[string]train.Score{"far": 65, "bent": 75} {
		data, err := encoder.Encode(halves[rule])
		require.NoError(t, err)
		folds, err := datasets.StratifiedFolds(data.Labels, 4, splitSeed)
		require.NoError(t, err)
		protocol := recipe.Protocol(train.Protocol{}, models.Counts{}, "")
		protocol.Epochs, protocol.Batch = 40, 4
		build, err := recipe.Build(models.Input{Degree: data.Degree(), Outputs: data.Outputs()})
		require.NoError(t, err)
		out, err := train.CrossValidate(t.Context(), backendtest.Get(t, "xla:cpu"), train.Task{
			Data: data, Folds: folds[:1], Protocol: protocol, Model: build,
		})
		require.NoError(t, err)
		scores := out.Fits[0].Last
		t.Logf("%s: %d meshes, of the faces of %d others %.1f %% are right after %.0f s", rule,
			len(folds[0].Train), len(folds[0].Test), scores.Accuracy, out.Fits[0].Seconds)
		// Each class has half of the faces of every mesh.
		require.Greater(t, scores.Accuracy, least, rule)
	}
}
