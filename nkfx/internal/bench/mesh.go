package bench

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/layers"
)

// Mesh is the time to integrate 2-forms over a triangle mesh in R³, and the most memory that the
// process has had by then.
type Mesh struct {
	Triangles   int     `json:"triangles"`
	Seconds     float64 `json:"seconds"`
	PerTriangle float64 `json:"nanoseconds_per_triangle"`
	PeakGiB     float64 `json:"peak_gib"`
}

// Meshes integrates 2-forms over meshes of so many triangles, in ascending order: the graph of a
// function over a square grid.
func Meshes(ctx context.Context, backend compute.Backend, triangles []int) ([]Mesh, error) {
	form, store := newForms(Case{Degree: 2, Dim: 3})
	it, err := layers.NewIntegrator(backend, store, form, 0)
	if err != nil {
		return nil, err
	}
	defer it.Finalize()
	var out []Mesh
	for _, count := range triangles {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		vertices, faces := surface(count)
		var times []float64
		// The first call compiles the program for that many vertices.
		for compiled := false; len(times) < 3 || sum(times) < 0.5; compiled = true {
			start := time.Now()
			if _, err := it.Integrate(vertices, faces); err != nil {
				return nil, err
			}
			if compiled {
				times = append(times, time.Since(start).Seconds())
			}
		}
		slices.Sort(times)
		m := Mesh{Triangles: len(faces) / 3, Seconds: times[len(times)/2], PeakGiB: peak()}
		m.PerTriangle = 1e9 * m.Seconds / float64(m.Triangles)
		out = append(out, m)
	}
	return out, nil
}

// surface returns the graph of a function over a square grid, cut into at most that many triangles,
// two for each square.
func surface(triangles int) (vertices []float32, faces []int32) {
	side := 1
	for 2*(side+1)*(side+1) <= triangles {
		side++
	}
	for i := range side + 1 {
		for j := range side + 1 {
			x, y := float32(i)/float32(side), float32(j)/float32(side)
			vertices = append(vertices, x, y, x*y*(1-x))
		}
	}
	faces = make([]int32, 0, 6*side*side)
	for i := range int32(side) {
		for j := range int32(side) {
			a := i*int32(side+1) + j
			b, c := a+1, a+int32(side)+1
			faces = append(faces, a, c, b, b, c, c+1)
		}
	}
	return vertices, faces
}

// peak returns the most memory that the process has had, in GiB, and 0 where the system does not
// say.
func peak() float64 {
	file, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var kib float64
		if n, _ := fmt.Sscanf(lines.Text(), "VmHWM: %f kB", &kib); n == 1 {
			return kib / (1 << 20)
		}
	}
	return 0
}
