// Package figures draws what the experiments find, with the plotters of gonum/plot and in one visual
// language: on a white card, so that a figure reads the same in a light and in a dark notebook; in the
// colors of Okabe and Ito, which the color-blind can tell apart; with all panels of a figure on one
// scale.
//
// A [Figure] is a grid of panels. A [Panel] is a plot.Plot, and draws plotters of gonum/plot in the
// order in which they are added, such as those of this package:
//
//	layer     draws
//	[Arrows]  a vector field, arrows colored and scaled by strength
//	[Routes]  oriented paths, with arrowheads at their ends
//	[Complex] edges and filled triangles of a complex
//	[Discs]   discs around points, the cover of a Čech complex
//	[Heat]    a function on a grid, or a matrix
//	[Points]  a scatter of points, one color for each class
//	[Curve]   a line through points, such as a loss over epochs
//	[Mesh]    a triangulated surface in space
//
// What lives in space is projected by a [View]. [Figure.SVG] returns the bytes to show in a notebook,
// [Figure.Save] writes a file, SVG or PNG by its extension.
//
// [IntegrationMatrix], [Pairing], [Pipeline] and [Losses] are complete figures, and [FieldsOf] makes
// layers of forms. The functions named after experiments, such as [PathFields], make the figures of the
// paper from results of package experiments; [Results] and [CochainTables] make its tables.
//
// # Colors
//
// Class c of a collection is [Class](c) in every figure. The parts of the Hodge decomposition are
// gradient blue, curl green and harmonic orange. Field strength is ink, from light to dark. Signed
// numbers are blue where negative, pale near zero and orange where positive. This orange is
// [Vermilion], the darker of the two in the palette.
package figures
