package datasets

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// WriteFile makes or replaces the file at path, in a folder that is made if need be, with what write writes.
// The file has the given mode, less what the umask takes away.
//
// The file appears whole or not at all, also after a crash, on a full disk, or when two programs write it at
// once. Nothing is left beside it; what a program left that was killed goes with a later call for the same
// path. An error names the path.
func WriteFile(path string, mode os.FileMode, write func(io.Writer) error) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("writing %s: %w", path, err)
		}
	}()
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	prefix := "." + filepath.Base(path) + "."
	sweep(folder, prefix)
	file, err := createTemp(folder, prefix, mode)
	if err != nil {
		return err
	}
	lock := lockOf(file.Name())
	if runtime.GOOS != "windows" { // where nobody, not even the program that holds a lock, could write
		_, _ = lock.TryLock() // not on every disk
	}
	err = write(file)
	err = errors.Join(err, file.Sync(), file.Close(), lock.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

// createTemp makes a new file whose name begins with prefix. Unlike that of os.CreateTemp it has the given
// mode, as the umask would have it of any other file.
func createTemp(folder, prefix string, mode os.FileMode) (*os.File, error) {
	for {
		path := filepath.Join(folder, prefix+strconv.FormatUint(rand.Uint64(), 36))
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

// lockOf returns the lock of a temporary file. Whoever gets it knows that the program that wrote the file is
// gone, whatever clocks say.
func lockOf(path string) *flock.Flock { return flock.New(path, flock.SetFlag(os.O_RDONLY)) }

// abandoned is how old a file without a lock is when nobody is about to lock it.
const abandoned = time.Minute

// sweep removes abandoned files from a folder. That it cannot is no reason to write nothing.
func sweep(folder, prefix string) {
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() || !strings.HasPrefix(entry.Name(), prefix) ||
			time.Since(info.ModTime()) < abandoned {
			continue
		}
		path := filepath.Join(folder, entry.Name())
		lock := lockOf(path)
		if held, err := lock.TryLock(); err == nil && held {
			_ = os.Remove(path)
		}
		_ = lock.Close()
	}
}

// Bytes returns a function for WriteFile that writes data.
func Bytes(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}
