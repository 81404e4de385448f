//go:build unix

package fileio_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/fileio"
)

// TestWriteFileObeysTheUmask: a file is as private as any other that the user makes, new or replaced.
func TestWriteFileObeysTheUmask(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for mask, want := range map[int]os.FileMode{0o077: 0o600, 0o022: 0o644, 0o002: 0o664} {
		func() {
			defer syscall.Umask(syscall.Umask(mask))
			require.NoError(t, fileio.Write(path, 0o666, fileio.Bytes(nil)))
		}()
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, want, info.Mode(), "umask %03o", mask)
	}
}
