package backends

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backends/internal/compiled"
	"github.com/neuralkforms/nkf/layers/backends/xla"
	"github.com/neuralkforms/nkf/layers/backends/xla/xlatest"
)

// counts are the numbers of programs that were loaded and compiled.
type counts struct{ Loaded, Compiled int64 }

// sine runs a program on a client of its own and returns the result, and whether it was loaded or compiled.
func sine(config string, oneThread bool) (result []float32, made counts) {
	KeepPrograms()
	backend := must(open(config, nil))
	defer backend.Finalize()
	if oneThread {
		backend = must(xla.OneThread(backend))
		defer backend.Finalize()
	}
	loaded, fresh := compiled.Loaded.Load(), compiled.Compiled.Load()
	out := must(CallOnce(backend, func(x *Node) *Node { return Exp(Sin(MatMul(x, Transpose(x, 0, 1)))) },
		[][]float32{{1, 2}, {3, 4}, {5, 7}}))
	return tensors.MustCopyFlatData[float32](out), counts{compiled.Loaded.Load() - loaded,
		compiled.Compiled.Load() - fresh}
}

// Programs are compiled once, and loaded with the same results; what does not load is compiled again.
func TestProgramsAreKept(t *testing.T) {
	plugin := xlatest.Real(t)
	dir := filepath.Join(t.TempDir(), "programs")
	t.Setenv(programsEnv, dir)
	fresh, reloaded := counts{Compiled: 1}, counts{Loaded: 1}
	check := func(want counts, why string) (result []float32) {
		t.Helper()
		result, got := sine(plugin.Config(), false)
		require.Equal(t, want, got, why)
		return result
	}
	first := check(fresh, "nothing is there")
	require.Equal(t, first, check(reloaded, "it is there"), "to the bit")

	files := must(filepath.Glob(filepath.Join(dir, "*")))
	require.Len(t, files, 1)
	require.NoError(t, os.Truncate(files[0], 1000))
	require.Equal(t, first, check(fresh, "the file is damaged"))
	check(reloaded, "and was replaced")

	// Whole and sealed, but nothing that XLA can load.
	key := must(hex.DecodeString(strings.TrimSuffix(filepath.Base(files[0]), ".xla")))
	wrong := []byte("machine code of another version")
	sum := sha256.Sum256(slices.Concat(key, wrong))
	require.NoError(t, os.WriteFile(files[0], slices.Concat(sum[:], wrong), 0o600))
	require.Equal(t, first, check(fresh, "the file does not load"))
	check(reloaded, "and was replaced")

	// Others could put programs of theirs there.
	require.NoError(t, os.Chmod(dir, 0o777))
	require.Equal(t, first, check(counts{}, "anybody may write to the folder"))
	var notice bytes.Buffer
	said.Clear()
	for range 2 {
		must(Open(plugin.Config(), &notice)).Finalize()
	}
	require.Equal(t, 1, strings.Count(notice.String(), "\n"), "said once: %s", notice.String())
	require.Contains(t, notice.String(), dir+" is not used because it is not a folder, or others own it")
	require.NoError(t, os.Chmod(dir, 0o700))
	check(reloaded, "it is the user's own again")

	// Sums are cut into pieces by the number of threads, so programs of another number are others.
	if runtime.NumCPU() > 1 {
		for _, want := range []counts{fresh, reloaded} {
			_, got := sine(plugin.Config(), true)
			require.Equal(t, want, got, "one thread")
		}
	}
	t.Setenv("XLA_FLAGS", "--xla_backend_optimization_level=1")
	check(fresh, "other options")
	t.Setenv("XLA_FLAGS", "")

	// A place where nothing can be kept.
	nowhere := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(nowhere, nil, 0o600))
	t.Setenv(programsEnv, nowhere)
	require.Equal(t, first, check(counts{}, "no folder"))
	require.Equal(t, first, check(counts{}, "no folder"))
}

// Of several clients that want a program at once one compiles it.
func TestProgramsAreCompiledOnce(t *testing.T) {
	plugin := xlatest.Real(t)
	t.Setenv(programsEnv, filepath.Join(t.TempDir(), "programs"))
	KeepPrograms()
	var backends []compute.Backend
	for range 4 {
		backend := must(open(plugin.Config(), nil))
		defer backend.Finalize()
		backends = append(backends, backend)
	}
	loaded, fresh := compiled.Loaded.Load(), compiled.Compiled.Load()
	var work sync.WaitGroup
	for _, backend := range backends {
		work.Go(func() {
			square := func(x *Node) *Node { return Tanh(Mul(x, x)) }
			must(CallOnce(backend, square, []float32{1, 2, 3, 4, 5}))
		})
	}
	work.Wait()
	require.EqualValues(t, 1, compiled.Compiled.Load()-fresh)
	require.EqualValues(t, 3, compiled.Loaded.Load()-loaded)
}
