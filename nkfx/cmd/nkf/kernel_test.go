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
	fails(t, "is not in a checkout of nkf", "kernel", "install")

	prefix := filepath.Join(home, "env")
	code, _, stderr := nkf(t, "kernel", "remove", "--prefix", prefix)
	require.Equal(t, exitError, code)
	require.Contains(t, stderr,
		"no kernel is installed in "+filepath.Join(prefix, "share/jupyter/kernels/nkf"))

	spec := filepath.Join(prefix, "share/jupyter/kernels/nkf/kernel.json")
	require.NoError(t, os.MkdirAll(filepath.Dir(spec), 0o755))
	require.NoError(t, os.WriteFile(spec, []byte(`{"display_name": "Go (nkf)"}`), 0o644))
	done(t, "kernel", "remove", "--prefix", prefix)
	require.NoDirExists(t, filepath.Dir(spec))

	fails(t, "is not in a checkout of nkf", "kernel", "run", "--checkout", "/", "connection.json")

	code, _, _ = nkf(t, "kernel", "run")
	require.Equal(t, exitUsage, code)
}
