package nkfx

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// scratchLock is the file in a scratch folder that its process holds locked: whoever can lock it knows that
// the process is gone, whatever clocks and process numbers say.
const scratchLock = ".lock"

// scratch makes a folder for temporary files, whose name begins with prefix, and returns what removes it. It
// first removes those that killed processes have left.
func scratch(parent, prefix string) (dir string, remove func(), err error) {
	sweepScratch(parent, prefix)
	for range 10 {
		if dir, err = os.MkdirTemp(parent, prefix); err != nil {
			return "", nil, err
		}
		lock := flock.New(filepath.Join(dir, scratchLock))
		held, err := lock.TryLock()
		if err == nil && held && lockedFileIsThere(lock) {
			return dir, func() {
				// What stays behind, the next one removes.
				_ = os.RemoveAll(dir)
				_ = lock.Unlock()
			}, nil
		}
		// Another process took the folder for one that was left.
		_ = lock.Unlock()
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", nil, errors.Join(err, os.RemoveAll(dir))
		}
	}
	return "", nil, fmt.Errorf("folders for temporary files in %s vanish as soon as they are made", parent)
}

// lockedFileIsThere returns whether the file that is locked still has its name.
func lockedFileIsThere(lock *flock.Flock) bool {
	locked, err := lock.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(lock.Path())
	return err == nil && os.SameFile(locked, named)
}

// sweepScratch removes the scratch folders whose processes are gone.
func sweepScratch(parent, prefix string) {
	entries, _ := os.ReadDir(parent)
	for _, entry := range entries {
		if !entry.IsDir() || !strings.HasPrefix(entry.Name(), prefix) {
			continue
		}
		dir := filepath.Join(parent, entry.Name())
		info, err := os.Lstat(filepath.Join(dir, scratchLock))
		if err != nil || !info.Mode().IsRegular() {
			continue // just being made, or not ours
		}
		lock := flock.New(filepath.Join(dir, scratchLock))
		if held, err := lock.TryLock(); err == nil && held {
			_ = os.RemoveAll(dir)
		}
		_ = lock.Unlock()
	}
}
