package layers_test

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// TestSums: sums over simplices, of integrals and of a function of them, and gradients of a weighted mean of
// them, are those of all integrals. The tolerance is that of float32 in sums of 300 terms.
func TestSums(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		for _, name := range []string{"functions", "1-forms", "2-forms", "formula"} {
			store := seeded()
			form := integrated[name](store.RootScope())
			x, s := mesh(form.Dim, form.Degree, 40, 300)
			it := must(layers.NewChunked(64, backend, store, form, nil))
			defer it.Finalize()
			weights := []float32{2, -1, 0.5}[:form.Count]
			gradients := must(it.Gradient(x, s, slices.Repeat(weights, 300)))
			want := make([]float64, form.Count)
			for i, v := range must(it.Integrate(x, s)) {
				want[i%form.Count] += float64(v)
			}
			require.InDeltaSlice(t, want, must(it.Sum(x, s)), 1e-4, name)
			mean := func(it *layers.Integrator, want float64, gradients map[*model.Variable]*tensors.Tensor) {
				sum, got, err := it.SumGradient(x, s, weights)
				require.NoError(t, err)
				require.InDelta(t, want, sum, 1e-3, name)
				require.Len(t, got, len(gradients))
				for v, want := range gradients {
					require.InDeltaSlice(t, values(want), values(got[v]), 1e-3, name+v.Path())
				}
			}
			weighted := 0.0
			for j, w := range weights {
				weighted += float64(w) * want[j]
			}
			mean(it, weighted, gradients)
			// Of 1 + x², the derivative 2x: what fills up a chunk has this function, too.
			byIntegrals := must(it.Integrate(x, s))
			weighted = 0
			for i, x := range byIntegrals {
				w := weights[i%form.Count]
				weighted += float64(w * (1 + x*x))
				byIntegrals[i] = 2 * w * x
			}
			squares := must(layers.NewChunked(64, backend, store, form, func(x *Node) *Node {
				return AddScalar(Square(x), 1)
			}))
			defer squares.Finalize()
			mean(squares, weighted, must(it.Gradient(x, s, byIntegrals)))
		}
	})
}

// TestTrianglesOfFiles integrates 2-forms over the triangles of a surface, from files that memory is mapped
// to: 100,000 of them, or as many as NKF_TRIANGLES says. Sums and gradients do not depend on the size of a
// chunk, and the process takes no more memory for it than a bound that the number of triangles is not in.
//
//	NKF_TRIANGLES=100000000 go test ./layers -run TestTrianglesOfFiles -v -timeout 1h
func TestTrianglesOfFiles(t *testing.T) {
	triangles := 100_000
	if text := os.Getenv("NKF_TRIANGLES"); text != "" {
		triangles = must(strconv.Atoi(text))
	}
	vertices, simplices := surfaceFiles(t, triangles)
	var values [2][]float64
	var slopes [2]map[string][]float32
	for i, chunk := range []int{0, 3000} {
		store := seeded()
		form := layers.KForm(store.RootScope(), 3, 2, 2).Hidden(16, 8).Quadrature(quadrature.Gauss(2)).Done()
		it := must(layers.NewChunked(chunk, backendtest.Get(t, "xla:cpu"), store, form, nil))
		begin := time.Now()
		values[i] = must(it.Sum(vertices, simplices))
		value, own := time.Since(begin), ownMemory()
		begin = time.Now()
		sum, gradients, err := it.SumGradient(vertices, simplices, []float32{1, -2})
		own = max(own, ownMemory()) // freed memory stays with the process for a while
		require.NoError(t, err)
		require.InEpsilon(t, values[i][0]-2*values[i][1], sum, 1e-5)
		slopes[i] = map[string][]float32{}
		for v, gradient := range gradients {
			slopes[i][v.Path()] = tensors.MustCopyFlatData[float32](gradient)
		}
		t.Logf("%d triangles: %.9g in %.1f s, gradients in %.1f s, %d MB of its own",
			len(simplices)/3, values[i], value.Seconds(), time.Since(begin).Seconds(), own)
		require.Less(t, own, 1000)
		it.Finalize()
	}
	require.InEpsilonSlice(t, values[0], values[1], 1e-6)
	for path, want := range slopes[0] {
		require.InEpsilonSlice(t, want, slopes[1][path], 1e-3, path)
	}
}

// surfaceFiles writes the vertices and about as many triangles of a wavy square to files, and returns the
// memory that they are mapped to.
func surfaceFiles(t *testing.T, triangles int) (vertices []float32, simplices []int32) {
	t.Helper()
	side := int(math.Sqrt(float64(triangles) / 2))
	folder := t.TempDir()
	write := func(name string, count int, row func(i int) []byte) []byte {
		path := filepath.Join(folder, name)
		file := must(os.Create(path))
		defer file.Close()
		buffer := make([]byte, 0, 1<<20)
		for i := range count {
			if buffer = append(buffer, row(i)...); len(buffer) > 1<<20-1000 || i == count-1 {
				must(file.Write(buffer))
				buffer = buffer[:0]
			}
		}
		return mapped(t, path)
	}
	row := make([]byte, 0, 24)
	points := write("vertices", (side+1)*(side+1), func(i int) []byte {
		x, y := float64(i%(side+1))/float64(side), float64(i/(side+1))/float64(side)
		row = row[:0]
		for _, c := range []float64{x, y, 0.1 * math.Sin(7*x) * math.Cos(5*y)} {
			row = binary.LittleEndian.AppendUint32(row, math.Float32bits(float32(c)))
		}
		return row
	})
	corners := write("triangles", side*side, func(i int) []byte {
		a := uint32(i/side*(side+1) + i%side)
		b, c, d := a+1, a+uint32(side)+1, a+uint32(side)+2
		row = row[:0]
		for _, v := range []uint32{a, b, d, a, d, c} {
			row = binary.LittleEndian.AppendUint32(row, v)
		}
		return row
	})
	return unsafe.Slice((*float32)(unsafe.Pointer(&points[0])), len(points)/4),
		unsafe.Slice((*int32)(unsafe.Pointer(&corners[0])), len(corners)/4)
}

// ownMemory returns the memory, in MB, that the process has for itself, without mapped files, or 0 where the
// system does not tell.
func ownMemory() int {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if fields := strings.Fields(line); fields[0] == "RssAnon:" {
			return must(strconv.Atoi(fields[1])) / 1000
		}
	}
	return 0
}
