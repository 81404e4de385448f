// Package figures draws results of the experiments with the plotters of gonum/plot, in one style: in the
// colors of Okabe and Ito, which color-blind readers can distinguish, and with all panels of a figure on
// one scale.
//
//	path := &figures.Routes{Paths: [][]float64{{0, 0, 1, 0, 1, 1}}}
//	panel := figures.NewPanel("from (0, 0) to (1, 1)", path)
//	err := figures.Arrange("A path in the plane", 1, panel).Save("path.svg")
//
// A [Figure] is a grid of panels. A [Panel] is a plot.Plot, and draws plotters of gonum/plot in the
// order in which they are added, among them those of this package: [Arrows] of vector fields, [Routes],
// a [Complex], [Discs], [Heat] maps of functions and matrices, [Points], [Rings] and a [Curve], and in
// space a [Mesh] in a [Box]. A [View] projects objects in space; a [Scene] can be rotated, and an [Animation]
// played; on a [Pad] one drags and draws, and neural forms are integrated in the page.
// [Figure.SVG] returns the bytes for a notebook, and [Figure.Save] writes a file, SVG or PNG by its
// extension.
//
// [IntegrationMatrix], [Pairing], [Pipeline] and [Losses] are complete figures, and [FieldsOf] makes
// layers of forms. The functions named after experiments, such as [PathFields], make the figures of the
// paper from results of package experiments; [Results] makes its tables.
//
// # Colors
//
// Class c of a collection is [Class](c) in every figure. The parts of the Hodge decomposition are
// gradient blue, curl green and harmonic orange. Field strength is ink, from light to dark. Signed
// numbers are blue where negative, pale near zero and orange where positive. This orange is
// [Vermilion], the darker of the two in the palette.
package figures
