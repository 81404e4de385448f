// Package nkfx is what a notebook with neural k-forms imports.
//
// [Backend] returns the GoMLX backend on which graphs run: XLA on the CPU where its plug-in is
// installed (command: nkf setup), and GoMLX's pure Go backend elsewhere, about ten times slower,
// unless the environment variable GOMLX_BACKEND ("go", "xla:cpu" or "xla:cuda") decides otherwise.
//
// In a cell, [Show] shows figures and tables, [Progress] the course of a training, and [Slider] a
// figure that follows it; [Must] and [Check] end the cell on an error, [Context] when it is
// interrupted; [Keep] and [Kept] carry values to later cells, since each cell is a program of its
// own.
//
// Importing this package turns off the downloads that GoMLX's XLA backend otherwise starts on first
// use.
package nkfx
