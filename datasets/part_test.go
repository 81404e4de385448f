package datasets_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
)

// TestPart: a part is what a builder makes of its complexes alone, with their faces, cochains and targets.
func TestPart(t *testing.T) {
	build := func(tasks []string, from, to int) *datasets.Collection {
		b := datasets.NewBuilder(2)
		b.Name, b.Tasks, b.Regression, b.Faces = "parts", tasks, tasks != nil, true
		if tasks == nil {
			b.Classes = []string{"a", "b", "c"}
		}
		for g := from; g < to; g++ {
			x, target := float64(g), []float64{float64(g % 3)}
			if tasks != nil {
				target = []float64{math.NaN(), x}[:len(tasks)]
			}
			switch g % 3 {
			case 0:
				b.Add([]float64{x, 1, 2, x, 0, 0}, [][]int32{1: {0, 1, 1, 2, 2, 0}, 2: {2, 1, 0}}, target...)
				b.SetCochain(1, []float64{x, 1, 2})
			case 1:
				b.Add([]float64{x, x}, [][]int32{2: nil}, target...)
				b.SetCochain(1, nil)
			default:
				b.Add([]float64{x, 0, 0, x}, [][]int32{1: {1, 0}, 2: nil}, target...)
				b.SetCochain(1, []float64{-x})
			}
		}
		return must(b.Collection())
	}
	const count = 9
	for _, tasks := range [][]string{nil, {"x"}, {"x", "y"}} {
		all := build(tasks, 0, count)
		for from := range count + 1 {
			for to := from; to <= count; to++ {
				part := all.Part(from, to)
				require.NoError(t, part.Validate())
				require.Equal(t, to-from, part.Len())
				require.Equal(t, all.Info, part.Info)
				want := build(tasks, from, to)
				if to == from {
					continue // a builder of nothing knows no degree
				}
				for g := range want.Len() {
					require.True(t, slices.Equal(want.Points(g), part.Points(g)))
					for k := range want.Simplices {
						require.True(t, slices.Equal(want.Corners(k, g), part.Corners(k, g)))
					}
				}
				require.Equal(t, want.VertexStart, part.VertexStart)
				for k, s := range want.Simplices {
					require.True(t, slices.Equal(s.Start, part.Simplices[k].Start))
					require.True(t, slices.Equal(s.Faces, part.Simplices[k].Faces))
					require.True(t, slices.Equal(s.Signs, part.Simplices[k].Signs))
					require.True(t, slices.Equal(s.Cochain, part.Simplices[k].Cochain))
				}
				for i, y := range want.Targets {
					require.Equal(t, math.Float32bits(y), math.Float32bits(part.Targets[i]))
				}
				require.Equal(t, want.Labels, part.Labels)
			}
		}
	}
}
