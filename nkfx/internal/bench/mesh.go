package bench

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/gomlx/compute"
	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/layers"
)

// Mesh is the time to integrate 2-forms over a triangle mesh in R³, and the peak memory of the
// process by then.
type Mesh struct {
	Triangles   int     `json:"triangles"`
	Seconds     float64 `json:"seconds"`
	PerTriangle float64 `json:"nanoseconds_per_triangle"`
	PeakGiB     float64 `json:"peak_gib"`
}

// timeMeshes integrates 2-forms over meshes of the given numbers of triangles, in ascending order: the
// graph of a function over a square grid.
func timeMeshes(ctx context.Context, backend compute.Backend, triangles []int) ([]Mesh, error) {
	if len(triangles) == 0 {
		return nil, nil
	}
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
		run := func() error { _, err := it.Integrate(vertices, faces); return err }
		if err := run(); err != nil { // which compiles the program for that many vertices
			return nil, err
		}
		var times []float64
		for len(times) < 3 {
			more, err := timed(0.5-floats.Sum(times), run)
			if err != nil {
				return nil, err
			}
			times = append(times, more...)
		}
		slices.Sort(times)
		m := Mesh{Triangles: len(faces) / 3, Seconds: times[len(times)/2], PeakGiB: peak()}
		m.PerTriangle = 1e9 * m.Seconds / float64(m.Triangles)
		out = append(out, m)
	}
	return out, nil
}

// surface returns the graph of a function over a square grid with at most that many triangles, two
// for each square.
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

// peak returns the peak memory of the process in GiB, 0 where the system does not report it.
func peak() float64 {
	status, _ := os.ReadFile("/proc/self/status")
	var kib float64
	_, _ = fmt.Sscanf(string(status[max(0, bytes.Index(status, []byte("VmHWM:"))):]), "VmHWM: %f kB", &kib)
	return kib / (1 << 20)
}
