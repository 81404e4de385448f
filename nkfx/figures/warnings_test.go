package figures_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/figures"
)

// TestFiguresSayWhatWasNotLearned: every figure of a classification shows its warning, and only that.
func TestFiguresSayWhatWasNotLearned(t *testing.T) {
	p, s, c := paths(), surfaces(), convolution()
	for _, f := range []*figures.Figure{
		figures.PathFields(p), figures.PathFunctions(p), figures.PathEmbeddings(p),
		figures.SurfaceEmbedding(s),
		figures.SurfaceIntegrals(s), figures.ConvolutionTemplates(c), figures.ConvolutionEmbedding(c),
	} {
		require.Empty(t, f.Notes, f.Title)
	}
	const warning = "training ended with loss 15.90, worse than guessing among 3 classes (1.10)"
	p.Functions.Warning, s.Forms.Warning, c.Forms.Warning = warning, warning, warning
	require.Empty(t, figures.PathFields(p).Notes, "1-forms have learned")
	for name, drawn := range map[string][]*figures.Figure{
		"0-forms":   {figures.PathFunctions(p), figures.PathEmbeddings(p)},
		"2-forms":   {figures.SurfaceEmbedding(s), figures.SurfaceIntegrals(s)},
		"templates": {figures.ConvolutionTemplates(c), figures.ConvolutionEmbedding(c)},
	} {
		for _, f := range drawn {
			require.Equal(t, []string{name + ": " + warning}, f.Notes, f.Title)
		}
	}
}
