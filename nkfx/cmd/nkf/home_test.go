package main

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWithoutHome: where HOME is not set, as in services, no library complains.
func TestWithoutHome(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	binary := program(t)
	cmd := exec.Command(binary, "version")
	cmd.Env = slices.DeleteFunc(os.Environ(), func(s string) bool {
		return strings.HasPrefix(s, "HOME=") || strings.HasPrefix(s, "XDG_") ||
			strings.HasPrefix(s, "NKF_") || strings.HasPrefix(s, "PJRT_")
	})
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.Output()
	require.NoError(t, err)
	require.Contains(t, string(stdout), "GoMLX")
	require.Empty(t, stderr.String())
}
