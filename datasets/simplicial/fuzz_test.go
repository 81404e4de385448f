package simplicial

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// tuples cuts bytes into lists of small numbers, from -1 up, at each 255. Lists of more than 8 are
// dropped: the number of their faces only takes time.
func tuples(data []byte) [][]int {
	var list [][]int
	for _, part := range bytes.Split(data, []byte{255}) {
		if len(part) > 8 || len(list) > 100 {
			continue
		}
		tuple := []int{}
		for _, b := range part {
			tuple = append(tuple, int(b)-1)
		}
		list = append(list, tuple)
	}
	return list
}

func FuzzNew(f *testing.F) {
	f.Add(4, []byte{1, 2, 3, 255, 4})
	f.Add(5, []byte{5, 4, 3, 2, 1})
	f.Add(0, []byte{})
	f.Add(-1, []byte{1, 1})
	f.Fuzz(func(t *testing.T, vertices int, data []byte) {
		simplices := tuples(data)
		c, err := New(vertices, simplices)
		if err != nil || vertices > 1000 {
			return
		}
		requireComplex(t, c)
		for _, s := range simplices {
			_, _, ok := c.Index(s...)
			require.True(t, ok)
		}
		euler := 0
		for k, b := range c.Betti() {
			require.GreaterOrEqual(t, b, 0)
			euler += (1 - 2*(k%2)) * (c.Count(k) - b)
			if k > 0 {
				outer, inner := c.Boundary(k-1), c.Boundary(k)
				for j := range c.Count(k) {
					require.Zero(t, terms(push(outer, column(inner, j))))
				}
			}
		}
		require.Zero(t, euler)
	})
}

// Whatever the coordinates, there is an error or a metric that is positive.
func FuzzWithMetric(f *testing.F) {
	f.Add(2, []byte{1, 2, 3, 255, 4},
		[]byte("0123456789abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
	f.Add(3, []byte{1, 2, 3, 4}, make([]byte, 96))
	f.Fuzz(func(t *testing.T, n int, simplices, data []byte) {
		coords := make([]float64, min(len(data)/8, 24))
		for i := range coords {
			coords[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
		}
		c, err := New(len(coords)/max(n, 1), tuples(simplices))
		if err != nil {
			return
		}
		if c, err = c.Embed(n, coords); err != nil {
			return
		}
		if weighted, err := c.WithMetric(); err == nil {
			for k := 0; k <= c.Dim(); k++ {
				mass := weighted.Mass(k)
				for i := range c.Count(k) {
					require.Positive(t, mass.At(i, i))
				}
				_, _ = weighted.Laplacian(k, make([]float64, c.Count(k)))
			}
		}
		_, _ = c.Basis(3)
	})
}
