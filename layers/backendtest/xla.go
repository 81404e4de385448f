//go:build ((linux && (amd64 || arm64)) || (darwin && arm64) || (windows && amd64)) && !noxla

package backendtest

import "github.com/gomlx/go-xla/compute/xla"

// A test fetches nothing: without its plug-in XLA is skipped.
func init() { xla.EnableAutoInstall(false) }
