// Package nkfx provides what notebooks with neural k-forms need. A cell that trains the model of the paper:
//
//	backend := nkfx.Must(nkfx.Backend())
//	bzr := nkfx.Must(experiments.Lookup("BZR"))
//	result := nkfx.Must(experiments.NewRun(bzr, "nkf").Run(nkfx.Context(), backend, nil))
//	nkfx.Check(nkfx.Keep("BZR", result)) // for a later cell: nkfx.Kept[experiments.Result]("BZR")
//	nkfx.Show(fmt.Sprintf("accuracy **%.1f %%**", result.Mean))
//
// [Backend] returns the GoMLX backend on which graphs run: XLA on an NVIDIA card if there
// is one with its plug-in, or else XLA on the CPU if its plug-in is installed (command: nkf setup), or
// else GoMLX's pure Go backend, about ten times slower than XLA. The environment variable
// GOMLX_BACKEND ("go", "xla:cpu" or "xla:cuda") overrides this choice.
//
// In a cell, [Show] shows figures and tables, [Progress] the progress of a training, and [Slider] a
// figure that follows a slider. [Must] and [Check] end the cell on an error, and [Context] when it
// is interrupted. [Keep] and [Kept] pass values to later cells, since each cell is a separate
// program.
//
// Importing this package disables the downloads that GoMLX's XLA backend otherwise starts on first
// use.
package nkfx
