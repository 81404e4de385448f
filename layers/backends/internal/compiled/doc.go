// Package compiled caches programs compiled by XLA, so that the next process loads a program in a tenth
// of a second or less instead of compiling it again for seconds.
//
// PJRT can serialize executables, but go-xla (v0.4.1) does not offer it, so the function that compiles is
// replaced in the plug-in's table.
//
// The key of a program is the SHA-256 of everything its machine code depends on: the program and the options
// of its compilation, the plug-in, the processor, the devices of the client, and the environment that XLA
// reads. Key and machine code are sealed together. Machine code is executed, so the folder must belong to
// this user alone. An entry that is incomplete, not sealed under its key, or fails to load is compiled again
// and replaced; no error here stops a compilation.
package compiled

import "sync/atomic"

// Loaded and Compiled count the programs that this process loaded from a folder and compiled for one.
var Loaded, Compiled atomic.Int64
