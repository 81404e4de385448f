package nkfx

import (
	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/layers/backends"
	"github.com/neuralkforms/nkf/layers/backends/xla"
)

// Backend returns [backends.New], for notebooks, which import this package: the GoMLX backend that
// GOMLX_BACKEND names, or else XLA on an NVIDIA card or on the CPU, whose plug-in is found and works, or
// else the pure Go backend, about ten times slower; it reports the latter once.
//
// Every cell of a notebook is a process, so programs are kept from one to the next, see
// [backends.KeepPrograms].
func Backend() (compute.Backend, error) {
	backends.KeepPrograms()
	return backends.New()
}

// BackendName returns the name of a backend as GOMLX_BACKEND spells it, see [backends.Name].
func BackendName(backend compute.Backend) string { return backends.Name(backend) }

// OneThread returns [Backend] with one thread where it is XLA on the CPU, which the experiments have as
// well: a seed then gives the same bits on any number of processors.
func OneThread() (compute.Backend, error) {
	backend, err := Backend()
	if err != nil {
		return nil, err
	}
	member, err := xla.OneThread(backend)
	if member != backend {
		backend.Finalize()
	}
	return member, err
}
