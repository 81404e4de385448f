package machine

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backends/xla"
	"github.com/neuralkforms/nkf/layers/backends/xla/xlatest"
	"github.com/neuralkforms/nkf/nkfx/internal/nkftest"
)

// wheelOf returns a wheel that holds library as the real one does, and its SHA-256.
func wheelOf(t *testing.T, library []byte) (wheel []byte, sum string) {
	t.Helper()
	wheel = archive(t, map[string][]byte{"xla_plugins/xla_cpu_pjrt/" + cpuLibrary: library})
	return wheel, sumOf(wheel)
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// newTestSetup returns a setup into a new folder from a wheel with the given SHA-256. It loads
// nothing.
func newTestSetup(t *testing.T, sum string) (*setup, *bytes.Buffer) {
	t.Helper()
	xlatest.NeedLinked(t)
	dir := filepath.Join(t.TempDir(), "lib", "go-xla")
	t.Setenv("PJRT_PLUGIN_LIBRARY_PATH", dir)
	progress := new(bytes.Buffer)
	w := wheel{cpuWheel.name, cpuWheel.version, map[string]string{platform: sum}}
	s := must(newSetup([]wheel{w}, "", progress))
	require.Equal(t, dir, s.target)
	s.try = func(xla.Plugin) error { return nil }
	return s, progress
}

// listing returns the names in a folder.
func listing(dir string) []string {
	entries := must(os.ReadDir(dir))
	names := []string{}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

const (
	wheelPlugin = "pjrt_c_api_cpu_v0.0.1_plugin.so"
	wheelRecord = wheelPlugin + ".sha256"
)

func TestSetup(t *testing.T) {
	library := xlatest.Plugin(t)
	wheel, sum := wheelOf(t, library)
	site := newWeb(t, wheel)
	s, progress := newTestSetup(t, sum)
	require.NoError(t, s.run(t.Context()))
	require.Equal(t, []string{wheelPlugin, wheelRecord}, listing(s.target))

	path := filepath.Join(s.target, wheelPlugin)
	stored := must(os.ReadFile(path))
	require.Equal(t, library, stored)
	require.NoError(t, xla.Verify(path))
	require.Equal(t, os.FileMode(0o755), must(os.Stat(path)).Mode().Perm())
	require.Contains(t, progress.String(), "XLA's CPU plug-in works: "+path)

	before := site.requests.Load()
	require.NoError(t, s.run(t.Context()), "nothing left to do")
	require.Equal(t, before, site.requests.Load(), "asked the network for what is there")

	// What loads, but is not what was installed, though it is dated before.
	write(t, s.target, wheelPlugin, append(stored, 0))
	require.NoError(t, os.Chtimes(path, time.Unix(0, 0), time.Unix(0, 0)))
	require.NoError(t, s.run(t.Context()))
	require.Contains(t, progress.String(), path+" has changed since it was installed")
	stored = must(os.ReadFile(path))
	require.Equal(t, library, stored)
}

// TestSetupRefuses: what is not the pinned wheel, has no plug-in or one that does not run, is not
// installed, and the error says why.
func TestSetupRefuses(t *testing.T) {
	library := xlatest.Plugin(t)
	sound, sum := wheelOf(t, library)
	foreign, _ := wheelOf(t, library[1:])
	text, textSum := wheelOf(t, []byte("text"))
	other, otherSum := wheelOf(t, xlatest.Library(t, "Other"))
	for _, c := range []struct {
		wheel     []byte
		sum, want string
		spoil     func(s *setup)
	}{
		{foreign, sum, "it is another version or was damaged", nil},
		{text, textSum, "not a plug-in", nil},
		{other, otherSum, "not a plug-in", nil},
		{[]byte("PK"), sumOf([]byte("PK")), "unpacking " + cpuLibrary, nil},
		{sound, sum, "does not work: libz.so.1 is missing", func(s *setup) {
			s.try = func(xla.Plugin) error { return errors.New("libz.so.1 is missing") }
		}},
		{sound, sum, "the folder for the plug-in cannot be made", func(s *setup) {
			s.target = filepath.Join(write(t, t.TempDir(), "file", nil), "below")
		}},
		{sound, sum, "pure Go backend.*`nkf setup --wheel FILE`.*no such host", func(*setup) {
			nkftest.NoNetwork(t)
		}},
	} {
		newWeb(t, c.wheel)
		s, _ := newTestSetup(t, c.sum)
		if c.spoil != nil {
			c.spoil(s)
		}
		require.Regexp(t, c.want, s.run(t.Context()))
		if c.spoil == nil {
			require.NotContains(t, listing(s.target), wheelPlugin, c.want)
		}
	}
}

func TestSetupAtOnce(t *testing.T) {
	library := xlatest.Plugin(t)
	wheel, sum := wheelOf(t, library)
	newWeb(t, wheel)
	first, _ := newTestSetup(t, sum)
	var running sync.WaitGroup
	var errs [8]error
	for i := range errs {
		s := *first
		s.progress = new(bytes.Buffer)
		running.Go(func() { errs[i] = s.run(t.Context()) })
	}
	running.Wait()
	require.NoError(t, errors.Join(errs[:]...))
	require.Equal(t, []string{wheelPlugin, wheelRecord}, listing(first.target))
	require.NoError(t, xla.Verify(filepath.Join(first.target, wheelPlugin)))

	late, choose := *first, first.choose // looks before the others are done, and waits until they are
	looked := false
	late.choose = func(found []xla.Plugin) (xla.Plugin, bool, error) {
		if !looked {
			looked = true
			return xla.Plugin{}, false, nil
		}
		return choose(found)
	}
	require.NoError(t, late.run(t.Context()))
	require.Equal(t, []string{wheelPlugin, wheelRecord}, listing(first.target))
}

func TestSetupInterrupted(t *testing.T) {
	wheel, sum := wheelOf(t, xlatest.Plugin(t))
	site := newWeb(t, wheel)
	s, _ := newTestSetup(t, sum)
	ctx, cancel := context.WithCancel(t.Context())
	stage := s.stage
	s.stage = func(ctx context.Context, dir string) error {
		defer cancel() // in the middle of it
		return stage(ctx, dir)
	}
	require.ErrorIs(t, s.run(ctx), context.Canceled)
	require.Equal(t, []string{".nkf-wheels"}, listing(s.target))

	before := site.requests.Load()
	require.ErrorIs(t, s.run(ctx), context.Canceled)
	require.Equal(t, before, site.requests.Load(), "nothing was fetched")
}

func TestSetupWithoutXLA(t *testing.T) {
	if xla.Linked {
		t.Skip("XLA is part of this program: CGO_ENABLED=0 makes one without")
	}
	require.ErrorIs(t, Setup(t.Context(), false, "", nil), xla.ErrNotLinked)
	require.ErrorIs(t, Setup(t.Context(), true, "wheels", nil), xla.ErrNotLinked)
}

// TestSetupFromWheel: without a network the wheel comes from a file, which has to be the pinned one.
func TestSetupFromWheel(t *testing.T) {
	wheel, sum := wheelOf(t, xlatest.Plugin(t))
	nkftest.NoNetwork(t)
	s, _ := newTestSetup(t, sum)
	s.from = write(t, t.TempDir(), "x.whl", []byte("another wheel"))
	require.ErrorContains(t, s.run(t.Context()), "not the pinned file")
	s.from += "x"
	require.ErrorIs(t, s.run(t.Context()), os.ErrNotExist)
	s.from = write(t, t.TempDir(), "x.whl", wheel)
	require.NoError(t, s.run(t.Context()))
	require.Equal(t, []string{wheelPlugin, wheelRecord}, listing(s.target))
	require.FileExists(t, s.from, "the file is the user's")
	s, _ = newTestSetup(t, "")
	require.ErrorContains(t, s.run(t.Context()), "there is no xla-cpu-pjrt wheel", "none is pinned")
	t.Setenv("PJRT_PLUGIN_LIBRARY_PATH", "")
	for _, cuda := range []bool{false, true} {
		require.ErrorContains(t, Setup(t.Context(), cuda, s.from, io.Discard), "set HOME")
	}
}

// TestIndexAnswers: an index that is cut short or has no wheel is an error. (TestDownloads has others.)
func TestIndexAnswers(t *testing.T) {
	site := newWeb(t, nil)
	for page, want := range map[string]string{"{}": "the package index has no", "{": "EOF"} {
		site.pages["/pypi/"+cpuWheel.name+"/json"] = []byte(page)
		_, err := cpuWheel.download(t.Context(), t.TempDir(), nil)
		require.ErrorContains(t, err, want)
	}
}

// TestSetupKilled kills installations at random moments: whoever looks finds either no plug-in or
// the whole one with its record, and the next installation takes away what was left.
func TestSetupKilled(t *testing.T) {
	const variable = "NKF_TEST_TARGET"
	library := xlatest.Plugin(t)
	wheel, sum := wheelOf(t, library)
	newWeb(t, wheel)
	s, _ := newTestSetup(t, sum)
	if target := os.Getenv(variable); target != "" {
		write(t, filepath.Dir(target), "ready", nil)
		for s.search, s.target = []string{target}, target; ; {
			require.NoError(t, s.install(t.Context()))
		}
	}
	require.NoError(t, os.MkdirAll(s.downloads(), 0o755))
	ready := filepath.Join(filepath.Dir(s.target), "ready")
	rng := rand.New(rand.NewPCG(5, 6))
	found := 0
	for tries := 0; tries < 12 || found == 0; tries++ {
		child := exec.Command(os.Args[0], "-test.run", "^TestSetupKilled$")
		// What a child leaves behind goes with this test's own.
		child.Env = append(os.Environ(), variable+"="+s.target, "TMPDIR="+t.TempDir())
		require.NoError(t, child.Start())
		require.Eventually(t, func() bool { return os.Remove(ready) == nil }, time.Minute, time.Millisecond)
		// Longer and longer, so that the test ends on any machine.
		time.Sleep(time.Duration(rng.IntN(20+5*tries)) * time.Millisecond)
		require.NoError(t, child.Process.Kill())
		_ = child.Wait()
		stored, err := os.ReadFile(filepath.Join(s.target, wheelPlugin))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		require.NoError(t, err)
		require.Equal(t, library, stored)
		require.NoError(t, xla.Verify(filepath.Join(s.target, wheelPlugin)))
		found++
	}
	long := time.Now().Add(-time.Hour) // folders are left for a minute to who has just made them
	for _, name := range listing(s.target) {
		require.NoError(t, os.Chtimes(filepath.Join(s.target, name), long, long))
	}
	require.NoError(t, s.install(t.Context()))
	require.Equal(t, []string{".nkf-wheels", wheelPlugin, wheelRecord}, listing(s.target))
}
