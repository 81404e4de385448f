package simplicial

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/datasets/simplicial/sparse"
)

// Hodge splits a k-cochain into its orthogonal parts: gradient in the image of the coboundary of
// (k-1)-cochains, curl in the image of ∂_{k+1}, and the harmonic rest. They add up to the cochain.
//
// It is an error if the cochain does not have Count(k) entries or has one that is not finite, or if
// the projections do not converge. The work is sparse: conjugate gradients on the boundary
// operators.
func (c *Complex) Hodge(k int, cochain []float64) (gradient, curl, harmonic []float64, err error) {
	if len(cochain) != c.Count(k) {
		return nil, nil, nil, fmt.Errorf("simplicial: cochain of length %d in degree %d, want %d",
			len(cochain), k, c.Count(k))
	}
	for i, x := range cochain {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, nil, nil, fmt.Errorf("simplicial: entry %d of the cochain is %v, want finite",
				i, x)
		}
	}
	if gradient, err = project(cochain, c.Boundary(k).Transpose()); err != nil {
		return nil, nil, nil, err
	}
	if curl, err = project(cochain, c.Boundary(k+1)); err != nil {
		return nil, nil, nil, err
	}
	harmonic = floats.SubTo(make([]float64, len(cochain)), cochain, gradient)
	floats.Sub(harmonic, curl)
	return gradient, curl, harmonic, nil
}

// project returns the orthogonal projection of x onto the image of an operator by conjugate
// gradients on the normal equations (CGLS: Björck, Numerical Methods for Least Squares Problems,
// 1996, 7.4).
func project(x []float64, a *sparse.Matrix) ([]float64, error) {
	image := make([]float64, len(x))
	largest := floats.Norm(x, math.Inf(1))
	if largest == 0 {
		return image, nil
	}
	rest := slices.Clone(x)
	for i := range rest {
		rest[i] /= largest // so that no square overflows
	}
	_, cols := a.Dims()
	rounding := make([]float64, cols)
	a.DoNonZero(func(i, j int, v float64) { rounding[j] += math.Abs(v * rest[i]) })
	// Sums over the terms of a column carry errors of some 1e-16 of the sum of their absolute
	// values.
	enough := 1e-28 * floats.Dot(rounding, rounding)
	slope := pull(a, rest)
	direction := slices.Clone(slope)
	norm2 := floats.Dot(slope, slope)
	// Without rounding there are no more steps than dimensions; ten times as many make up for it.
	for range 10*(len(x)+cols) + 1 {
		if norm2 <= enough {
			floats.Scale(largest, image)
			return image, nil
		}
		step := push(a, direction)
		alpha := norm2 / floats.Dot(step, step)
		floats.AddScaled(image, alpha, step)
		floats.AddScaled(rest, -alpha, step)
		slope = pull(a, rest)
		before := norm2
		norm2 = floats.Dot(slope, slope)
		floats.AddScaledTo(direction, slope, norm2/before, direction)
	}
	return nil, fmt.Errorf("simplicial: projection of a cochain of length %d did not converge", len(x))
}
