package layers_test

import (
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// mapped returns the memory that a file is mapped to, until the test ends.
func mapped(t *testing.T, path string) []byte {
	t.Helper()
	file := must(os.Open(path))
	defer file.Close()
	info := must(file.Stat())
	data := must(syscall.Mmap(int(file.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED))
	t.Cleanup(func() { require.NoError(t, syscall.Munmap(data)) })
	return data
}
