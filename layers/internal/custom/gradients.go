// Package custom gives values gradients of their own.
package custom

import . "github.com/gomlx/gomlx/core/graph"

// Gradients returns value with the gradients by nodes that vjp returns for an adjoint of value. GoMLX
// supports this only for the identity of one node. It is applied to value first, where the adjoint arrives,
// and then to each node, which value depends on by a term that XLA removes.
func Gradients(value *Node, by []*Node, vjp func(v *Node) map[*Node]*Node) *Node {
	var gradients map[*Node]*Node
	never, zero := Const(value.Graph(), false), ZerosLike(value)
	value = StopGradient(value)
	for _, x := range by {
		hidden := IdentityWithCustomGradient(x, func(_, _ *Node) *Node { return gradients[x] })
		hidden = ConvertDType(ReduceAllSum(hidden), value.DType())
		value = Add(value, Where(never, BroadcastToShape(hidden, value.Shape()), zero))
	}
	return IdentityWithCustomGradient(value, func(_, v *Node) *Node {
		gradients = vjp(v)
		return v
	})
}
