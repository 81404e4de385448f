package nkfx

import (
	"fmt"
	"io"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/neuralkforms/nkf/layers/backends"
	"github.com/neuralkforms/nkf/layers/backends/xla"
)

// Option changes what [Backend] does.
type Option = backends.Option

// WithConfig asks for one backend by its name, as [backends.WithConfig] does.
func WithConfig(config string) Option { return backends.WithConfig(config) }

// WithNotice sends the sentence that says why the slower Go backend is used to w instead of standard error.
func WithNotice(w io.Writer) Option { return backends.WithNotice(w) }

// Backend returns a new GoMLX backend: the one that GOMLX_BACKEND names, or else XLA on the CPU if its
// plug-in is found and works, or else the pure Go backend, about ten times slower, which it says once.
//
// It is [backends.New], for notebooks, which import this package.
func Backend(opts ...Option) (compute.Backend, error) { return backends.New(opts...) }

// BackendName returns the name of a backend as GOMLX_BACKEND spells it: "go", "xla:cpu" or "xla:cuda".
func BackendName(backend compute.Backend) string { return backends.Name(backend) }

// probe runs a graph on backend, the sum of the squares of 1, 2 and 3, and returns an error unless it is 14.
func probe(backend compute.Backend) (err error) {
	defer xla.Recover(&err)
	sumOfSquares := func(x *graph.Node) *graph.Node { return graph.ReduceAllSum(graph.Square(x)) }
	sum, err := graph.CallOnce(backend, sumOfSquares, []float32{1, 2, 3})
	if err != nil {
		return err
	}
	if got := tensors.ToScalar[float32](sum); got != 14 {
		return fmt.Errorf("1 + 4 + 9 came out as %g", got)
	}
	return nil
}

// tryPlugin loads a plug-in and runs a graph on it.
func tryPlugin(p xla.Plugin) error {
	backend, err := backends.New(backends.WithConfig(p.Config()))
	if err != nil {
		return err
	}
	defer backend.Finalize()
	return probe(backend)
}
