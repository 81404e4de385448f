package mesh

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/simplicial"
)

// requireHomology compares a report with the homology of package simplicial,
// which reduces boundary matrices.
func requireHomology(t *testing.T, m *Mesh, r Report) {
	t.Helper()
	number := map[int32]int{}
	var triangles [][]int
	for i := 0; i < len(m.Triangles); i += 3 {
		a, b, c := m.Triangles[i], m.Triangles[i+1], m.Triangles[i+2]
		if a == b || b == c || a == c {
			continue
		}
		var tuple []int
		for _, v := range []int32{a, b, c} {
			if _, ok := number[v]; !ok {
				number[v] = len(number)
			}
			tuple = append(tuple, number[v])
		}
		triangles = append(triangles, tuple)
	}
	c := must(simplicial.New(len(number), triangles))
	var betti [3]int
	copy(betti[:], c.Betti())
	require.Equal(t, betti, r.Betti)
	require.Equal(t, betti[0], r.Components)
	require.Equal(t, c.Count(0)-c.Count(1)+c.Count(2), r.Euler)
	require.Equal(t, c.Count(1), r.Edges)
	require.Equal(t, c.Count(2), r.Triangles-r.Degenerate-r.Doubled)
	require.Equal(t, len(m.Vertices)/3-c.Count(0), r.Unused)
}

// glue returns two meshes side by side. The first vertices of the second, so many, are those of the first.
func glue(a, b *Mesh, common int) *Mesh {
	m := &Mesh{Vertices: append(append([]float64{}, a.Vertices...), b.Vertices[3*common:]...),
		Triangles: append([]int32{}, a.Triangles...)}
	for _, v := range b.Triangles {
		if int(v) >= common {
			v += int32(len(a.Vertices)/3 - common)
		}
		m.Triangles = append(m.Triangles, v)
	}
	return m
}

// TestSurfaces has the topology of surfaces that everybody knows.
func TestSurfaces(t *testing.T) {
	type shape struct {
		betti               [3]int
		orientable, closed  bool
		boundary, branching int
	}
	for name, c := range map[string]struct {
		mesh *Mesh
		want shape
	}{
		"nothing":          {&Mesh{}, shape{[3]int{}, true, false, 0, 0}},
		"sphere":           {tetrahedron, shape{[3]int{1, 0, 1}, true, true, 0, 0}},
		"torus":            {torus(5, 4), shape{[3]int{1, 2, 1}, true, true, 0, 0}},
		"two":              {glue(tetrahedron, torus(5, 4), 0), shape{[3]int{2, 2, 2}, true, true, 0, 0}},
		"at a point":       {glue(tetrahedron, torus(5, 4), 1), shape{[3]int{1, 2, 2}, true, true, 0, 0}},
		"at an edge":       {glue(tetrahedron, tetrahedron, 2), shape{[3]int{1, 0, 2}, true, true, 0, 1}},
		"band":             {strip(5, false), shape{[3]int{1, 1, 0}, true, false, 10, 0}},
		"Möbius band":      {strip(5, true), shape{[3]int{1, 1, 0}, false, false, 10, 0}},
		"projective plane": {projectivePlane, shape{[3]int{1, 0, 0}, false, false, 0, 0}},
		"sphere and plane": {glue(tetrahedron, projectivePlane, 3),
			shape{[3]int{1, 0, 1}, false, false, 0, 3}},
	} {
		r := c.mesh.Inspect()
		requireHomology(t, c.mesh, r)
		require.Equal(t, c.want, shape{r.Betti, r.Orientable, r.Closed, r.Boundary, r.Branching}, name)
	}
}

// TestHomology compares random sets of triangles, hardly any of which make a surface, with package
// simplicial.
func TestHomology(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	branching, voids := 0, 0
	for range 400 {
		vertices := 3 + r.IntN(12)
		m := &Mesh{Vertices: make([]float64, 3*vertices)}
		for range 3 * r.IntN(40) {
			m.Triangles = append(m.Triangles, int32(r.IntN(vertices)))
		}
		m.Triangles = m.Triangles[:len(m.Triangles)/3*3]
		report := m.Inspect()
		requireHomology(t, m, report)
		branching += report.Branching
		voids += report.Betti[2]
	}
	require.Greater(t, branching, 1000)
	require.Greater(t, voids, 100)
}

// TestDoubledAndFlat counts triangles that are none.
func TestDoubledAndFlat(t *testing.T) {
	m := &Mesh{Vertices: []float64{0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 5, 5, 5},
		Triangles: []int32{0, 1, 2, 0, 1, 3, 3, 1, 0, 1, 3, 0, 2, 2, 0}}
	r := m.Inspect()
	require.Equal(t, []int{1, 1, 2, 1}, []int{r.Flat, r.Degenerate, r.Doubled, r.Unused})
	require.False(t, r.Closed)
	both := &Mesh{Vertices: m.Vertices, Triangles: []int32{0, 1, 3, 0, 3, 1}}
	r = both.Inspect()
	require.True(t, r.Closed, "there and back")
	require.Zero(t, r.Volume)
	require.Equal(t, 1.0, r.Area)
}

// TestOrient turns triangles of a torus round at random and turns them back.
func TestOrient(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, share := range []float64{0, 0.1, 0.45, 0.9, 1} {
		m, want := torus(30, 20), torus(30, 20)
		turned := 0
		for i := 0; i < len(m.Triangles); i += 3 {
			if r.Float64() < share {
				m.Triangles[i], m.Triangles[i+1] = m.Triangles[i+1], m.Triangles[i]
				turned++
			}
		}
		report := m.Inspect()
		require.True(t, report.Orientable)
		require.Equal(t, turned == 0 || turned == 1200, report.Consistent)
		require.Equal(t, min(turned, 1200-turned), m.Orient())
		report = m.Inspect()
		require.True(t, report.Consistent)
		require.True(t, report.Closed)
		require.InEpsilon(t, want.Inspect().Volume, math.Abs(report.Volume), 1e-12) // sums of 1200 terms
	}
	band := strip(9, true)
	before := append([]int32{}, band.Triangles...)
	require.Zero(t, band.Orient())
	require.Equal(t, before, band.Triangles)
}

// TestStokes compares area, volume and centroids with formulas, far from the origin, too.
func TestStokes(t *testing.T) {
	require.Equal(t, 1.0/6, tetrahedron.Inspect().Volume)
	for _, shift := range []float64{0, 1e3} {
		m := torus(120, 60)
		for i := range m.Vertices {
			m.Vertices[i] += shift
		}
		r := m.Inspect()
		// R = 2, r = 1: volume 2π²Rr²,
		// area 4π²Rr; polygons of 60 corners are off by a share of 2π²/3/60².
		require.InEpsilon(t, 4*math.Pi*math.Pi, r.Volume, 3e-3)
		require.InEpsilon(t, 8*math.Pi*math.Pi, r.Area, 3e-3)
		require.InDeltaSlice(t, []float64{shift, shift, shift}, r.Centroid[:], 1e-9)
		require.InDeltaSlice(t, []float64{shift, shift, shift}, r.AreaCentroid[:], 1e-9)
	}
}
