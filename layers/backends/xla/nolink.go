//go:build !(cgo && !noxla && (xla || (linux && (amd64 || arm64))))

package xla

import "github.com/gomlx/compute"

// Linked reports whether XLA is part of this program.
const Linked = false

// Open returns [ErrNotLinked].
func Open(config string, devices int64) (compute.Backend, error) { return nil, ErrNotLinked }

// Of returns false: no backend is one of XLA.
func Of(backend compute.Backend) (Client, bool) { return Client{}, false }

// API returns "".
func (c Client) API() string { return "" }
