package signature

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
)

// TestGradientMemory: what 7,000 more points take are a few copies of the paths,
// 96 bytes a point. Signatures up to each of them would take 4 kB a point, 27
// MB.
func TestGradientMemory(t *testing.T) {
	backendtest.NeedLong(t)
	if _, ok := backendtest.NativeBytes(); !ok {
		t.Skip("the C library does not count its memory")
	}
	backend := backendtest.Get(t, "xla:cpu")
	const batch, n, depth = 4, 3, 4
	peak := func(points int) int64 {
		exec, err := NewExec(backend, func(x *Node) *Node {
			return Gradient(ReduceAllSum(Square(Signature(x, depth))), x)[0]
		})
		require.NoError(t, err)
		defer exec.Finalize()
		path := slices.Concat(walk(rand.New(rand.NewPCG(1, 1)), points, n)...)
		x := tensors.FromFlatDataAndDimensions(slices.Repeat(path, batch), batch, points, n)
		run := func() {
			out, err := exec.Call(x)
			require.NoError(t, err)
			out[0].MustFinalizeAll()
		}
		run() // compiles
		most := int64(0)
		for range 20 { // a run may be over before the first look
			before, _ := backendtest.NativeBytes()
			done := make(chan struct{})
			go func() {
				defer close(done)
				run()
			}()
			for running := true; running; {
				now, _ := backendtest.NativeBytes()
				most = max(most, now-before)
				select {
				case <-done:
					running = false
				case <-time.After(50 * time.Microsecond):
				}
			}
		}
		return most
	}
	short, long := peak(1000), peak(8000)
	t.Logf("peak of 1,000 points %d bytes, of 8,000 %d", short, long)
	require.Positive(t, short)
	require.Less(t, long-short, int64(6*7000*96))
}
