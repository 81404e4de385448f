package outputs

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
)

// paths are of 2, 3, 4 and 5 vertices, which have labels or not.
func paths(t *testing.T, labeled bool) *datasets.Collection {
	t.Helper()
	b := datasets.NewBuilder(1)
	b.Name, b.Classes = "paths", []string{"a", "b"}
	for n := 2; n < 6; n++ {
		b.AddPath(make([]float64, n))
		if labeled {
			b.SetLabels(0, make([]int32, n))
		}
	}
	c, err := b.Collection()
	require.NoError(t, err)
	return c
}

// TestCheck: what is not finite alone is named, wherever in a batch it has spread to; what is not so alone is
// that of its row.
func TestCheck(t *testing.T) {
	ids := []int32{3, 0, 2}
	for labeled, rows := range map[bool][]int{false: {1, 1, 1}, true: {5, 2, 4}} {
		data := paths(t, labeled)
		total := 0
		for i, id := range ids {
			require.Equal(t, rows[i], Rows(data, id))
			total += rows[i]
		}
		require.Equal(t, total, Rows(data, ids...))
		never := func([]int32) error { panic("all are finite") }
		require.NoError(t, Check(data, ids, make([]float32, 2*total), 2, never))
		require.NoError(t, Check(data, nil, nil, 2, never))
		first := 0
		for i, id := range ids {
			for row := first; row < first+rows[i]; row++ {
				for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
					all := make([]float32, 2*total)
					all[2*row+1] = float32(v)
					var asked []int32
					clean := func(id []int32) error {
						asked = append(asked, id...)
						return nil
					}
					err := Check(data, ids, all, 2, clean)
					require.ErrorContains(t, err, fmt.Sprintf("complex %d (from 0) of \"paths\"", id))
					require.Equal(t, ids, asked)
				}
			}
			first += rows[i]
			// The last is the source, and has spread to this one's row.
			all := make([]float32, 2*total)
			all[2*(first-1)] = float32(math.NaN())
			err := Check(data, ids, all, 2, func(id []int32) error {
				if id[0] != 2 {
					return nil
				}
				bad := make([]float32, 2*Rows(data, 2))
				bad[0] = float32(math.Inf(1))
				return Check(data, id, bad, 2, never)
			})
			require.ErrorContains(t, err, "complex 2 (from 0)")
			require.ErrorContains(t, err, "+Inf", "its own output")
		}
	}
}
