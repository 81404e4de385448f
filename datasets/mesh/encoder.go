package mesh

import (
	"errors"
	"fmt"
	"slices"

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

// Encoder returns an [Encoder] with the features of that name: "faces", the default, are triangles with their
// edges, for any network on complexes; "heat" are 64 eigenfunctions of the Laplacian and integrals at 512
// nodes, or, where vertices or faces have labels, 128 at all of these.
func (s *Set) Encoder(features string) (datasets.Encoder, error) {
	e := Encoder{}
	switch features {
	case "", "faces":
		e.Faces = true
	case "heat":
		e.Heat, e.Nodes = 64, 512
	default:
		return nil, fmt.Errorf("no features %q of meshes: want one of faces, heat", features)
	}
	if s.Elements.labeled() {
		e.Labels = s.Elements
		e.Heat *= 2 // classes of vertices take functions that vary faster
	}
	return e, nil
}

// Encoder turns meshes into complexes of degree 2 in R³: their vertices, edges and distinct triangles,
// oriented as in the file. The centroid of the surface is subtracted from coordinates in 64 bits, so the
// position of a mesh has no effect.
type Encoder struct {
	// Faces asks for the edges of each triangle and their signs, which coboundaries are made of.
	Faces bool `json:"faces,omitzero"`
	// Heat, if positive, replaces each mesh by the nodes of [Mesh.Heat], Nodes of them at most, or, where
	// vertices or faces have labels, by all of these. Without labels, a mesh of more than 50,000 triangles is
	// first decimated to as many. The coordinates of each node are its Integrals, where Nodes bounds their
	// number also those of what is near it in space, as many eigenfunctions as Heat says, and its area.
	// Eigenvalues are given on the mesh as a whole.
	Heat  int `json:"heat,omitzero"`
	Nodes int `json:"nodes,omitzero"`
	// Labels are what of meshes has classes that are to be learned. Where it is not Whole, all vertices and
	// all triangles are kept, in the order of the file.
	Labels Elements `json:"labels,omitzero"`
}

// Check returns an error for an invalid encoder.
func (e Encoder) Check() error {
	if e.Labels < Whole || e.Labels > Faces || e.Nodes < 0 || e.Heat < 0 || e.Heat > 1<<10 ||
		e.Heat > 0 && e.Faces {
		return fmt.Errorf("no such encoder of meshes: %+v", e)
	}
	return nil
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
	for i, m := range s.Meshes {
		edges := m.edges()
		triangles := edges.counted(m)
		if e.Labels != Whole {
			triangles = m.Triangles
		}
		_, centroid := m.Area()
		places := slices.Clone(m.Vertices)
		for j := range places {
			places[j] -= centroid[j%3]
		}
		b.Add(places, [][]int32{1: edges.ends(), 2: triangles}, s.Targets[i]...)
		e.addLabels(b, s, i, map[Elements]int{Vertices: 0, Faces: 2}[e.Labels])
	}
	return b.Collection()
}

// addLabels adds the labels of the elements of mesh i to simplices of some degree, if something is to be
// learned about them.
func (e Encoder) addLabels(b *datasets.Builder, s *Set, i, degree int) {
	if e.Labels == Whole {
		return
	}
	labels := slices.Repeat([]int32{-1}, e.Labels.count(s.Meshes[i]))
	if s.Labels != nil {
		labels = s.Labels[i]
	}
	b.SetLabels(degree, labels)
}
