package figures_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/figures"
)

// TestSurfaceIntegralsOfAllForms: a row for every form, over the same surfaces, with the integrals that the
// triangles sum to.
func TestSurfaceIntegralsOfAllForms(t *testing.T) {
	r := surfaces()
	f := figures.SurfaceIntegrals(r)
	require.Len(t, f.Panels, 4)
	require.Equal(t, 2, f.Columns)
	for i, p := range f.Panels {
		mesh := p.Layers[1].(*figures.Mesh)
		require.Equal(t, f.Panels[i%2].Layers[1].(*figures.Mesh).Vertices, mesh.Vertices)
		sum := 0.0
		for _, v := range mesh.Values {
			sum += v
		}
		title := fmt.Sprintf("%s: ∫ω%s = %+.2f", r.Classes[i%2], []string{"₁", "₂"}[i/2], sum)
		require.Equal(t, strings.ReplaceAll(title, "-", "−"), p.Title.Text)
	}
}
