package backends

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backends/xla/xlatest"
)

// TestSignals: threads that XLA computes in take no signals but those of their own faults. With a profile of
// the CPU, which sends SIGPROF to all, products of large matrices destroyed the memory of the process.
func TestSignals(t *testing.T) {
	backend := must(open(xlatest.Real(t).Config(), nil))
	defer backend.Finalize()
	require.Equal(t, 14.0, sumOfSquares(backend))
	found := 0
	for task, blocked := range blockedSignals(t) {
		if strings.HasPrefix(task, "tf_XLA") {
			found++
			require.NotZero(t, blocked&(1<<(syscall.SIGPROF-1)), task)
			require.NotZero(t, blocked&(1<<(syscall.SIGTERM-1)), task)
			require.Zero(t, blocked&(1<<(syscall.SIGSEGV-1)), task)
		} else if strings.HasPrefix(task, "main ") { // Go takes signals as before
			require.Zero(t, blocked&(1<<(syscall.SIGPROF-1)), task)
		}
	}
	require.NotZero(t, found)
	require.NoError(t, syscall.Setgid(syscall.Getgid()), "which waits for an answer of every thread")
}

// blockedSignals returns the signals that each thread of the process blocks, by its name and number. The
// first is called main.
func blockedSignals(t *testing.T) map[string]uint64 {
	tasks := must(filepath.Glob("/proc/self/task/*"))
	out := map[string]uint64{}
	for _, task := range tasks {
		name, err := os.ReadFile(filepath.Join(task, "comm"))
		status, err2 := os.ReadFile(filepath.Join(task, "status"))
		if err != nil || err2 != nil {
			continue // it has ended
		}
		if filepath.Base(task) == strconv.Itoa(os.Getpid()) {
			name = []byte("main")
		}
		_, rest, _ := strings.Cut(string(status), "SigBlk:\t")
		blocked := must(strconv.ParseUint(rest[:16], 16, 64))
		out[strings.TrimSpace(string(name))+" "+filepath.Base(task)] = blocked
	}
	return out
}
