package mesh

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/neuralkforms/nkf/datasets/simplicial"
)

// heatTimes are the times after which functions are taken, on a surface of area 1.
var heatTimes = [...]float64{0.0005, 0.002, 0.008, 0.03, 0.1}

const (
	heatVectors = len(heatTimes) // of a point: the steps from one time to the next, and the last
	// heatIntegrals is the number of columns of [Heat.Integrals].
	heatIntegrals = heatVectors*(heatVectors+1)/2 + 3*len(heatTimes) + 3*len(heatTimes) +
		heatVectors*len(heatTimes) + len(heatTimes) + placeIntegrals
)

// Heat describes a surface, scaled to area 1, for networks that do not depend on its triangulation: the
// spectrum of its Laplacian, and functions at N nodes: vertices, means over vertices around each, or means
// over the corners of triangles. Integrals are sums over nodes, weighted by areas.
type Heat struct {
	Values  []float64 // [K]: the smallest eigenvalues λ, ascending; 0 where there are no more
	Vectors []float64 // [N, K]: eigenfunctions φ as columns, orthonormal up to the weights of [Mesh.Heat]
	Areas   []float64 // [N]: of the surface around each node; together 1
	// Integrals are [N, columns] numbers around each node, see [Mesh.Heat].
	Integrals []float64
	// space is [N, spaceIntegrals] numbers of the surface around each node in space, whether connected or
	// not; none where vertices or triangles are the nodes.
	space []float64
	of    []int32 // [V]: the node of each vertex; -1 where it has no area
}

// Heat returns the surface with the k smallest eigenvalues of its Laplacian, at the given number of nodes at
// most, or one in each component if these are more; for 0 at all vertices. Nodes are Voronoi cells of
// geodesic balls that cover the surface. Vertices without area belong to no node. A mesh without area has an
// empty Heat. It is an error if k or nodes is negative.
//
// The Laplacian is that of [simplicial.Complex.Basis] for the distinct triangles, with coincident vertices
// merged. Each φ is multiplied by √(1 - (λ/Λ)⁴), where Λ is the first eigenvalue that is left out, so that a
// function f(Δ) = Σ f(λ) φ ⟨φ, ·⟩ does not depend on the choice of eigenfunctions even where the k-th and the
// next eigenvalue are the same. If the surface has k components or more, heat leaves of a function its means
// over them.
//
// Integrals are invariant under motions, reflections and other orientations and scales of the mesh, and
// converge where triangles become smaller. With heat P_t = exp(-tΔ) for t = 0.0005, 0.002, 0.008, 0.03 and
// 0.1 they are made of the points x_t = P_t x, the normal tensors N_t = P_t(n nᵀ) and the covariances C_t =
// P_t(x xᵀ) - x_t x_tᵀ: first the inner products of the vectors v from each x_t to the next, and of the last
// from the centroid; then the eigenvalues of N_t, ascending, and the roots of those of C_t; then the
// quadratic forms vᵀN_t v; and the logarithms of the diagonal of the heat kernel. The others say where a
// point lies in the whole surface, which has centroid 0 and a covariance C with eigenvalues from λ to Λ. For
// x and N of the first time, and A = 1, C/tr C, (C/Λ)⁴ and (λ + ε)²(C + ε)⁻², where ε = tr C/1000, they are
// xᵀAx, xᵀANAx and, but for A = 1, tr AN; with s = ∫ |y|² y, the forms xᵀs, sᵀNs, ∫ (xᵀy)³, ∫ (xᵀy)(yᵀNy) and
// ∫ |x - y|⁴ over points y of the surface; and the three roots of the eigenvalues of C. Inner products and
// forms of degree d are d-th roots of their absolute values, with their signs.
//
// Heat stays in a component. If nodes is positive, further columns say what lies around each node whether
// connected or not: integrals over the surface, weighted by exp(-r²/2σ²) for the distance r in space, with σ
// = 0.3, 0.15, 0.075 and 0.0375. They are, for each σ and with lengths in units of it: log(mass/2πσ²), the
// length of the vector v from the node to the centroid, three times the root of an eigenvalue of the
// covariance and an eigenvalue of the mean N of n nᵀ, ascending, and √(vᵀN v).
func (m *Mesh) Heat(k, nodes int) (*Heat, error) {
	if k < 0 || nodes < 0 {
		return nil, fmt.Errorf("heat with %d eigenfunctions at %d nodes: want 0 or more", k, nodes)
	}
	h := &Heat{of: slices.Repeat([]int32{-1}, len(m.Vertices)/3)}
	return h, m.heat(h, k, func(scaled *Mesh, b *simplicial.Basis, of []int32) (at []int32) {
		node, count := scaled.nodes(b.Mass, nodes)
		h.thin(b, node, count)
		for v, w := range of {
			h.of[v] = node[w]
		}
		at = make([]int32, count)
		centers := make([]vector, count)
		for v, n := range node {
			if n >= 0 {
				at[n] = int32(v)
				centers[n] = centers[n].add(scaled.point(int32(v)).scale(b.Mass[v]))
			}
		}
		if nodes > 0 {
			total := floats.Sum(b.Mass)
			for n, area := range h.Areas {
				centers[n] = centers[n].scale(1 / (total * area))
			}
			h.space = scaled.space(centers, b.Mass)
		}
		return at
	})
}

// heatOfFaces is [Mesh.Heat] with all triangles as nodes, in their order. Functions at a triangle are the
// means of those at its corners. A mesh without area has an empty Heat.
func (m *Mesh) heatOfFaces(k int) (*Heat, error) {
	h := &Heat{}
	return h, m.heat(h, k, func(_ *Mesh, b *simplicial.Basis, of []int32) (at []int32) {
		h.Areas = m.Areas()
		floats.Scale(1/floats.Sum(h.Areas), h.Areas)
		have := len(b.Values)
		h.Vectors = make([]float64, len(h.Areas)*k)
		for i, v := range m.Triangles {
			w := int(of[v])
			floats.AddScaled(h.Vectors[i/3*k:][:have], 1.0/3, b.Vectors[w*have:(w+1)*have])
			if i%3 == 0 {
				at = append(at, of[v])
			}
		}
		return at
	})
}

// heat completes h, where a function sets the nodes of the merged mesh of area 1 with a basis, given for all
// vertices of m their numbers in it, and returns one of the vertices of each node.
func (m *Mesh) heat(h *Heat, k int,
	set func(scaled *Mesh, b *simplicial.Basis, of []int32) (at []int32)) error {
	h.Values = make([]float64, k)
	welded, of := m.welded()
	area, centroid := welded.Area()
	if !(area > 0) {
		return nil
	}
	scaled := &Mesh{Vertices: make([]float64, len(welded.Vertices)), Triangles: welded.Triangles}
	for i, x := range welded.Vertices {
		scaled.Vertices[i] = (x - centroid[i%3]) / math.Sqrt(area)
	}
	b, err := scaled.basis(k)
	if err != nil {
		return err
	}
	copy(h.Values, b.Values)
	at := set(scaled, b, of)
	if k == 0 || len(h.Areas) == 0 {
		return nil
	}
	functions := scaled.functions(b.Mass)
	var smooth, kernels *mat.Dense
	if b.Values[len(b.Values)-1] == 0 { // all that heat leaves of a function are the means over components
		smooth, kernels = scaled.means(functions, b.Mass, at)
	} else {
		smooth, kernels = h.smooth(spectrum(functions, b, k))
	}
	h.integrate(smooth, kernels, scaled.whole(b.Mass))
	return nil
}

// welded returns the mesh with a single vertex in each place, numbered in their order, and of all vertices
// their numbers in it.
func (m *Mesh) welded() (out *Mesh, of []int32) {
	number := map[vector]int32{}
	out = &Mesh{}
	for v := range len(m.Vertices) / 3 {
		p := m.point(int32(v)).add(vector{}) // -0 is 0
		if _, known := number[p]; !known {
			number[p] = int32(len(number))
			out.Vertices = append(out.Vertices, p[:]...)
		}
		of = append(of, number[p])
	}
	for _, v := range m.Triangles {
		out.Triangles = append(out.Triangles, of[v])
	}
	out.Triangles = out.edges().counted(out)
	return out, of
}

// basis returns the weighted basis of k functions, or of as many as there are.
func (m *Mesh) basis(k int) (*simplicial.Basis, error) {
	c, err := m.Complex()
	if err != nil {
		return nil, err
	}
	b, err := c.Basis(k + 1)
	if err != nil || len(b.Values) <= k {
		return b, err
	}
	out := &simplicial.Basis{Values: b.Values[:k], Vectors: make([]float64, 0, len(b.Mass)*k), Mass: b.Mass}
	for row := range slices.Chunk(b.Vectors, k+1) {
		for j, x := range row[:k] {
			share := 1.0 // of constants, where the surface has more components than the basis functions
			if b.Values[k] > 0 {
				share = b.Values[j] / b.Values[k]
			}
			out.Vectors = append(out.Vectors, x*math.Sqrt(1-share*share*share*share))
		}
	}
	return out, nil
}

// thin sets the eigenfunctions and areas of nodes to means and sums over their vertices.
func (h *Heat) thin(b *simplicial.Basis, node []int32, count int) {
	k, have := len(h.Values), len(b.Values)
	h.Vectors, h.Areas = make([]float64, count*k), make([]float64, count)
	total := floats.Sum(b.Mass)
	for v, n := range node {
		if n >= 0 {
			h.Areas[n] += b.Mass[v] / total
			floats.AddScaled(h.Vectors[int(n)*k:][:have], b.Mass[v]/total, b.Vectors[v*have:(v+1)*have])
		}
	}
	for n, area := range h.Areas {
		if area > 0 {
			floats.Scale(1/area, h.Vectors[n*k:(n+1)*k])
		}
	}
}

// Spectra of functions: the coordinates x, the upper triangles of x xᵀ and of n nᵀ.
const (
	seconds = 3
	normals = 9
	spectra = 15
)

// functions returns the functions at each vertex, times its area.
func (m *Mesh) functions(mass []float64) [][spectra]float64 {
	functions := make([][spectra]float64, len(mass))
	for v := range functions {
		f, p := functions[v][:], m.point(int32(v))
		floats.AddScaled(f[:seconds], mass[v], p[:])
		(*tensor)(f[seconds:normals]).add(mass[v], p)
	}
	for t := range len(m.Triangles) / 3 {
		n := m.areaNormal(t)
		if twice := n.norm(); twice > 0 {
			for _, v := range m.Triangles[3*t : 3*t+3] {
				(*tensor)(functions[v][normals:]).add(1/(6*twice), n)
			}
		}
	}
	return functions
}

// spectrum returns the coefficients of functions in the basis, [k, spectra].
func spectrum(functions [][spectra]float64, b *simplicial.Basis, k int) [][spectra]float64 {
	all := make([][spectra]float64, k)
	have := len(b.Values)
	for v := range functions {
		for j, x := range b.Vectors[v*have : (v+1)*have] {
			floats.AddScaled(all[j][:], x, functions[v][:])
		}
	}
	return all
}

// smooth returns the functions with these coefficients after all times, [N, times × spectra], and the
// diagonals of the heat kernels, [N, times].
func (h *Heat) smooth(all [][spectra]float64) (values, kernels *mat.Dense) {
	k, count := len(h.Values), len(h.Areas)
	// Columns of all functions at all times, and, for squares of eigenfunctions, of the heat kernels.
	later, heat := mat.NewDense(k, len(heatTimes)*spectra, nil), mat.NewDense(k, len(heatTimes), nil)
	for i, t := range heatTimes {
		for j, x := range h.Values {
			e := math.Exp(-t * x)
			heat.Set(j, i, e)
			floats.ScaleTo(later.RawRowView(j)[i*spectra:(i+1)*spectra], e, all[j][:])
		}
	}
	vectors, squares := mat.NewDense(count, k, h.Vectors), make([]float64, len(h.Vectors))
	floats.MulTo(squares, h.Vectors, h.Vectors)
	values, kernels = new(mat.Dense), new(mat.Dense)
	values.Mul(vectors, later)
	kernels.Mul(mat.NewDense(count, k, squares), heat)
	return values, kernels
}

// means returns what smooth would with the constants of all components alone, where at has a vertex of each
// node.
func (m *Mesh) means(functions [][spectra]float64, mass []float64, at []int32) (values, kernels *mat.Dense) {
	of := newParts(len(mass))
	for i, v := range m.Triangles {
		of.join(m.Triangles[i-i%3], v, false)
	}
	sums, areas := make([][spectra]float64, len(mass)), make([]float64, len(mass))
	for v := range mass {
		root, _ := of.find(int32(v))
		floats.Add(sums[root][:], functions[v][:])
		areas[root] += mass[v]
	}
	times := len(heatTimes)
	values, kernels = mat.NewDense(len(at), times*spectra, nil), mat.NewDense(len(at), times, nil)
	for n, v := range at {
		root, _ := of.find(v)
		if !(areas[root] > 0) {
			continue
		}
		for i := range times {
			floats.ScaleTo(values.RawRowView(n)[i*spectra:(i+1)*spectra], 1/areas[root], sums[root][:])
			kernels.Set(n, i, 1/areas[root])
		}
	}
	return values, kernels
}

// integrate sets the integrals, from functions after all times, heat kernels, and the moments of the surface.
func (h *Heat) integrate(values, kernels *mat.Dense, w *whole) {
	for n := range h.Areas {
		functions := values.RawRowView(n)
		h.Integrals = append(h.Integrals, integrals(functions, kernels.RawRowView(n))...)
		h.Integrals = append(h.Integrals, w.place(vector(functions[:3]), symmetric(functions[normals:]))...)
	}
}

// integrals returns the invariants of smoothed functions and of the diagonal of the heat kernel.
func integrals(functions, kernel []float64) (out []float64) {
	values := slices.Collect(slices.Chunk(functions, spectra))
	root := func(x float64) float64 { return math.Copysign(math.Sqrt(math.Abs(x)), x) }
	var steps [heatVectors]vector
	for i := range steps {
		steps[i] = vector(values[i][:3])
		if i+1 < len(values) {
			steps[i] = steps[i].sub(vector(values[i+1][:3]))
		}
	}
	for i, v := range steps {
		for _, w := range steps[i:] {
			out = append(out, root(v.dot(w)))
		}
	}
	for _, x := range values {
		turned := symmetric(x[normals:]).eigenvalues()
		out = append(out, turned[:]...)
	}
	for _, x := range values {
		spread := symmetric(x[seconds:normals])
		for i := range spread {
			spread[i] = spread[i].sub(vector(x[:3]).scale(x[i]))
		}
		deviations := spread.deviations()
		out = append(out, deviations[:]...)
	}
	for _, x := range values {
		for _, v := range steps {
			out = append(out, root(v.dot(symmetric(x[normals:]).times(v))))
		}
	}
	for _, x := range kernel {
		out = append(out, math.Log(math.Max(x, 1e-6)))
	}
	return out
}
