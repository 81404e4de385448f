package mesh

import (
	"math/rand/v2"
	"slices"
)

// coarsen returns a mesh of at most the given number of vertices, or of as few as clusters of neighbors
// allow, and for each vertex of m its vertex in the result. A cluster is a vertex with its neighbors that are
// in no other cluster, in an order that depends only on the number of vertices; its position is the mean of
// its vertices weighted by their areas. Triangles with two corners in one cluster are dropped, and of
// triangles with the same corners one is kept, so small components may lose all triangles. Moving the mesh
// moves the result. A mesh that has no more vertices is returned unchanged.
func (m *Mesh) coarsen(vertices int) (coarse *Mesh, of []int32) {
	count, _ := m.Len()
	of = make([]int32, count)
	for v := range of {
		of[v] = int32(v)
	}
	for coarse = m; count > vertices; {
		cluster, clusters := clusters(coarse.edges().neighbors)
		if clusters == count {
			break
		}
		merged := &Mesh{Vertices: coarse.average(cluster, clusters, 3, coarse.Vertices)}
		for _, v := range coarse.Triangles {
			merged.Triangles = append(merged.Triangles, cluster[v])
		}
		merged.Triangles = merged.edges().counted(merged)
		for v, c := range of {
			of[v] = cluster[c]
		}
		coarse, count = merged, clusters
	}
	return coarse, of
}

// clusters returns the cluster of each vertex and how many there are.
func clusters(neighbors [][]int32) (cluster []int32, count int) {
	vertices := len(neighbors)
	cluster = slices.Repeat([]int32{-1}, vertices)
	for _, v := range rand.New(rand.NewPCG(uint64(vertices), 0)).Perm(vertices) {
		if cluster[v] >= 0 {
			continue
		}
		cluster[v] = int32(count)
		for _, u := range neighbors[v] {
			if cluster[u] < 0 {
				cluster[u] = int32(count)
			}
		}
		count++
	}
	return cluster, count
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
