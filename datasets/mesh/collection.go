package mesh

import (
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
	// it is coarsened, averaged and summed up.
	Invariants bool
	// Descriptor makes each mesh one vertex, whose coordinates are these numbers, and nothing else.
	Descriptor Descriptor
}

// Collection returns the meshes as complexes of degree 2 in R³: their vertices, edges and distinct triangles,
// oriented as the file has them.
func (s *Set) Collection(o Options) (*datasets.Collection, error) {
	if o.Descriptor != NoDescriptor {
		return s.described(o.Descriptor)
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

// add adds a mesh.
func (o Options) add(b *datasets.Builder, m *Mesh, target []float64) {
	coarse, of := m, []int32(nil)
	if o.Vertices > 0 {
		coarse, of = m.Coarsen(o.Vertices)
	}
	e := coarse.edges()
	triangles := e.counted(coarse)
	b.Add(coarse.Vertices, [][]int32{1: e.ends, 2: triangles}, target...)
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
