package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
)

// TestOwn: what was trained and loaded knows half a turn. The paths that it learned from turn by 3 on
// average, and the RMSE on others is 0.14; 0.5 leaves room for other processors.
func TestOwn(t *testing.T) {
	backendtest.NeedLong(t)
	read, write, err := os.Pipe()
	require.NoError(t, err)
	stdout := os.Stdout
	os.Stdout = write
	main()
	os.Stdout = stdout
	require.NoError(t, write.Close())
	said, err := io.ReadAll(read)
	require.NoError(t, err)
	_, answer, _ := strings.Cut(string(said), "half a turn:")
	var turned float64
	_, err = fmt.Sscanf(answer, " [%g]", &turned)
	require.NoError(t, err, string(said))
	require.InDelta(t, math.Pi, turned, 0.5)
}
