package outputs

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
)

// TestCheck: what is not finite alone is named, wherever in a batch it has spread to; what is not so alone is
// that of its row.
func TestCheck(t *testing.T) {
	data, ids := &datasets.Collection{Info: datasets.Info{Name: "paths"}}, []int32{3, 0, 2}
	never := func([]int32) error { panic("all are finite") }
	require.NoError(t, Check(data, ids, make([]float32, 6), 2, never))
	require.NoError(t, Check(data, nil, nil, 2, never))
	for row, id := range ids {
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			all := make([]float32, 6)
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
		// The last is the source, and has spread to this one's row.
		all := make([]float32, 6)
		all[2*row] = float32(math.NaN())
		err := Check(data, ids, all, 2, func(id []int32) error {
			if id[0] != 2 {
				return nil
			}
			return Check(data, id, []float32{float32(math.Inf(1)), 0}, 2, never)
		})
		require.ErrorContains(t, err, "complex 2 (from 0)")
		require.ErrorContains(t, err, "+Inf", "its own output")
	}
}
