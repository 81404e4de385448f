//go:build cgo && !noxla && (xla || (linux && (amd64 || arm64)))

package xla

import (
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/go-xla/compute/xla"
	"github.com/gomlx/go-xla/pjrt"
)

// Linked reports whether XLA is part of this program. On Linux it is, unless the program was built without
// cgo or with the tag noxla; on macOS and Windows the tag xla asks for it.
const Linked = true

// XLA would download plug-ins by itself, on every first use and without a time limit.
func init() { xla.EnableAutoInstall(false) }

// Open returns the backend of config, a GoMLX configuration of a CPU without its "xla:", with that many
// devices.
func Open(config string, devices int64) (compute.Backend, error) {
	var backend *xla.Backend
	var err error
	withoutSignals(func() {
		backend, err = xla.NewWithOptions(config, pjrt.NamedValuesMap{"cpu_device_count": devices})
	})
	if err != nil {
		return nil, err
	}
	return backend, nil
}

// Of describes a backend, if it is one of XLA that was not finalized.
func Of(backend compute.Backend) (Client, bool) {
	b, ok := backend.(*xla.Backend)
	if !ok || b.IsFinalized() {
		return Client{}, false
	}
	kind := b.PluginName()
	switch {
	case b.IsCUDA() && b.DotGeneralUseTF32:
		kind = "cuda,tf32"
	case b.IsCUDA():
		kind = "cuda"
	case b.IsCPU():
		kind = "cpu"
	}
	return Client{Kind: kind, Config: b.Config(), plugin: b.PluginName()}, true
}

// API returns the version of the PJRT interface that the plug-in of the client speaks, "0.83", or "".
func (c Client) API() string {
	loaded, err := pjrt.GetPlugin(c.plugin) // it is loaded by now, so nothing is searched
	if err != nil {
		return ""
	}
	major, minor := loaded.Version()
	return fmt.Sprintf("%d.%d", major, minor)
}
