package pages

import (
	"os"
	"os/exec"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// A process of this test that is asked to starts anew and says with what.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "anew" {
		os.Stdout.WriteString(os.Args[2] + " " + os.Getenv("GLIBC_TUNABLES") + os.Getenv("NKF_RESTARTED"))
		os.Exit(3)
	}
	os.Exit(m.Run())
}

func TestTunables(t *testing.T) {
	for _, c := range []struct {
		enabled, now, want string
		anew               bool
	}{
		{"always [madvise] never\n", "", heap + huge, true},
		{"always [madvise] never\n", "a=3", "a=3:" + heap + huge, true},
		{"always [madvise] never\n", "glibc.malloc.hugetlb=0", "glibc.malloc.hugetlb=0", false},
		{"[always] madvise never\n", "", heap, true},
		{"", "x", "x:" + heap, true},
	} {
		got, anew := tunables(c.enabled, c.now)
		require.Equal(t, c.want, got)
		require.Equal(t, c.anew, anew)
	}
}

// TestKeep: the new start has the same arguments and exit status, and is the last.
func TestKeep(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(program, "anew", "a b")
	cmd.Env = append(os.Environ(), "GLIBC_TUNABLES=")
	out, err := cmd.Output()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 3, exit.ExitCode())
	if runtime.GOOS != "linux" || string(out) == "a b " {
		return // without cgo
	}
	require.Contains(t, []string{"a b " + heap, "a b " + heap + huge}, string(out))

	// The system withheld the settings, as it does from programs with privileges.
	cmd = exec.Command(program, "anew", "a b")
	cmd.Env = append(os.Environ(), "GLIBC_TUNABLES=", "NKF_RESTARTED=1")
	out, err = cmd.Output()
	require.ErrorAs(t, err, &exit)
	require.Equal(t, "a b ", string(out))
}
