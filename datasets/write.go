package datasets

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// WriteFile makes or replaces the file at path, in a folder that is made if need be, with what write writes.
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
	file, err := os.CreateTemp(folder, prefix+"*")
	if err != nil {
		return err
	}
	err = write(file)
	err = errors.Join(err, file.Chmod(mode), file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

// abandoned is how long nobody has written to a temporary file whose program was killed. It is much longer
// than any write stands still, also for a clock that is put right.
const abandoned = 24 * time.Hour

// sweep removes abandoned files from a folder. That it cannot is no reason to write nothing.
func sweep(folder, prefix string) {
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && info.Mode().IsRegular() && strings.HasPrefix(entry.Name(), prefix) &&
			time.Since(info.ModTime()) > abandoned {
			_ = os.Remove(filepath.Join(folder, entry.Name()))
		}
	}
}

// Bytes returns a function for WriteFile that writes data.
func Bytes(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}
