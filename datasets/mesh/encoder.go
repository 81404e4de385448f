package mesh

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
)

// Kind returns "meshes".
func (s *Set) Kind() string { return "meshes" }

// Len returns the number of meshes.
func (s *Set) Len() int { return len(s.Meshes) }

// Row returns the path of a mesh.
func (s *Set) Row(g int) []datasets.Field {
	return []datasets.Field{{Name: "mesh", Column: "mesh", Value: s.Files[g]}}
}

// encoders are those of features by name.
var encoders = map[string]Encoder{
	"faces":      {Faces: true},
	"invariants": {Vertices: 300, Invariants: true, Descriptor: "moments"},
	"heat":       {Heat: 64, Vertices: 512},
	"points":     {Points: 256},
	"d2":         {Descriptor: "d2"},
	"moments":    {Descriptor: "moments"},
}

// Encoder returns an [Encoder] with the features of that name: "faces", the default, are triangles with their
// edges, for any network on complexes; "invariants" are those of the vertices, after coarsening to 300
// vertices; "heat" are 64 eigenfunctions of the Laplacian and integrals at 512 nodes; "points" are 256 points
// of the surface; "d2" and "moments" are descriptors of the whole mesh.
func (s *Set) Encoder(features string) (datasets.Encoder, error) {
	if features == "" {
		features = "faces"
	}
	e, ok := encoders[features]
	if !ok {
		return nil, fmt.Errorf("no features %q of meshes: want one of %s", features,
			strings.Join(slices.Sorted(maps.Keys(encoders)), ", "))
	}
	if s.Elements.labeled() {
		e.Labels = s.Elements
		e.Heat *= 2 // classes of vertices take functions that vary faster
	}
	return e, e.Check()
}

// Encoder turns meshes into complexes of degree 2 in R³: their vertices, edges and distinct triangles,
// oriented as in the file. The centroid of the surface is subtracted from coordinates in 64 bits, so the
// position of a mesh has no effect.
type Encoder struct {
	// Vertices is the most that a mesh keeps: larger ones are coarsened, as far as their parts allow.
	// 0: no limit.
	Vertices int `json:"vertices,omitzero"`
	// Faces asks for the edges of each triangle and their signs, which coboundaries are made of.
	Faces bool `json:"faces,omitzero"`
	// Invariants makes the cochain of the vertices of [Mesh.Invariants] and, as last column, the area of
	// each vertex, and that of the triangles of their areas. What vertices have is that of the mesh before
	// it is coarsened, averaged and summed up.
	Invariants bool `json:"invariants,omitzero"`
	// Descriptor names numbers of each mesh as a whole: "d2", the histogram of the distances of random pairs
	// of points of the surface, or "moments", means and deviations of [Mesh.Invariants]. Without Invariants
	// the collection has nothing else, not even vertices.
	Descriptor string `json:"descriptor,omitzero"`
	// Heat, if positive, replaces each mesh by the nodes of [Mesh.Heat], Vertices of them at most, or, where
	// vertices or faces have labels, by all vertices, with the triangles where these have. The coordinates
	// of each node are its Integrals, as many eigenfunctions as Heat says, and its area. Eigenvalues are
	// given on the mesh as a whole.
	Heat int `json:"heat,omitzero"`
	// Points, if positive, replaces each mesh by that number of points, drawn from its surface by area. Each
	// cloud is rotated at random about the surface's centroid, which becomes the origin, so that no model
	// learns from the orientation of meshes.
	Points int `json:"points,omitzero"`
	// Labels are what of meshes has classes that are to be learned. Where it is not Whole, all vertices and
	// all triangles are kept, in the order of the file.
	Labels Elements `json:"labels,omitzero"`
}

// Check returns an error for an invalid encoder.
func (e Encoder) Check() error {
	if e.Descriptor != "" && descriptors[e.Descriptor] == nil || e.Labels < Whole || e.Labels > Faces ||
		min(e.Vertices, e.Points) < 0 || e.Points > 1<<20 {
		return fmt.Errorf("no such encoder of meshes: %+v", e)
	}
	if e.Labels != Whole && (e.Points > 0 || e.Descriptor != "" && !e.Invariants) {
		return fmt.Errorf("labels of %s, but points and descriptors of meshes have none", e.Labels)
	}
	return e.checkHeat()
}

// Encode returns the meshes as complexes.
func (e Encoder) Encode(source datasets.Source) (*datasets.Collection, error) {
	s, ok := source.(*Set)
	if !ok {
		return nil, errors.New("another kind of data: want triangle meshes")
	}
	if err := e.Check(); err != nil {
		return nil, err
	}
	if s.Labels != nil && s.Elements != e.Labels {
		return nil, fmt.Errorf("labels of %s are asked for, but those of %s are of %s", e.Labels, s.Name,
			s.Elements)
	}
	for i, m := range s.Meshes {
		if err := m.Validate(); err != nil {
			return nil, fmt.Errorf("mesh %d: %w", i, err)
		}
	}
	if e.Heat > 0 {
		return e.encodeHeat(s)
	}
	b := datasets.NewBuilder(3)
	b.Info, b.Faces = s.Info, e.Faces
	if e.Invariants {
		b.Features = "invariants"
	}
	for i, m := range s.Meshes {
		switch {
		case e.Points > 0:
			b.Add(m.cloud(e.Points, uint64(i)), nil, s.Targets[i]...)
		case e.Descriptor != "" && !e.Invariants:
			b.Add(nil, nil, s.Targets[i]...)
		default:
			e.add(b, m, s.Targets[i])
		}
		if e.Descriptor != "" {
			b.SetGlobals(descriptors[e.Descriptor](m))
		}
		e.addLabels(b, s, i)
	}
	return b.Collection()
}

// addLabels adds the labels of the elements of mesh i, if something is to be learned about them.
func (e Encoder) addLabels(b *datasets.Builder, s *Set, i int) {
	if e.Labels == Whole {
		return
	}
	labels := slices.Repeat([]int32{-1}, e.Labels.Count(s.Meshes[i]))
	if s.Labels != nil {
		labels = s.Labels[i]
	}
	b.SetLabels(map[Elements]int{Vertices: 0, Faces: 2}[e.Labels], labels)
}

// add adds a mesh.
func (e Encoder) add(b *datasets.Builder, m *Mesh, target []float64) {
	coarse, of := m, []int32(nil)
	if e.Vertices > 0 && e.Labels == Whole {
		coarse, of = m.coarsen(e.Vertices)
	}
	edges := coarse.edges()
	triangles := edges.counted(coarse)
	if e.Labels != Whole {
		triangles = m.Triangles
	}
	_, centroid := m.Area()
	places := slices.Clone(coarse.Vertices)
	for i := range places {
		places[i] -= centroid[i%3]
	}
	b.Add(places, [][]int32{1: edges.ends(), 2: triangles}, target...)
	if !e.Invariants {
		return
	}
	vertices, _ := coarse.Len()
	invariants, areas := m.Invariants(), m.vertexAreas()
	if coarse != m {
		invariants = m.average(of, vertices, Invariants, invariants)
		sums := make([]float64, vertices)
		for v, c := range of {
			sums[c] += areas[v]
		}
		areas = sums
	}
	var rows []float64
	for v := range vertices {
		rows = append(append(rows, invariants[v*Invariants:(v+1)*Invariants]...), areas[v])
	}
	b.SetCochain(0, rows)
	b.SetCochain(2, (&Mesh{Vertices: coarse.Vertices, Triangles: triangles}).Areas())
}
