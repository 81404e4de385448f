package mesh

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
)

// nodes cuts a surface of area 1 into at most most cells, if it has more vertices with an area; for 0 each
// vertex is a cell. It returns the cell of each vertex, -1 where it has no area, and the number of cells.
//
// The seeds of cells are vertices farther than a radius from all earlier seeds, along edges, in the order of
// their distance from the centroid, so the numbering of vertices and the position of the surface have no
// effect. A vertex belongs to the nearest seed.
func (m *Mesh) nodes(areas []float64, most int) (of []int32, count int) {
	of = slices.Repeat([]int32{-1}, len(areas))
	var order []int32
	for v, area := range areas {
		if most == 0 || area > 0 {
			of[v] = int32(len(order))
			order = append(order, int32(v))
		}
	}
	if most == 0 || len(order) <= most {
		return of, len(order)
	}
	neighbors := m.edges().neighbors
	slices.SortStableFunc(order, func(a, b int32) int {
		return cmp.Compare(m.point(a).norm(), m.point(b).norm())
	})
	for radius := 1 / math.Sqrt(float64(most)); ; radius *= 1.1 {
		c := cells{Mesh: m, neighbors: neighbors, of: slices.Repeat([]int32{-1}, len(areas)),
			distance: slices.Repeat([]float64{math.Inf(1)}, len(areas))}
		for _, v := range order {
			if c.of[v] < 0 {
				c.grow(v, radius)
			}
		}
		if c.count <= most || radius > 10 { // which is more than a surface of area 1 needs, but for parts
			return c.of, c.count
		}
	}
}

// cells are Voronoi cells that grow from their seeds.
type cells struct {
	*Mesh
	neighbors [][]int32
	of        []int32
	distance  []float64 // from the seed
	count     int
	front     queue[reached]
}

// grow adds a cell: the vertices up to a distance from the seed that are nearer to it than to others.
func (c *cells) grow(seed int32, radius float64) {
	c.distance[seed] = 0
	heap.Push(&c.front, reached{seed, 0})
	for len(c.front) > 0 {
		r := heap.Pop(&c.front).(reached)
		if r.distance > c.distance[r.vertex] {
			continue
		}
		c.of[r.vertex] = int32(c.count)
		for _, u := range c.neighbors[r.vertex] {
			d := r.distance + c.point(u).sub(c.point(r.vertex)).norm()
			if d <= radius && d < c.distance[u] {
				c.distance[u] = d
				heap.Push(&c.front, reached{u, d})
			}
		}
	}
	c.count++
}

// reached is a vertex at a distance.
type reached struct {
	vertex   int32
	distance float64
}

func (r reached) Before(o reached) bool { return r.distance < o.distance }

// queue is a heap, for package heap, whose first element comes before all others.
type queue[T interface{ Before(T) bool }] []T

func (q queue[T]) Len() int           { return len(q) }
func (q queue[T]) Less(i, j int) bool { return q[i].Before(q[j]) }
func (q queue[T]) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue[T]) Push(x any)        { *q = append(*q, x.(T)) }
func (q *queue[T]) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}
