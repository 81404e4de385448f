// Package compiled keeps what XLA has compiled, so that the next process loads a program in a tenth of a
// second or less where it would compile it again for seconds.
//
// The key of a program is the SHA-256 of all that its machine code depends on: the program and the options of
// its compilation, the plug-in, the processor, the threads of the client, and the environment that XLA reads.
// Key and machine code are sealed together. Machine code is executed, so the folder and its files must belong
// to this user, and nobody else may write to them. An entry that is not whole, not sealed under its key, or
// does not load is compiled again and replaced; nothing that goes wrong here stops a compilation.
package compiled

import (
	"bytes"
	"sync/atomic"
)

// Counts tells what became of the programs of this process.
type Counts struct{ Loaded, Compiled int }

var loaded, compiled atomic.Int64

// Count returns the counts until now. Without [Keep] they are all zero.
func Count() Counts { return Counts{Loaded: int(loaded.Load()), Compiled: int(compiled.Load())} }

// Observer is told that a program is about to be compiled or loaded, and returns what is told of its end.
type Observer = func(name string) (end func(loaded bool))

var observer atomic.Pointer[Observer]

// Observe has o told of all programs from now on, of the process and from several goroutines at once; nil
// ends that. It is told of plug-ins that are given to [Keep] afterwards, or have been with a folder.
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
