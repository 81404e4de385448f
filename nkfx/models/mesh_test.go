package models_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// bumpy returns a torus of width times height vertices that is nowhere round.
func bumpy(r *rand.Rand, width, height int) *mesh.Mesh {
	return mesh.Torus(width, height, func(a, b float64) (x, y, z float64) {
		radius := 0.4 + 0.2*math.Sin(2*a) + 0.05*r.Float64()
		distance := 1 + radius*math.Cos(b)
		return distance * math.Cos(a), 1.5 * distance * math.Sin(a), radius*math.Sin(b) + 0.1*math.Cos(3*a)
	})
}

// displaced returns a mesh turned, reflected and shifted at random, some of its triangles turned round.
func displaced(r *rand.Rand, m *mesh.Mesh) *mesh.Mesh {
	out := &mesh.Mesh{Vertices: append([]float64{}, m.Vertices...), Triangles: append([]int32{},
		m.Triangles...)}
	for range 3 { // reflections
		u := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		square := u[0]*u[0] + u[1]*u[1] + u[2]*u[2]
		for v := 0; v < len(out.Vertices); v += 3 {
			p := out.Vertices[v : v+3]
			dot := 2 * (u[0]*p[0] + u[1]*p[1] + u[2]*p[2]) / square
			for i := range p {
				p[i] -= dot * u[i]
			}
		}
	}
	for i := range out.Vertices {
		out.Vertices[i] += [3]float64{3, -20, 7}[i%3]
	}
	for t := 0; t < len(out.Triangles); t += 9 {
		out.Triangles[t], out.Triangles[t+1] = out.Triangles[t+1], out.Triangles[t]
	}
	return out
}

// TestMeshMotions: turned, reflected and shifted, a mesh has the same probabilities to 1e-5, and so have its
// vertices and its triangles.
func TestMeshMotions(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	sets := [2]*mesh.Set{{}, {}}
	for i, size := range [][2]int{{6, 5}, {32, 20}} { // the larger, of 640 vertices, has nodes
		m := bumpy(r, size[0], size[1])
		for s, x := range []*mesh.Mesh{m, displaced(r, m)} {
			sets[s].Meshes = append(sets[s].Meshes, x)
			sets[s].Targets = append(sets[s].Targets, []float64{float64(i % 2)})
		}
	}
	for _, name := range models.Names("meshes") {
		m := must(models.Lookup(name+":layers=1:local=1", models.Size{}))
		for _, of := range []mesh.Elements{mesh.Whole, mesh.Vertices, mesh.Faces} {
			requireSameAnswers(t, m, sets, of)
		}
	}
}

// requireSameAnswers trains a model on the first meshes, to tell elements apart by a rule, and asks it about
// all.
func requireSameAnswers(t *testing.T, m models.Model, sets [2]*mesh.Set, of mesh.Elements) {
	t.Helper()
	var data [2]*datasets.Collection
	for i, s := range sets {
		s := *s
		if s.Elements = of; of != mesh.Whole {
			s.Classes, s.Targets, s.Labels = []string{"0", "1"}, make([][]float64, len(s.Meshes)), nil
			for g, x := range s.Meshes {
				count, triangles := x.Len()
				if of == mesh.Faces {
					count = triangles
				}
				labels := make([]int32, count)
				for j := range labels {
					labels[j] = int32((g+j/10)%3 - 1)
				}
				s.Labels = append(s.Labels, labels)
			}
		}
		encoder := must(s.Encoder(m.Features("meshes")))
		data[i] = must(encoder.Encode(&s))
	}
	build := must(m.Build(models.Input{Degree: data[0].Degree(), Outputs: 2}))
	protocol := m.Protocol(train.Protocol{}, models.Counts{All: 2, Train: 2}, "")
	protocol.Batch, protocol.Epochs = 2, 1
	backend := backendtest.Get(t, "go")
	task := train.Task{Data: data[0], Model: build, Protocol: protocol}
	weights, _, err := train.FitAll(t.Context(), backend, task, nil)
	require.NoError(t, err)
	var said [2][]float64
	for i := range said {
		logits := must(train.Predict(backend, train.Task{Data: data[i], Model: build}, weights))
		for g := 0; g < len(logits); g += 2 {
			said[i] = append(said[i], 1/(1+math.Exp(float64(logits[g+1]-logits[g]))))
		}
	}
	require.InDeltaSlice(t, said[0], said[1], 1e-5, of)
}
