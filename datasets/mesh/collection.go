package mesh

import (
	"math/rand/v2"
	"slices"

	"github.com/neuralkforms/nkf/datasets"
)

// Options say what a collection of meshes holds beside vertices, edges and triangles.
type Options struct {
	// Vertices is the most that a mesh keeps: larger ones are coarsened, see [Mesh.Coarsen]. 0: no limit.
	Vertices int
	// Faces asks for the edges of each triangle and their signs, which coboundaries are made of.
	Faces bool
	// Invariants makes the cochain of the vertices of [Mesh.Invariants] and, as last column, the area of
	// each vertex, and that of the triangles of their areas. What vertices have is that of the mesh before
	// it is coarsened, averaged and summed up. Coordinates are seen from the centroid of the surface.
	Invariants bool
	// Descriptor makes each mesh one vertex, whose coordinates are these numbers, and nothing else.
	Descriptor Descriptor
	// Points makes each mesh so many points, drawn from its surface by area, and nothing else. Each cloud is
	// turned by a random rotation of its own about the surface's centroid, which becomes the origin: no model
	// learns from how meshes happen to lie.
	Points int `json:",omitzero"`
}

// Collection returns the meshes as complexes of degree 2 in R³: their vertices, edges and distinct triangles,
// oriented as the file has them.
func (s *Set) Collection(o Options) (*datasets.Collection, error) {
	if o.Descriptor != NoDescriptor {
		return s.described(o.Descriptor)
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
		o.add(b, m, s.Targets[i])
	}
	return b.Collection()
}

// described returns the meshes as points.
func (s *Set) described(d Descriptor) (*datasets.Collection, error) {
	rows := make([][]float64, len(s.Meshes))
	columns := 1
	for i, m := range s.Meshes {
		rows[i] = m.Describe(d)
		columns = len(rows[i])
	}
	b := datasets.NewBuilder(columns)
	b.Info = s.Info
	for i, row := range rows {
		b.Add(row, nil, s.Targets[i]...)
	}
	return b.Collection()
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
		coarse, of = m.Coarsen(o.Vertices)
	}
	e := coarse.edges()
	triangles := e.counted(coarse)
	places := coarse.Vertices
	if o.Invariants {
		_, centroid := m.Area()
		places = slices.Clone(places)
		for i := range places {
			places[i] -= centroid[i%3]
		}
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
	b.SetCochain(2, (&Mesh{coarse.Vertices, triangles}).Areas())
}
