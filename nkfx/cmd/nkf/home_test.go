//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWithoutHome: where HOME is not set, nkf says nothing of it but where a
// home is needed, and there in a sentence; also a user whom the system does not
// know.
func TestWithoutHome(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	binary := program(t)
	for _, known := range []bool{true, false} {
		if !known && os.Getuid() != 0 {
			t.Skip("only root can be another user")
		}
		run := func(args ...string) (stdout, stderr string, err error) {
			cmd := exec.Command(binary, args...)
			cmd.Env = slices.DeleteFunc(os.Environ(), func(s string) bool {
				return strings.HasPrefix(s, "HOME=") || strings.HasPrefix(s, "XDG_") ||
					strings.HasPrefix(s, "NKF_") || strings.HasPrefix(s, "PJRT_")
			})
			if !known {
				nobody := &syscall.Credential{Uid: 54321, Gid: 54321}
				cmd.SysProcAttr = &syscall.SysProcAttr{Credential: nobody}
			}
			cmd.Dir = "/"
			var out, said bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &said
			err = cmd.Run()
			return out.String(), said.String(), err
		}
		stdout, stderr, err := run("version")
		require.NoError(t, err, stderr)
		require.Contains(t, stdout, "GoMLX")
		require.Empty(t, stderr)
		if !known {
			_, stderr, err = run("kernel", "remove")
			require.Error(t, err)
			require.Equal(t, "nkf: no kernel is installed in /.local/share/jupyter/kernels/nkf\n", stderr)
		}
	}
}
