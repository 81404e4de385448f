package figures_test

import (
	"github.com/neuralkforms/nkf/nkfx/figures"
)

// Three 1-forms, each under the paths of its class.
func ExamplePathFields() {
	golden("paths-fields.png", madeUp(figures.PathFields(paths())))
	// Output: paths-fields.png
}

// Three functions, each under the paths of its class.
func ExamplePathFunctions() {
	golden("paths-functions.png", madeUp(figures.PathFunctions(paths())))
	// Output: paths-functions.png
}

// Paths by their three integrals.
func ExamplePathEmbeddings() {
	golden("paths-embeddings.png", madeUp(figures.PathEmbeddings(paths())))
	// Output: paths-embeddings.png
}

// Surfaces by their two integrals.
func ExampleSurfaceEmbedding() {
	golden("surfaces-embedding.png", madeUp(figures.SurfaceEmbedding(surfaces())))
	// Output: surfaces-embedding.png
}

// A surface of each class, colored by the integrals over its triangles.
func ExampleSurfaceIntegrals() {
	golden("surfaces-integrals.png", madeUp(figures.SurfaceIntegrals(surfaces())))
	// Output: surfaces-integrals.png
}

// Discs around points, and the complex of those that meet.
func ExampleEigenvectorCover() {
	golden("eigenvectors-cover.png", madeUp(figures.EigenvectorCover(eigenvectors())))
	// Output: eigenvectors-cover.png
}

// Three forms in the colors of their kinds, and those of a set-up that falls behind.
func ExampleEigenvectorFields() {
	good, poor := eigenvectors(), eigenvectors()
	poor.Error, poor.Errors = 0.7, []float64{0.6, 0.7, 0.8}
	for i := range poor.Field.Values {
		poor.Field.Values[i] /= 3
	}
	golden("eigenvectors-fields.png", madeUp(figures.EigenvectorFields([]string{"poor", "good"}, poor, good)))
	// Output: eigenvectors-fields.png
}

// Two templates, each beside a drawing of its class and what the template sees of it.
func ExampleConvolutionTemplates() {
	golden("convolution-templates.png", madeUp(figures.ConvolutionTemplates(convolution())))
	// Output: convolution-templates.png
}

// Drawings by the two sums over all translations.
func ExampleConvolutionEmbedding() {
	golden("convolution-embedding.png", madeUp(figures.ConvolutionEmbedding(convolution())))
	// Output: convolution-embedding.png
}

// A graph where two levels of a network have moved it, under the forms there.
func ExampleCochainLevels() {
	golden("cochain-levels.png", madeUp(figures.CochainLevels("The letter A, moved", nil, levels())))
	// Output: cochain-levels.png
}

// The same graph where it was, with what its edges tell its vertices.
func ExampleCochainLevels_places() {
	at := levels()[0].Points
	golden("cochain-messages.png", madeUp(figures.CochainLevels("What edges tell vertices", at, levels())))
	// Output: cochain-messages.png
}
