package nkfx

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/gofrs/flock"
)

// scratch makes a folder for temporary files, whose name begins with prefix, and returns what removes it. It
// first removes those that killed processes have left.
//
// The process holds the folder locked: whoever can lock it knows that the process is gone, whatever clocks
// and process numbers say. Where folders cannot be locked, as on some network disks, nobody removes
// another's.
func scratch(parent, prefix string) (dir string, remove func(), err error) {
	sweepScratch(parent, prefix)
	for range 10 {
		if dir, err = os.MkdirTemp(parent, prefix); err != nil {
			return "", nil, err
		}
		lock := lockOf(dir)
		held, err := lock.TryLock()
		unlockable := err != nil && !errors.Is(err, fs.ErrNotExist)
		if unlockable || held && isThere(lock) {
			return dir, func() {
				// What stays behind, the next one removes.
				_ = os.RemoveAll(dir)
				_ = lock.Unlock()
			}, nil
		}
		// Another process took the folder for one that was left.
		_ = lock.Unlock()
	}
	return "", nil, fmt.Errorf("folders for temporary files in %s vanish as soon as they are made", parent)
}

// lockOf returns the lock of a folder.
func lockOf(dir string) *flock.Flock { return flock.New(dir, flock.SetFlag(os.O_RDONLY)) }

// isThere returns whether the folder that is locked still has its name.
func isThere(lock *flock.Flock) bool {
	locked, err := lock.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(lock.Path())
	return err == nil && os.SameFile(locked, named)
}

// sweepScratch removes the scratch folders whose processes are gone.
func sweepScratch(parent, prefix string) {
	ours := regexp.MustCompile(`^` + regexp.QuoteMeta(prefix) + `\d+$`) // as os.MkdirTemp makes them
	entries, _ := os.ReadDir(parent)
	for _, entry := range entries {
		if !entry.IsDir() || !ours.MatchString(entry.Name()) {
			continue
		}
		dir := filepath.Join(parent, entry.Name())
		lock := lockOf(dir)
		if held, err := lock.TryLock(); err == nil && held {
			_ = os.RemoveAll(dir)
		}
		_ = lock.Unlock()
	}
}
