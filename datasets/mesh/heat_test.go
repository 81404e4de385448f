package mesh

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
)

// smoothed returns a mesh near a torus with its points on one that bulges, without symmetries.
func smoothed(m *Mesh) *Mesh {
	out := &Mesh{Triangles: m.Triangles}
	for v := range len(m.Vertices) / 3 {
		p := m.point(int32(v))
		u := math.Atan2(p[1], p[0])
		w := math.Atan2(p[2], math.Hypot(p[0], p[1])-2)
		r := 2 + (1+0.2*math.Cos(u))*math.Cos(w)
		out.Vertices = append(out.Vertices, r*math.Cos(u)+0.1*math.Sin(u+w+1), 1.3*r*math.Sin(u),
			(1+0.2*math.Cos(u))*math.Sin(w)+0.1*math.Sin(2*u))
	}
	return out
}

// rewritten returns the mesh as another program would have it: its vertices in the order that of[v] says,
// moved, mirrored and scaled, and triangles in another order and orientation.
func rewritten(m *Mesh, r *rand.Rand) (out *Mesh, of []int) {
	of = r.Perm(len(m.Vertices) / 3)
	out = &Mesh{Vertices: make([]float64, len(m.Vertices))}
	turn := rotation(r)
	for v, to := range of {
		p := turn.times(m.point(int32(v)))
		p[0] = -p[0]
		p = p.scale(7).add(vector{3, -40, 10})
		copy(out.Vertices[3*to:], p[:])
	}
	for _, t := range r.Perm(len(m.Triangles) / 3) {
		c := m.Triangles[3*t : 3*t+3]
		corners := []int32{int32(of[c[0]]), int32(of[c[1]]), int32(of[c[2]])}
		r.Shuffle(3, func(i, j int) { corners[i], corners[j] = corners[j], corners[i] })
		out.Triangles = append(out.Triangles, corners...)
	}
	return out, of
}

// scattered returns copies of a mesh at random places.
func scattered(m *Mesh, copies int, r *rand.Rand) *Mesh {
	out := &Mesh{}
	for i := range copies {
		for _, v := range m.Triangles {
			out.Triangles = append(out.Triangles, v+int32(i*len(m.Vertices)/3))
		}
		place, turn := vector{9 * r.NormFloat64(), 9 * r.NormFloat64(), 9 * r.NormFloat64()}, rotation(r)
		for v := range len(m.Vertices) / 3 {
			p := turn.times(m.point(int32(v))).add(place)
			out.Vertices = append(out.Vertices, p[:]...)
		}
	}
	return out
}

// TestHeatIsInvariant also of a torus with many repeated eigenvalues, the 30th and the next among them, and
// of more components than functions, all of the same size.
func TestHeatIsInvariant(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, m := range []*Mesh{torus(24, 12), smoothed(torus(24, 12)), scattered(torus(4, 3), 40, r)} {
		const k = 30
		want := must(m.Heat(k, 1000)) // more than there are vertices
		other, of := rewritten(m, r)
		got := must(other.Heat(k, 1000))
		require.InDelta(t, 1, floats.Sum(got.Areas), 1e-12)
		require.InDeltaSlice(t, want.Values, got.Values, 1e-8*want.Values[k-1])
		for v, to := range of {
			require.InDelta(t, want.Areas[v], got.Areas[to], 1e-12)
			// Roots make 1e-6 of rounding.
			require.InDeltaSlice(t, want.Integrals[v*heatIntegrals:(v+1)*heatIntegrals],
				got.Integrals[to*heatIntegrals:(to+1)*heatIntegrals], 1e-5)
			require.InDeltaSlice(t, want.space[v*spaceIntegrals:(v+1)*spaceIntegrals],
				got.space[to*spaceIntegrals:(to+1)*spaceIntegrals], 1e-5)
		}
		// The heat of an arbitrary function.
		f := make([]float64, len(of))
		for v := range f {
			f[v] = r.NormFloat64()
		}
		g := make([]float64, len(of))
		for v, to := range of {
			g[to] = f[v]
		}
		a, b := want.flow(0.01, f), got.flow(0.01, g)
		for v, to := range of {
			require.InDelta(t, a[v], b[to], 1e-8)
		}
	}
}

// rotation returns the rows of a rotation at random.
func rotation(r *rand.Rand) matrix {
	var a, b vector
	for i := range 3 {
		a[i], b[i] = r.NormFloat64(), r.NormFloat64()
	}
	a = a.scale(1 / a.norm())
	b = b.sub(a.scale(a.dot(b)))
	b = b.scale(1 / b.norm())
	return matrix{a, b, a.cross(b)}
}

// flow returns exp(-tΔ)f of a function at nodes.
func (h *Heat) flow(t float64, f []float64) []float64 {
	k, out := len(h.Values), make([]float64, len(f))
	for j, value := range h.Values {
		sum := 0.0
		for n, x := range f {
			sum += h.Areas[n] * h.Vectors[n*k+j] * x
		}
		for n := range out {
			out[n] += math.Exp(-t*value) * sum * h.Vectors[n*k+j]
		}
	}
	return out
}

// TestHeatConverges: the integrals at the vertices of a surface converge with order 2 as it is subdivided
// and its points are put on the smooth one; so do they where only a half is.
func TestHeatConverges(t *testing.T) {
	flat := torus(20, 10)
	var all [][]float64
	for i := range 3 {
		all = append(all, must(smoothed(flat).Heat(12, 0)).Integrals[:200*heatIntegrals])
		if i < 2 {
			flat = flat.Subdivide(nil)
		}
	}
	change := func(a, b []float64) float64 { return floats.Distance(a, b, 2) / math.Sqrt(float64(len(a))) }
	first, second := change(all[0], all[1]), change(all[1], all[2])
	require.InDelta(t, 2, math.Log2(first/second), 0.3)
	half := smoothed(flat.Subdivide(func(t int) bool { return flat.center(t)[0] > 0 }))
	require.Less(t, change(all[2], must(half.Heat(12, 0)).Integrals[:200*heatIntegrals]), second)
}

// TestSpace: the mass around a point of a sphere of area 1 is 2πσ²(1 - exp(-1/2πσ²)), up to the error of its
// triangles and of the samples of their pieces; so it is if half of the triangles are cut in four.
func TestSpace(t *testing.T) {
	at := func(depth int, where func(vector) bool) *Mesh {
		m := &Mesh{Vertices: []float64{1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, -1, 0, 0, 0, -1},
			Triangles: []int32{
				0, 1, 2, 1, 3, 2, 3, 4, 2, 4, 0, 2, 1, 0, 5, 3, 1, 5, 4, 3, 5, 0, 4, 5}}
		for i := range depth {
			coarse := m
			m = m.Subdivide(func(t int) bool { return i < 4 || where(coarse.center(t)) })
			for v := range slices.Chunk(m.Vertices, 3) {
				floats.Scale(1/floats.Norm(v, 2), v)
			}
		}
		return m
	}
	for _, m := range []*Mesh{at(4, nil), at(5, func(x vector) bool { return x[0] > 0 })} {
		h := must(m.Heat(1, 200))
		scale := widest
		for i := range spaceScales {
			want := math.Log(1 - math.Exp(-1/(2*math.Pi*scale*scale)))
			for n := range h.Areas {
				got := h.space[n*spaceIntegrals+9*i:]
				require.InDelta(t, want, got[0], 0.03)
				require.InDelta(t, 1, got[3]+got[5]+got[7], 1e-9) // the trace of the mean of n nᵀ
			}
			scale /= 2
		}
	}
	// Sides of equal length, between which rounding would choose.
	box := &Mesh{Triangles: []int32{0, 1, 3, 0, 3, 2, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 3, 7, 2, 7, 6,
		0, 2, 6, 0, 6, 4, 1, 3, 7, 1, 7, 5}}
	for v := range 8 {
		box.Vertices = append(box.Vertices, float64(v&1), float64(v&2), 2*float64(v&4))
	}
	other, of := rewritten(box, rand.New(rand.NewPCG(3, 4)))
	want, got := must(box.Heat(4, 100)), must(other.Heat(4, 100))
	for v, to := range of {
		require.InDeltaSlice(t, want.space[v*spaceIntegrals:(v+1)*spaceIntegrals],
			got.space[to*spaceIntegrals:(to+1)*spaceIntegrals], 1e-6)
	}
}

// TestHeatOfFaces: the integrals at the middles of triangles converge to those at vertices in these places,
// as the basis does.
func TestHeatOfFaces(t *testing.T) {
	var errors []float64
	for n := 1; n <= 2; n++ {
		m := smoothed(torus(20*n, 10*n))
		cut := m.Subdivide(nil)
		faces, vertices := must(m.heatOfFaces(12)), must(cut.Heat(12, 0))
		require.InDelta(t, 1, floats.Sum(faces.Areas), 1e-12)
		sum := 0.0
		for i, x := range faces.Integrals {
			for _, v := range cut.Triangles[12*(i/heatIntegrals)+9:][:3] { // the middles of sides
				x -= vertices.Integrals[int(v)*heatIntegrals+i%heatIntegrals] / 3
			}
			sum += x * x
		}
		errors = append(errors, math.Sqrt(sum/float64(len(faces.Integrals))))
	}
	require.InDelta(t, 2, math.Log2(errors[0]/errors[1]), 0.3)
}

// TestHeatOfBadMeshes: vertices at one place are one, those of no triangle are in no node, and there is
// nothing of a mesh without area.
func TestHeatOfBadMeshes(t *testing.T) {
	m := smoothed(torus(20, 10))
	require.Empty(t, must(m.Heat(0, 9)).Integrals)
	_, err := m.Heat(-1, 0)
	require.ErrorContains(t, err, "-1 eigenfunctions at 0 nodes: want 0 or more")
	_, err = m.Heat(1, -1)
	require.ErrorContains(t, err, "1 eigenfunctions at -1 nodes: want 0 or more")
	want := must(m.Heat(16, 0))
	soup := &Mesh{Vertices: []float64{5, 5, 5}} // every triangle with corners of its own
	for _, v := range m.Triangles {
		soup.Triangles = append(soup.Triangles, int32(len(soup.Vertices)/3))
		soup.Vertices = append(soup.Vertices, m.Vertices[3*v:3*v+3]...)
	}
	soup.Triangles = append(soup.Triangles, 1, 1, 2, 0, 0, 0)
	got := must(soup.Heat(16, 0))
	require.EqualValues(t, 0, got.of[0])
	require.Zero(t, got.Areas[0])
	for i, v := range m.Triangles {
		node := int(got.of[i+1])
		require.InDelta(t, want.Areas[v], got.Areas[node], 1e-12)
		require.InDeltaSlice(t, want.Integrals[int(v)*heatIntegrals:][:heatIntegrals],
			got.Integrals[node*heatIntegrals:][:heatIntegrals], 1e-5)
	}
	require.EqualValues(t, -1, must(soup.Heat(16, 60)).of[0])

	for _, m := range []*Mesh{{}, {Vertices: []float64{1, 2, 3}},
		{Vertices: make([]float64, 9), Triangles: []int32{0, 1, 2}}} {
		h := must(m.Heat(4, 0))
		require.Empty(t, h.Areas)
		require.Len(t, h.Values, 4)
	}
	soup = &Mesh{} // more parts than eigenvalues
	for i := range 12 {
		for _, x := range tetrahedron.Vertices {
			soup.Vertices = append(soup.Vertices, x+float64(2*i))
		}
		for _, v := range tetrahedron.Triangles {
			soup.Triangles = append(soup.Triangles, v+int32(4*i))
		}
	}
	many := must(soup.Heat(8, 0))
	require.Equal(t, make([]float64, 8), many.Values)
	require.False(t, floats.HasNaN(many.Integrals))
	few := must(tetrahedron.Heat(8, 0)) // four eigenvalues
	require.Equal(t, make([]float64, 4), few.Values[4:])
	require.Len(t, few.Vectors, 32)
}

// TestNodes: nodes hold all of the area, each vertex is in the node nearest along edges, and their integrals
// are near those of vertices.
func TestNodes(t *testing.T) {
	m := smoothed(torus(60, 30))
	all, few := must(m.Heat(20, 0)), must(m.Heat(20, 500))
	require.LessOrEqual(t, len(few.Areas), 500)
	require.Greater(t, len(few.Areas), 350)
	require.InDelta(t, 1, floats.Sum(few.Areas), 1e-12)
	require.Less(t, floats.Max(few.Areas), 5.0/500)
	require.Equal(t, len(few.Areas)-1, int(slices.Max(few.of)))
	worst := 0.0
	for v, node := range few.of {
		for i := range heatIntegrals {
			worst = max(worst, math.Abs(all.Integrals[v*heatIntegrals+i]-
				few.Integrals[int(node)*heatIntegrals+i]))
		}
	}
	require.Less(t, worst, 0.3)
	other, of := rewritten(m, rand.New(rand.NewPCG(3, 4)))
	turned := must(other.Heat(20, 500))
	for v, to := range of {
		require.Equal(t, few.of[v], turned.of[to])
	}
}

// TestHeatOfSets: the encoder's complexes have nodes, or vertices with labels, and eigenvalues; a folder
// keeps what was computed, and a damaged file there is computed again.
func TestHeatOfSets(t *testing.T) {
	m := smoothed(torus(12, 8))
	soup := &Mesh{Vertices: slices.Concat(m.Vertices, m.Vertices[:3]), Triangles: m.Triangles}
	s := &Set{Meshes: []*Mesh{m, {}, soup}, Targets: [][]float64{{0}, {1}, {0}}}
	e := Encoder{Heat: 10, Nodes: 50}
	folder := t.TempDir()
	t.Cleanup(func() { keep.Store(nil) })
	want := must(e.Encode(s))
	Keep(folder)
	require.Equal(t, want, must(e.Encode(s)))
	require.Equal(t, want, must(e.Encode(s)))
	files := must(os.ReadDir(folder))
	require.Len(t, files, 3)
	for _, file := range files {
		require.NoError(t, os.WriteFile(filepath.Join(folder, file.Name()), []byte("no"), 0o644))
	}
	require.Equal(t, want, must(e.Encode(s)))
	require.Equal(t, heatIntegrals+spaceIntegrals+11, want.Dim)
	require.LessOrEqual(t, want.Count(0, 0), 50)
	require.Zero(t, want.Count(0, 1))
	require.Equal(t, 10, want.GlobalWidth)

	e.Labels, s.Elements = Vertices, Vertices
	labeled := must(e.Encode(s))
	require.Nil(t, labeled.Vertices, "they are read when they are needed")
	labeled = must(labeled.Part(labeled.IDs(), 0, nil))
	require.Equal(t, 97, labeled.Count(0, 2))
	first, last := labeled.Points(2)[:labeled.Dim], labeled.Points(2)[96*labeled.Dim:]
	require.Equal(t, first, last, "two vertices at one place share its area")
	require.InDelta(t, labeled.Points(0)[labeled.Dim-1], 2*first[labeled.Dim-1], 1e-8)
	e.Labels, s.Elements = Faces, Faces
	labeled = must(e.Encode(s))
	require.Equal(t, []int{192, 0, 192}, []int{labeled.Count(0, 0), labeled.Count(0, 1), labeled.Count(0, 2)})
	files = must(os.ReadDir(folder))
	for _, file := range files {
		require.NoError(t, os.Truncate(filepath.Join(folder, file.Name()), 100))
	}
	_, err := labeled.Part(labeled.IDs(), 0, nil)
	require.ErrorContains(t, err, "it was changed")
	for _, bad := range []Encoder{{Heat: -1}, {Heat: 5000}, {Nodes: -1}, {Heat: 5, Faces: true}} {
		require.Error(t, bad.Check())
	}
}

// TestLargeSurfaces: a mesh that is decimated first has nearly the means and deviations of a coarse one.
func TestLargeSurfaces(t *testing.T) {
	if os.Getenv("NKF_LONG") == "" {
		t.Skip("decimates 160,000 triangles")
	}
	moments := func(m *Mesh) (out []float64) {
		e := Encoder{Heat: 32, Nodes: 256}
		s := must(e.surface(m))
		columns := e.columns()
		for j := range heatIntegrals + spaceIntegrals {
			sum, squares := 0.0, 0.0
			for row := range slices.Chunk(s.rows, columns) {
				area, x := float64(row[columns-1]), float64(row[j])
				sum, squares = sum+area*x, squares+area*x*x
			}
			out = append(out, sum, math.Sqrt(math.Max(0, squares-sum*sum)))
		}
		return out
	}
	large, coarse := moments(smoothed(torus(400, 200))), moments(smoothed(torus(120, 60)))
	for i, want := range coarse {
		require.InDelta(t, want, large[i], 0.01, i) // 0.0035 were seen
	}
}
