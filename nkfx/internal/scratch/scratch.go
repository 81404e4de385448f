// Package scratch makes folders for temporary files, which are removed when their process has ended.
package scratch

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// abandoned is how old a folder without a lock is when nobody is about to lock it.
const abandoned = time.Minute

// Make makes a folder for temporary files with a name that begins with prefix, and returns a
// function that removes it. It first removes the folders left by processes that were killed.
//
// The process holds its folder locked: whoever can lock it knows that the process is gone, whatever
// clocks and process numbers say. Where folders cannot be locked, as on some network disks, none is
// swept.
func Make(parent, prefix string) (dir string, remove func(), err error) {
	sweep(parent, prefix)
	if dir, err = os.MkdirTemp(parent, prefix); err != nil {
		return "", nil, err
	}
	lock := lockOf(dir)
	_, _ = lock.TryLock()
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

// lockOf returns the lock of a folder.
func lockOf(dir string) *flock.Flock { return flock.New(dir, flock.SetFlag(os.O_RDONLY)) }

// sweep removes the folders whose processes are gone.
func sweep(parent, prefix string) {
	entries, _ := os.ReadDir(parent)
	for _, entry := range entries {
		// As os.MkdirTemp names them.
		number, ok := strings.CutPrefix(entry.Name(), prefix)
		info, err := entry.Info()
		if !ok || strings.Trim(number, "0123456789") != "" || err != nil || !info.IsDir() ||
			time.Since(info.ModTime()).Abs() < abandoned { // or of a clock that was set back since
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
