package pages

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A process of this test that is asked to starts anew and says with what.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "anew" {
		Huge()
		os.Stdout.WriteString(os.Args[2] + " " + os.Getenv("GLIBC_TUNABLES"))
		os.Exit(3)
	}
	os.Exit(m.Run())
}

func TestTunables(t *testing.T) {
	for _, c := range []struct {
		enabled, now, want string
		anew               bool
	}{
		{"always [madvise] never\n", "", "glibc.malloc.hugetlb=1", true},
		{"always [madvise] never\n", "a=3", "a=3:glibc.malloc.hugetlb=1", true},
		{"always [madvise] never\n", "glibc.malloc.hugetlb=0", "glibc.malloc.hugetlb=0", false},
		{"[always] madvise never\n", "", "", false},
		{"always madvise [never]\n", "x", "x", false},
	} {
		got, anew := tunables(c.enabled, c.now)
		require.Equal(t, c.want, got)
		require.Equal(t, c.anew, anew)
	}
}

// TestHuge: the new start has the same arguments and exit status, and is the last.
func TestHuge(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(program, "anew", "a b")
	cmd.Env = append(os.Environ(), "GLIBC_TUNABLES=")
	out, err := cmd.Output()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 3, exit.ExitCode())
	enabled, _ := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	if runtime.GOOS != "linux" || !strings.Contains(string(enabled), "[madvise]") {
		require.Equal(t, "a b ", string(out))
		return
	}
	require.Contains(t, []string{"a b glibc.malloc.hugetlb=1", "a b "}, string(out), "with cgo or without")
}
