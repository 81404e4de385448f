package typeset

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestText(t *testing.T) {
	require.Equal(t, "−1 = −2 (−3): 1-forms, −1·10⁻⁵, 2.5·10¹², a-b, -x, 1e5",
		Text("-1 = -2 (-3): 1-forms, -1e-05, 2.5e+12, a-b, -x, 1e5"))
}
