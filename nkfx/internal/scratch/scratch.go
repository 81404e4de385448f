// Package scratch makes folders for temporary files that outlive no process.
package scratch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/gofrs/flock"
)

// Make makes a folder for temporary files with a name that begins with prefix, and returns a
// function that removes it. It first removes the folders left by processes that were killed.
//
// The process holds its folder locked: whoever can lock it knows that the process is gone, whatever
// clocks and process numbers say. Where folders cannot be locked, as on some network disks, none is
// swept.
func Make(parent, prefix string) (dir string, remove func(), err error) {
	sweep(parent, prefix)
	for range 10 {
		if dir, err = os.MkdirTemp(parent, prefix); err != nil {
			return "", nil, err
		}
		lock := lockOf(dir)
		held, err := lock.TryLock()
		unlockable := err != nil && !errors.Is(err, fs.ErrNotExist)
		if unlockable || held && isThere(lock) {
			return dir, func() {
				// Programs that were told to end may still write; the next sweep takes what stays behind.
				for range 20 {
					if os.RemoveAll(dir) == nil {
						break
					}
					time.Sleep(50 * time.Millisecond)
				}
				_ = lock.Unlock()
			}, nil
		}
		_ = lock.Unlock() // another process swept the folder before it was locked
	}
	return "", nil, fmt.Errorf("folders for temporary files in %s vanish as soon as they are made", parent)
}

// lockOf returns the lock of a folder.
func lockOf(dir string) *flock.Flock { return flock.New(dir, flock.SetFlag(os.O_RDONLY)) }

// isThere reports whether the locked folder still has its name.
func isThere(lock *flock.Flock) bool {
	locked, err := lock.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(lock.Path())
	return err == nil && os.SameFile(locked, named)
}

// sweep removes the folders whose processes are gone.
func sweep(parent, prefix string) {
	ours := regexp.MustCompile(`^` + regexp.QuoteMeta(prefix) + `\d+$`) // as os.MkdirTemp names them
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
