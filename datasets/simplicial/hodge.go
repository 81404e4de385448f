package simplicial

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/datasets/simplicial/internal/sparse"
)

// Hodge splits a k-cochain into its parts, orthogonal in the inner product of the metric: gradient in the
// image of the coboundary of (k-1)-cochains, curl in that of the codifferential of (k+1)-cochains, which is
// the boundary without a metric, and the harmonic rest. They add up to the cochain.
//
// It is an error if the cochain does not have Count(k) entries or has one that is not finite, or if
// the projections do not converge. The work is sparse: conjugate gradients on the boundary
// operators.
func (c *Complex) Hodge(k int, cochain []float64) (gradient, curl, harmonic []float64, err error) {
	if err := c.checkCochain(k, cochain); err != nil {
		return nil, nil, nil, err
	}
	if gradient, err = c.image(Gradient, k).project(cochain); err != nil {
		return nil, nil, nil, err
	}
	if curl, err = c.image(Curl, k).project(cochain); err != nil {
		return nil, nil, nil, err
	}
	harmonic = floats.SubTo(make([]float64, len(cochain)), cochain, gradient)
	floats.Sub(harmonic, curl)
	return gradient, curl, harmonic, nil
}

// image is that of an operator A on the cochains of a neighboring degree, with the inner product of the
// metric.
type image struct {
	*Complex
	k     int
	part  Part
	chain *sparse.Matrix // from the parameters of the image: the coboundary to cochains, or ∂_{k+1} to chains
}

// image returns that of a part of the Hodge decomposition.
func (c *Complex) image(part Part, k int) image {
	if part == Gradient {
		return image{c, k, part, c.Boundary(k).Transpose()}
	}
	return image{c, k, part, c.Boundary(k + 1)}
}

// push returns A y and the chain M A y. Of the curls A is M⁻¹∂.
func (a image) push(y []float64) (cochain, chain []float64, err error) {
	x := push(a.chain, y)
	if a.part == Gradient {
		return x, a.flat(a.k, x), nil
	}
	cochain, err = a.sharp(a.k, x)
	return cochain, x, err
}

// pullable returns what the transpose of the operator applies to for AᵀM x.
func (a image) pullable(x []float64) []float64 {
	if a.part == Gradient {
		return a.flat(a.k, x)
	}
	return x
}

// project returns the projection of x onto the image, orthogonal in the inner product of the metric, by
// conjugate gradients on the normal equations (CGLS: Björck, Numerical Methods for Least Squares Problems,
// 1996, 7.4).
func (a image) project(x []float64) ([]float64, error) {
	image := make([]float64, len(x))
	largest := floats.Norm(x, math.Inf(1))
	if largest == 0 {
		return image, nil
	}
	rest := slices.Clone(x)
	for i := range rest {
		rest[i] /= largest // so that no square overflows
	}
	_, cols := a.chain.Dims()
	rounding := make([]float64, cols)
	chain := a.pullable(rest)
	a.chain.DoNonZero(func(i, j int, v float64) { rounding[j] += math.Abs(v * chain[i]) })
	// Sums over the terms of a column carry errors of some 1e-16 of the sum of their absolute
	// values.
	enough := 1e-28 * floats.Dot(rounding, rounding)
	slope := pull(a.chain, chain)
	direction := slices.Clone(slope)
	norm2 := floats.Dot(slope, slope)
	// Without rounding there are no more steps than dimensions; ten times as many make up for it.
	for range 10*(len(x)+cols) + 1 {
		if norm2 <= enough {
			floats.Scale(largest, image)
			return image, nil
		}
		step, chain, err := a.push(direction)
		if err != nil {
			return nil, err
		}
		alpha := norm2 / floats.Dot(step, chain)
		floats.AddScaled(image, alpha, step)
		floats.AddScaled(rest, -alpha, step)
		slope = pull(a.chain, a.pullable(rest))
		before := norm2
		norm2 = floats.Dot(slope, slope)
		floats.AddScaledTo(direction, slope, norm2/before, direction)
	}
	return nil, fmt.Errorf("simplicial: projection of a cochain of length %d did not converge", len(x))
}
