//go:build linux && cgo

package faults_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backends/xla"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/internal/scratch"
)

// limited returns a training below a limit of the shell, by a user who is not root: root has no limit of
// threads.
func limited(t *testing.T, limit string) *exec.Cmd {
	t.Helper()
	folder, remove, err := scratch.Make("/tmp", "nkf-limits-") // a folder of a test is its user's
	require.NoError(t, err)
	t.Cleanup(remove)
	cmd := exec.CommandContext(t.Context(), "bash", "-c", "ulimit "+limit+` && exec "$@"`, "bash",
		filepath.Join(folder, "nkf"), "run", "tu", "--dataset", "BZR", "--folds", "2", "--epochs", "1")
	require.NoError(t, os.WriteFile(cmd.Args[4], must(os.ReadFile(program)), 0o755))
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "GOMLX_BACKEND=", "NKF_PROGRAMS=off", "HOME="+folder)
	if dirs := xla.SearchPath(); os.Getuid() == 0 {
		found, ok, _ := xla.CPU(xla.Find(dirs))
		if ok { // where others may not look
			path := filepath.Join(folder, filepath.Base(found.Path))
			if os.Link(found.Path, path) != nil {
				require.NoError(t, os.WriteFile(path, must(os.ReadFile(found.Path)), 0o755))
			}
		}
		require.NoError(t, os.Chmod(folder, 0o777))
		cmd.Env = append(cmd.Env, xla.PathVariable+"="+folder)
		const nobody = 65534
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	return cmd
}

// TestLimits: too little address space, or too few threads, for Go is one sentence; for XLA it is a sentence
// and the Go backend. With as much as the sentence says XLA trains.
func TestLimits(t *testing.T) {
	for limit, want := range map[string]string{
		"-v 1000000": "nkf: it needs 2000000 kB of address space, and ulimit -v allows 1000000\n",
		"-u 8":       "nkf: it needs 16 threads, and ulimit -u allows 8\n",
	} {
		_, err := limited(t, limit).Output()
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit)
		require.Equal(t, 1, exit.ExitCode())
		require.Equal(t, want, string(exit.Stderr))
	}
	if _, ok, _ := xla.CPU(xla.Find(xla.SearchPath())); !ok || !backendtest.Long() {
		return // without a plug-in of XLA
	}
	for flag, little := range map[string]string{"-v": "2500000", "-u": "20"} {
		out, err := limited(t, flag+" "+little).CombinedOutput()
		require.NoError(t, err, string(out))
		sentence := regexp.MustCompile(
			"on the pure Go backend.*XLA.* (\\d+) .* `ulimit " + flag + "` allows " + little)
		require.Regexp(t, sentence, string(out))
		out, err = limited(t, flag+" "+sentence.FindStringSubmatch(string(out))[1]).CombinedOutput()
		require.NoError(t, err, string(out))
		require.NotContains(t, string(out), "the pure Go backend")
	}
}
