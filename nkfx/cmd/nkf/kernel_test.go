package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKernelCommands(t *testing.T) {
	home := emptyMachine(t)
	t.Chdir("/") // folders for temporary files may lie in a checkout
	code, _, stderr := nkf(t, "kernel", "install")
	require.Equal(t, exitError, code)
	require.Contains(t, stderr, "is not in a checkout of nkf")

	prefix := filepath.Join(home, "env")
	code, _, stderr = nkf(t, "kernel", "remove", "--prefix", prefix)
	require.Equal(t, exitError, code)
	require.Contains(t, stderr,
		"no kernel is installed in "+filepath.Join(prefix, "share/jupyter/kernels/nkf"))

	spec := filepath.Join(prefix, "share/jupyter/kernels/nkf/kernel.json")
	require.NoError(t, os.MkdirAll(filepath.Dir(spec), 0o755))
	require.NoError(t, os.WriteFile(spec, []byte(`{"display_name": "Go (nkf)"}`), 0o644))
	code, _, _ = nkf(t, "kernel", "remove", "--prefix", prefix)
	require.Equal(t, exitDone, code)
	require.NoDirExists(t, filepath.Dir(spec))

	code, _, stderr = nkf(t, "kernel", "run", "--checkout", "/", "connection.json")
	require.Equal(t, exitError, code)
	require.Contains(t, stderr, "is not in a checkout of nkf")

	code, _, _ = nkf(t, "kernel", "run")
	require.Equal(t, exitUsage, code)
}
