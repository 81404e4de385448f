package layers

import . "github.com/gomlx/gomlx/core/graph"

// SiLU is the smooth activation x/(1+exp(-x)), element by element, also known
// as swish. It is computed as x/2·(1+tanh(x/2)): XLA's tanh on CPUs is faster.
// Source: Hendrycks and Gimpel, Gaussian Error Linear Units, 2016.
func SiLU(x *Node) *Node {
	x = MulScalar(x, 0.5)
	return Add(x, Mul(x, Tanh(x)))
}
