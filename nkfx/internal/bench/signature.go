package bench

import (
	"math/rand/v2"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/neuralkforms/nkf/layers/signature"
)

// ownSignature returns nkf's program, called once.
func ownSignature(backend compute.Backend, c Case) (program, error) {
	rng := rand.New(rand.NewPCG(1, 1))
	steps := random(rng, c.Batch*c.Points*c.Dim)
	for i := range steps {
		steps[i] *= 0.1
		if i/c.Dim%c.Points > 0 {
			steps[i] += steps[i-c.Dim]
		}
	}
	x := tensors.FromFlatDataAndDimensions(steps, c.Batch, c.Points, c.Dim)
	exec, err := NewExec(backend, func(x *Node) []*Node {
		y := signature.Signature(x, c.Depth)
		if !c.Gradient {
			return []*Node{y}
		}
		loss := ReduceAllSum(Square(y))
		return []*Node{loss, Gradient(loss, x)[0]}
	})
	if err != nil {
		return program{}, err
	}
	return calls(exec, x)
}
