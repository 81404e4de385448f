package mesh

import (
	"math/rand/v2"
	"slices"
)

// neighbors holds the vertices that share an edge with each vertex.
type neighbors struct {
	start []int32 // [V+1]
	list  []int32
}

// neighbors finds them, ascending, as edges are.
func (m *Mesh) neighbors(e *edges) neighbors {
	vertices, _ := m.Len()
	start, list := buckets(vertices, len(e.ends), func(i int32) int32 { return e.ends[i] })
	for i, end := range list {
		list[i] = e.ends[end^1]
	}
	return neighbors{start, list}
}

func (n neighbors) of(v int) []int32 { return n.list[n.start[v]:n.start[v+1]] }

// coarsen returns a mesh of at most the given number of vertices, or of as few as clusters of neighbors
// allow, and for each vertex of m its vertex in the result. A cluster is a vertex with its neighbors that are
// in no other cluster, in an order that depends only on the number of vertices; its position is the mean of
// its vertices weighted by their areas. Triangles with two corners in one cluster are dropped, and of
// triangles with the same corners one is kept, so small components may lose all triangles. Moving the mesh
// moves the result. A mesh that has no more vertices is returned unchanged.
func (m *Mesh) coarsen(vertices int) (coarse *Mesh, of []int32) {
	m.valid()
	count, _ := m.Len()
	of = make([]int32, count)
	for v := range of {
		of[v] = int32(v)
	}
	for coarse = m; count > vertices; {
		e := coarse.edges()
		cluster, clusters := coarse.clusters(e)
		if clusters == count {
			break
		}
		coarse = coarse.merge(cluster, clusters)
		coarse.Triangles = coarse.edges().counted(coarse)
		for v, c := range of {
			of[v] = cluster[c]
		}
		count = clusters
	}
	return coarse, of
}

// clusters returns the cluster of each vertex and how many there are.
func (m *Mesh) clusters(e *edges) (cluster []int32, count int) {
	vertices, _ := m.Len()
	n := m.neighbors(e)
	cluster = slices.Repeat([]int32{-1}, vertices)
	for _, v := range rand.New(rand.NewPCG(uint64(vertices), 0)).Perm(vertices) {
		if cluster[v] >= 0 {
			continue
		}
		cluster[v] = int32(count)
		for _, u := range n.of(v) {
			if cluster[u] < 0 {
				cluster[u] = int32(count)
			}
		}
		count++
	}
	return cluster, count
}

// merge returns the mesh of clusters.
func (m *Mesh) merge(cluster []int32, count int) *Mesh {
	out := &Mesh{Triangles: make([]int32, len(m.Triangles))}
	out.Vertices = m.average(cluster, count, 3, m.Vertices)
	for i, v := range m.Triangles {
		out.Triangles[i] = cluster[v]
	}
	return out
}

// average returns the means of values [V, columns] over the vertices that went to each of count others,
// weighted by their areas.
func (m *Mesh) average(of []int32, count, columns int, values []float64) []float64 {
	weights, area := m.vertexAreas(), 0.0
	for _, w := range weights {
		area += w
	}
	sums, total := make([]float64, count*columns), make([]float64, count)
	for v, c := range of {
		// Vertices without area count a little, for there may be no others.
		w := weights[v] + 1e-9*area + 1e-30
		total[c] += w
		for j := range columns {
			sums[int(c)*columns+j] += w * values[v*columns+j]
		}
	}
	for i := range sums {
		sums[i] /= total[i/columns]
	}
	return sums
}

// vertexAreas returns a third of the area of the triangles around each vertex.
func (m *Mesh) vertexAreas() []float64 {
	vertices, _ := m.Len()
	areas := make([]float64, vertices)
	for t, area := range m.Areas() {
		for _, v := range m.Triangles[3*t : 3*t+3] {
			areas[v] += area / 3
		}
	}
	return areas
}
