package mesh

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/neuralkforms/nkf/datasets"
)

// Options say what a collection of meshes holds beside vertices, edges and triangles.
type Options struct {
	// Vertices is the most that a mesh keeps: larger ones are coarsened, as far as their parts allow.
	// 0: no limit.
	Vertices int
	// Faces asks for the edges of each triangle and their signs, which coboundaries are made of.
	Faces bool
	// Invariants makes the cochain of the vertices of [Mesh.Invariants] and, as last column, the area of
	// each vertex, and that of the triangles of their areas. What vertices have is that of the mesh before
	// it is coarsened, averaged and summed up.
	Invariants bool
	// Descriptor names numbers of each mesh as a whole: "d2", the histogram of the distances of random pairs
	// of points of the surface, or "moments", means and deviations of [Mesh.Invariants]. Without Invariants
	// the collection has nothing else, not even vertices.
	Descriptor string
	// Points, if positive, replaces each mesh by that number of points, drawn from its surface by area. Each
	// cloud is rotated at random about the surface's centroid, which becomes the origin, so that no model
	// learns from the orientation of meshes.
	Points int `json:",omitzero"`
	// Labels are what of meshes has classes that are to be learned. Where it is not Whole, all vertices and
	// all triangles are kept, in the order of the file.
	Labels Elements `json:",omitzero"`
}

// Collection returns the meshes as complexes of degree 2 in R³: their vertices, edges and distinct triangles,
// oriented as the file has them. Coordinates are seen from the centroid of the surface, which is taken off in
// 64 bits: where a mesh lies changes nothing.
func (s *Set) Collection(o Options) (*datasets.Collection, error) {
	for i, m := range s.Meshes {
		if err := m.Validate(); err != nil {
			return nil, fmt.Errorf("mesh %d: %w", i, err)
		}
	}
	if _, ok := descriptors[o.Descriptor]; !ok && o.Descriptor != "" {
		return nil, fmt.Errorf("no descriptor %q of meshes: there are d2 and moments", o.Descriptor)
	}
	if o.Labels != Whole {
		if err := o.checkLabels(s); err != nil {
			return nil, err
		}
		o.Vertices = 0
	}
	if o.Points > 0 {
		return s.clouds(o.Points)
	}
	b := datasets.NewBuilder(3)
	b.Info, b.Faces = s.Info, o.Faces
	if o.Invariants {
		b.Features = "invariants"
	}
	for i, m := range s.Meshes {
		if o.Descriptor != "" && !o.Invariants {
			b.Add(nil, nil, s.Targets[i]...)
		} else {
			o.add(b, m, s.Targets[i])
		}
		if o.Descriptor != "" {
			b.SetGlobals(descriptors[o.Descriptor](m))
		}
		if o.Labels != Whole {
			b.SetLabels(o.Labels.degree(), s.labelsOf(i, o.Labels))
		}
	}
	return b.Collection()
}

// checkLabels returns an error if elements cannot be learned.
func (o Options) checkLabels(s *Set) error {
	if s.Labels != nil && s.Elements != o.Labels {
		return fmt.Errorf("labels of %s are asked for, but those of %s are of %s", o.Labels, s.Name,
			s.Elements)
	}
	if o.Points > 0 || o.Descriptor != "" && !o.Invariants {
		return fmt.Errorf("labels of %s, but points and descriptors of meshes have none", o.Labels)
	}
	return nil
}

// clouds returns the meshes as points drawn from their surfaces.
func (s *Set) clouds(points int) (*datasets.Collection, error) {
	b := datasets.NewBuilder(3)
	b.Info = s.Info
	for i, m := range s.Meshes {
		r := rand.New(rand.NewPCG(uint64(i), 3))
		turn := rotation(r)
		_, centroid := m.Area()
		var rows []float64
		if draw := m.sampler(r); draw != nil {
			for range points {
				p := draw().sub(centroid)
				rows = append(rows, turn[0].dot(p), turn[1].dot(p), turn[2].dot(p))
			}
		}
		b.Add(rows, nil, s.Targets[i]...)
	}
	return b.Collection()
}

// rotation returns the rows of a rotation, all of which are equally likely.
func rotation(r *rand.Rand) [3]vector {
	var a, b vector
	for i := range 3 {
		a[i], b[i] = r.NormFloat64(), r.NormFloat64()
	}
	a = a.scale(1 / a.norm())
	b = b.sub(a.scale(a.dot(b)))
	b = b.scale(1 / b.norm())
	return [3]vector{a, b, a.cross(b)}
}

// add adds a mesh.
func (o Options) add(b *datasets.Builder, m *Mesh, target []float64) {
	coarse, of := m, []int32(nil)
	if o.Vertices > 0 {
		coarse, of = m.coarsen(o.Vertices)
	}
	e := coarse.edges()
	triangles := e.counted(coarse)
	if o.Labels != Whole {
		triangles = m.Triangles
	}
	_, centroid := m.Area()
	places := slices.Clone(coarse.Vertices)
	for i := range places {
		places[i] -= centroid[i%3]
	}
	b.Add(places, [][]int32{1: e.ends, 2: triangles}, target...)
	if !o.Invariants {
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
