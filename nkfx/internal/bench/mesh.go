package bench

import (
	"bytes"
	"fmt"
	"os"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/layers"
)

// ownMesh returns the program that integrates 2-forms over a triangle mesh in R³, the graph of a function
// over a square grid, called once.
func ownMesh(backend compute.Backend, c Case) (program, error) {
	form, store := newForms(Case{Degree: 2, Dim: 3})
	it, err := layers.NewIntegrator(backend, store, 1, form, 0)
	if err != nil {
		return program{}, err
	}
	vertices, faces := surface(c.Simplices)
	return called(func() error { _, err := it.Integrate(vertices, faces); return err }, it.Finalize)
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
