package nkfx

import (
	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/layers/backends"
)

// Backend returns [backends.New], for notebooks, which import this package: the GoMLX backend that
// GOMLX_BACKEND names, or else XLA on the CPU if its plug-in is found and works, or else the pure
// Go backend, about ten times slower, which it says once.
func Backend() (compute.Backend, error) { return backends.New() }

// BackendName returns the name of a backend as GOMLX_BACKEND spells it: "go", "xla:cpu" or
// "xla:cuda".
func BackendName(backend compute.Backend) string { return backends.Name(backend) }
