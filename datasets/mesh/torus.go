package mesh

import "math"

// Torus returns a grid of squares, each two triangles, that is closed in both directions: vertex
// i·across + j is at the place of the angles 2πi/around and 2πj/across.
func Torus(around, across int, place func(u, v float64) (x, y, z float64)) *Mesh {
	m := &Mesh{}
	number := func(i, j int) int32 { return int32(i%around*across + j%across) }
	for i := range around {
		for j := range across {
			x, y, z := place(2*math.Pi*float64(i)/float64(around), 2*math.Pi*float64(j)/float64(across))
			m.Vertices = append(m.Vertices, x, y, z)
			m.Triangles = append(m.Triangles, number(i, j), number(i+1, j), number(i+1, j+1), number(i, j),
				number(i+1, j+1), number(i, j+1))
		}
	}
	return m
}
