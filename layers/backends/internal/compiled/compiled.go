// Package compiled caches programs compiled by XLA, so that the next process loads a program in a tenth
// of a second or less instead of compiling it again for seconds.
//
// The key of a program is the SHA-256 of everything its machine code depends on: the program and the options
// of its compilation, the plug-in, the processor, the threads of the client, and the environment that XLA
// reads. Key and machine code are sealed together. Machine code is executed, so the folder and its files must
// belong to this user, and nobody else may write to them. An entry that is incomplete, not sealed under its
// key, or fails to load is compiled again and replaced; no error here stops a compilation.
package compiled

import (
	"bytes"
	"sync/atomic"
)

// Counts has the numbers of programs that this process loaded and compiled.
type Counts struct{ Loaded, Compiled int }

var loaded, compiled atomic.Int64

// Count returns the counts until now. Without [Keep] they are all zero.
func Count() Counts { return Counts{Loaded: int(loaded.Load()), Compiled: int(compiled.Load())} }

// Observer is called before a program is compiled or loaded, and returns a function to call afterwards.
type Observer = func(name string) (end func(loaded bool))

var observer atomic.Pointer[Observer]

// Observe makes the process call o for all programs from now on, from several goroutines at once; nil ends
// that. o sees plug-ins that are given to [Keep] afterwards, or were with a folder.
func Observe(o Observer) {
	if o == nil {
		observer.Store(nil)
		return
	}
	observer.Store(&o)
}

// observe tells the observer, if there is one, of a program in MLIR.
func observe(program []byte) (end func(loaded bool)) {
	o := observer.Load()
	if o == nil {
		return func(bool) {}
	}
	return (*o)(moduleName(program))
}

// moduleName returns the name of a module in MLIR, "" if it has none: it begins "module @name".
func moduleName(program []byte) string {
	_, rest, ok := bytes.Cut(program[:min(len(program), 1000)], []byte("module @"))
	if !ok {
		return ""
	}
	if end := bytes.IndexAny(rest, " {\n"); end >= 0 {
		rest = rest[:end]
	}
	return string(rest)
}
