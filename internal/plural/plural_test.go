package plural

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOf(t *testing.T) {
	require.Equal(t, "1 fold", Of(1, "fold"))
	require.Equal(t, "0 folds", Of(0, "fold"))
	require.Equal(t, "-1 folds", Of(-1, "fold"))
	require.Equal(t, "2 classes", Of(2, "class"))
	require.Equal(t, "3 complexes", Of(3, "complex"))
	require.Equal(t, "2 batches", Of(2, "batch"))
	require.Equal(t, "class", Word(1, "class"))
}
