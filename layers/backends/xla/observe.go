package xla

import "github.com/neuralkforms/nkf/layers/backends/internal/compiled"

// Observe has begin called with the name of every program that XLA's CPU client is about to compile or load,
// and what it returns when that is done, with whether the program was loaded, having been compiled before.
// Both are called from several goroutines at once. Nil ends that. There is one observer at a time.
func Observe(begin func(name string) (end func(loaded bool))) { compiled.Observe(begin) }
