package simplicial

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Part is one of the three orthogonal parts of the Hodge decomposition of cochains.
type Part int

const (
	Harmonic Part = iota // the kernel of the Laplacian: closed and coclosed
	Gradient             // the image of ∂_kᵀ, the coboundary: exact
	Curl                 // the image of ∂_{k+1}: coexact
)

// String returns the name in lower case.
func (p Part) String() string { return [...]string{"harmonic", "gradient", "curl"}[p] }

// Hodge splits a k-cochain into its parts, orthogonal in the inner product of the metric: gradient in the
// image of the coboundary of (k-1)-cochains, curl in that of the codifferential of (k+1)-cochains, which is
// the boundary without a metric, and the harmonic rest. They add up to the cochain.
//
// It is an error if the cochain does not have Count(k) entries or has one that is not finite, or if
// the projections do not converge. The work is sparse, by conjugate gradients.
func (c *Complex) Hodge(k int, cochain []float64) (gradient, curl, harmonic []float64, err error) {
	if err := c.checkCochain(k, cochain); err != nil {
		return nil, nil, nil, err
	}
	if gradient, err = c.half(Gradient, k).project(cochain); err != nil {
		return nil, nil, nil, err
	}
	if curl, err = c.half(Curl, k).project(cochain); err != nil {
		return nil, nil, nil, err
	}
	harmonic = floats.SubTo(make([]float64, len(cochain)), cochain, gradient)
	floats.Sub(harmonic, curl)
	return gradient, curl, harmonic, nil
}

// half is one of the terms A A* of the Laplacian of k-cochains: A is d for gradients and δ for curls, from
// cochains of a neighboring degree.
type half struct {
	*Complex
	part           Part
	k, other       int
	boundary       *Matrix // between the two degrees
	apply, adjoint func(x []float64) ([]float64, error)
}

func (c *Complex) half(part Part, k int) half {
	top := k // the higher of the two degrees
	if part == Curl {
		top++
	}
	boundary := c.Boundary(top)
	d := func(x []float64) ([]float64, error) { return pull(boundary, x), nil }
	delta := func(x []float64) ([]float64, error) {
		return c.sharp(top-1, push(boundary, c.flat(top, x)))
	}
	if part == Gradient {
		return half{c, part, k, k - 1, boundary, d, delta}
	}
	return half{c, part, k, k + 1, boundary, delta, d}
}

// square returns A A* x.
func (h half) square(x []float64) ([]float64, error) {
	y, err := h.adjoint(x)
	if err != nil {
		return nil, err
	}
	return h.apply(y)
}

// rounding returns the squared norm that A* x would have if no terms canceled.
func (h half) rounding(x []float64) (float64, error) {
	sums := make([]float64, h.Count(h.other))
	if h.part == Curl {
		h.boundary.DoNonZero(func(i, j int, v float64) { sums[j] += math.Abs(v * x[i]) })
		return h.inner(h.other, sums, sums), nil
	}
	x = h.flat(h.k, x)
	h.boundary.DoNonZero(func(i, j int, v float64) { sums[i] += math.Abs(v * x[j]) })
	y, err := h.sharp(h.other, sums)
	return floats.Dot(sums, y), err
}

// project returns the projection of x onto the image of A, orthogonal in the inner product of the metric, by
// conjugate gradients on the normal equations (CGLS: Björck, Numerical Methods for Least Squares Problems,
// 1996, 7.4).
func (h half) project(x []float64) ([]float64, error) {
	image := make([]float64, len(x))
	largest := floats.Norm(x, math.Inf(1))
	if largest == 0 {
		return image, nil
	}
	rest := slices.Clone(x)
	for i := range rest {
		rest[i] /= largest // so that no square overflows
	}
	// Sums carry errors of some 1e-16 of the sum of the absolute values of their terms.
	enough, err := h.rounding(rest)
	if err != nil {
		return nil, err
	}
	enough *= 1e-28
	var direction []float64
	before := 1.0
	// Without rounding there are no more steps than dimensions; ten times as many make up for it.
	for range 10*(len(x)+h.Count(h.other)) + 1 {
		slope, err := h.adjoint(rest)
		if err != nil {
			return nil, err
		}
		norm2 := h.inner(h.other, slope, slope)
		if norm2 <= enough {
			floats.Scale(largest, image)
			return image, nil
		}
		if direction == nil {
			direction = slope
		} else {
			floats.AddScaledTo(direction, slope, norm2/before, direction)
		}
		before = norm2
		step, err := h.apply(direction)
		if err != nil {
			return nil, err
		}
		alpha := norm2 / h.inner(h.k, step, step)
		floats.AddScaled(image, alpha, step)
		floats.AddScaled(rest, -alpha, step)
	}
	return nil, fmt.Errorf("simplicial: projection of a cochain of length %d did not converge", len(x))
}
