package mesh

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSubdivide: another cut of a surface has the same area, volume and topology, and no new boundary.
func TestSubdivide(t *testing.T) {
	for _, m := range []*Mesh{torus(12, 8), must(parse([]byte(tent), "tent.off")), square} {
		want := m.Inspect()
		for name, some := range map[string]func(int) bool{"all": nil, "none": func(int) bool { return false },
			"third": func(t int) bool { return t%3 == 0 },
			"half":  func(t int) bool { return m.center(t)[0] > 0.5 }} {
			fine := m.Subdivide(some)
			got := fine.Inspect()
			require.NoError(t, fine.Validate())
			require.InDelta(t, want.Area, got.Area, 1e-12*want.Area, name)
			require.InDelta(t, want.Volume, got.Volume, 1e-12*(1+want.Volume), name)
			require.Equal(t, want.Betti, got.Betti, name)
			require.Equal(t, want.Closed, got.Closed, name)
			require.Equal(t, want.Consistent, got.Consistent, name)
			require.Equal(t, m.Vertices, fine.Vertices[:len(m.Vertices)])
			if name == "all" {
				require.Len(t, fine.Triangles, 4*len(m.Triangles))
			}
		}
	}
}

// TestDecimate: a coarser mesh keeps its topology, and nearly its area and volume; flat parts lose nothing.
func TestDecimate(t *testing.T) {
	m := smoothed(torus(48, 24))
	want := m.Inspect()
	for _, share := range []int{2, 4, 8} {
		coarse := m.Decimate(want.Triangles / share)
		got := coarse.Inspect()
		require.NoError(t, coarse.Validate())
		require.LessOrEqual(t, got.Triangles, want.Triangles/share)
		require.Greater(t, got.Triangles, want.Triangles/share-3)
		require.Equal(t, want.Betti, got.Betti)
		require.True(t, got.Closed && got.Consistent)
		require.InDelta(t, want.Area, got.Area, 0.03*want.Area)
		require.InDelta(t, want.Volume, got.Volume, 0.03*want.Volume)
	}
	flat := &Mesh{Vertices: []float64{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, Triangles: square.Triangles}
	for range 3 {
		flat = flat.Subdivide(nil)
	}
	few := flat.Decimate(2).Inspect()
	require.LessOrEqual(t, few.Triangles, 8)
	require.InDelta(t, 1, few.Area, 1e-9)
	require.Equal(t, [3]int{1, 0, 0}, few.Betti)
	require.Empty(t, (&Mesh{}).Decimate(3).Triangles)
	require.Equal(t, tetrahedron.Inspect().Volume, tetrahedron.Decimate(2).Inspect().Volume, "not flat")
	ribbon := Torus(64, 2, func(u, v float64) (x, y, z float64) {
		i, r := 32*u/math.Pi, 1+0.05*v/math.Pi
		r += 0.01 * math.Sin(7*i)
		return r * math.Cos(u), r * math.Sin(u), 0.2 * math.Sin(5*i)
	})
	for t := range 64 {
		copy(ribbon.Triangles[6*t:], ribbon.Triangles[12*t:12*t+6]) // without those that close it
	}
	ribbon.Triangles = ribbon.Triangles[:6*64]
	narrow := ribbon.Decimate(20).Inspect()
	require.LessOrEqual(t, narrow.Triangles, 20)
	require.Equal(t, narrow.Vertices, narrow.Boundary, "two edges of the boundary at each vertex")
}

// TestDecimateSoup: of random triangles on few vertices the topology stays. In more than half of these, parts
// that hang together at a corner fell apart, or lost a loop.
func TestDecimateSoup(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 1))
	for range 100 {
		m, vertices := &Mesh{}, 5+random.IntN(25)
		for range 3 * vertices {
			m.Vertices = append(m.Vertices, random.NormFloat64())
		}
		for range 1 + random.IntN(2*vertices) {
			for _, v := range random.Perm(vertices)[:3] {
				m.Triangles = append(m.Triangles, int32(v))
			}
		}
		require.Equal(t, m.Inspect().Betti, m.Decimate(len(m.Triangles)/6).Inspect().Betti)
	}
}

// TestCutsOfASet: behind the meshes of a set are their other cuts, with their classes.
func TestCutsOfASet(t *testing.T) {
	big := smoothed(torus(16, 10))
	s := &Set{Files: []string{"a", "b", "c"}, Meshes: []*Mesh{tetrahedron, big, {}},
		Targets: [][]float64{{0}, {1}, {0}}}
	ways, source, err := s.Cut()
	require.NoError(t, err)
	require.Equal(t, Cuts, ways)
	cut := source.(*Set)
	require.Len(t, s.Meshes, 3)
	require.Equal(t, s.Meshes, cut.Meshes[:3])
	require.Equal(t, []float64{1}, cut.Targets[4])
	require.Equal(t, "a, half × 16", cut.Files[6])
	var counts []int
	for _, m := range cut.Meshes[3:] {
		require.NoError(t, m.Validate())
		_, triangles := m.Len()
		counts = append(counts, triangles)
	}
	require.Equal(t, []int{16, 4 * 320, 0}, counts[:3])
	require.InDelta(t, 160+16*160, counts[4], 200) // and where the halves meet
	require.Equal(t, 4, counts[6], "too few to decimate")
	require.InDelta(t, 160, counts[7], 2)
	require.InDelta(t, 80, counts[10], 2)

	s.Elements, s.Labels, s.Tests = Vertices, [][]int32{{0, 1, 2, 3}, make([]int32, 160), {}}, []int32{0, 1}
	for v := range s.Labels[1] { // the sides of a plane
		if big.Vertices[3*v] > 0 {
			s.Labels[1][v] = 1
		}
	}
	_, source, err = s.Cut()
	require.NoError(t, err)
	cut = source.(*Set)
	require.Equal(t, []int32{0, 1, 2, 3, -1, -1, -1, -1, -1, -1}, cut.Labels[3])
	for _, g := range []int{4, 7, 10, 13} {
		m, right := cut.Meshes[g], 0
		for v, label := range cut.Labels[g] {
			if label >= 0 && (m.Vertices[3*v] > 0) == (label > 0) {
				right++
			}
		}
		require.Len(t, cut.Labels[g], len(m.Vertices)/3)
		require.Greater(t, right, min(160, len(cut.Labels[g]))*9/10)
	}
	// Of triangles apart nothing is contracted, but the vertices that are left are in another order.
	soup := &Mesh{}
	for v := range int32(3 * 20) {
		soup.Vertices = append(soup.Vertices, float64(v), float64(v%3), 0)
		soup.Triangles = append(soup.Triangles, 59-v)
	}
	labels := slices.Sorted(slices.Values(soup.Triangles)) // their numbers
	few := soup.cut("half as many")
	require.Len(t, few.Vertices, len(soup.Vertices))
	for v, label := range soup.labelsOf(few, labels) {
		require.Equal(t, soup.point(label), few.point(int32(v)))
	}

	s.Tests = []int32{0}
	_, source, err = s.Cut()
	require.NoError(t, err)
	require.Empty(t, source.(*Set).Meshes[4].Vertices)
	require.Empty(t, source.(*Set).Labels[4])

	s.Elements = Faces
	_, _, err = s.Cut()
	require.ErrorContains(t, err, "no other cuts")
}
