package exterior

import (
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/distributed"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// TestDevices integrates simplices that are shared out between devices, with
// vertices and weights on each. The loss and its gradients are those of one
// device, up to the order of their sums.
func TestDevices(t *testing.T) {
	backend := backendtest.Get(t, "xla:cpu")
	const devices = 2
	if n := int(backend.NumDevices()); n < devices {
		t.Skipf("%d device of %s: sharing out takes two or more", n, backend.Name())
	}
	rng := rand.New(rand.NewPCG(6, 6))
	net := randomNetwork(rng, 3, 2, 2, 0, "tanh", 5, 4)
	vertices := tensors.FromFlatDataAndDimensions(normals(rng, 7*net.n), 7, net.n)
	simplices := randomSimplices(rng, 8, net.k, 7)
	build := func(vertices, simplices *Node) []*Node {
		m := net.mlp(vertices.Graph(), dtypes.Float64)
		loss := ReduceAllSum(Square(Integrate(by(quadrature.Gauss(2), m.Form()), vertices, simplices)))
		by := []*Node{vertices}
		for _, layer := range m.Layers {
			by = append(by, layer.W, layer.B)
		}
		return append([]*Node{loss}, Gradient(loss, by...)...)
	}
	want, err := CallOnceN(backend, build, vertices, simplices)
	require.NoError(t, err)

	mesh, err := distributed.NewDeviceMesh([]int{devices}, []string{"simplices"})
	require.NoError(t, err)
	rows, err := distributed.BuildSpec(mesh).S("simplices").R().Done()
	require.NoError(t, err)
	exec, err := NewExec(backend, build)
	require.NoError(t, err)
	defer exec.Finalize()
	exec = exec.AutoSharding(mesh).WithInputShardingSpecs(nil, rows).WithOutputShardingSpecs(nil)
	var in []any
	for i := range devices {
		copied, err := vertices.OnDeviceClone(backend, compute.DeviceNum(i))
		require.NoError(t, err)
		in = append(in, copied, simplices[i*4:(i+1)*4])
	}
	got, err := exec.Call(in...)
	require.NoError(t, err)
	require.Len(t, got, devices*len(want))
	for i, x := range got {
		closeTo(t, flat(t, want[i%len(want)]), flat(t, x), precisions[0].tolerance, "two devices")
	}
}
