// Package nkfx is what a program or a notebook with neural k-forms imports to get going: a backend to run
// on, the means to install it, and a look at what is there.
//
// [Backend] returns the GoMLX backend on which graphs run. It takes XLA on the CPU where its plug-in is
// installed and GoMLX's pure Go backend elsewhere, about ten times slower; the environment variable
// GOMLX_BACKEND ("go", "xla:cpu" or "xla:cuda") decides otherwise. It never downloads anything:
// installing the plug-in is what [Setup] (command: nkf setup) is for.
//
// [Doctor] (command: nkf doctor) reports versions, backend, plug-in, data and Jupyter kernel, and for all
// that is missing the command that mends it.
//
// # Notebooks
//
// [Kernel] (command: nkf kernel install) is a Jupyter kernel whose Go cells import nkf without further ado.
// In a cell, [Show] shows figures and tables, [Progress] how a training goes on, [Slider] draws again when
// it is moved; [Must] and [Check] end the cell on an error, [Context] when it is interrupted; and [Keep] and
// [Kept] carry values to the cells below, since each is a program of its own.
//
// Importing this package turns off the downloads that GoMLX's XLA backend otherwise starts on first use.
package nkfx
