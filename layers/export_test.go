package layers

import (
	"cmp"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers/exterior"
)

// NewChunked is [NewIntegrator] with chunks of a number of simplices, or of its own for 0.
func NewChunked(chunk int, backend compute.Backend, store *model.Store, form exterior.Form,
	f func(integrals *Node) *Node) (*Integrator, error) {
	defer func(size int) { chunkSimplices = size }(chunkSimplices)
	chunkSimplices = cmp.Or(chunk, chunkSimplices)
	return NewIntegrator(backend, store, form, f)
}

// Fit returns the size of the program for so many simplices.
func (it *Integrator) Fit(count int) int { return it.fit(count) }
