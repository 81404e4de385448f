package xla

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
)

// SumFile returns the name of the file in which `nkf setup` notes the SHA-256 of the plug-in at path.
func SumFile(path string) string { return path + ".sha256" }

// ErrNoSum says that a plug-in was not installed by `nkf setup`.
var ErrNoSum = errors.New("no SHA-256 on record")

// recorded returns the SHA-256 of the plug-in at path that `nkf setup` stored, or ErrNoSum.
func recorded(path string) (string, error) {
	record, err := os.ReadFile(SumFile(path))
	if errors.Is(err, fs.ErrNotExist) {
		return "", ErrNoSum
	}
	sum, _, _ := strings.Cut(strings.TrimSpace(string(record)), " ")
	return sum, err
}

// Verify reads the plug-in at path and returns nil if it is, byte for byte, the one that `nkf setup`
// stored, and [ErrNoSum] if that did not store it.
func Verify(path string) error {
	want, err := recorded(path)
	if err != nil {
		return err
	}
	got, err := datasets.FileSHA256(path)
	if err != nil {
		return err
	}
	if got != want {
		return fmt.Errorf("the XLA plug-in %s has changed since it was installed (SHA-256 %s, not %s): "+
			"run `%s`", path, got, want, SetupCommand(path))
	}
	return nil
}

// seenFile returns the name of the file that says which plug-in at path was read last.
func seenFile(path string) string { return path + ".verified" }

// Unchanged does what [Verify] does, but reads the plug-in only if it may be another than the one that was
// read last: that takes microseconds, where hashing 260 MB takes a good part of a second.
//
// A file is the same while its device, its number there, its size, its modification and its status change
// are. Whatever writes to it, renames it or sets its dates changes the last. That keeps no enemy out who
// can write to the folder: he can as well write another record. Where the folder cannot be written to, or
// the system does not tell, the plug-in is read every time.
func Unchanged(path string) error {
	sum, err := recorded(path)
	if err != nil {
		return err
	}
	is := identity(path)
	if is.text == "" {
		return Verify(path)
	}
	line := sum + " " + is.text + "\n"
	if seen, err := os.ReadFile(seenFile(path)); err == nil && string(seen) == line {
		return nil
	}
	note, err := os.Create(seenFile(path))
	if err != nil {
		return Verify(path)
	}
	defer note.Close()
	begun := identity(seenFile(path)).modified
	if err := Verify(path); err != nil {
		return err
	}
	// Dates count in ticks of some milliseconds. Only what is written after the tick of the last change is
	// known by its date; right after an installation the next program reads the plug-in once more.
	if begun > is.changed && identity(path) == is {
		_, _ = note.WriteString(line)
	}
	return nil
}

// fileIdentity tells a file from others and from what it was before. Its times are in nanoseconds.
type fileIdentity struct {
	text              string // all of it, "" where the system does not tell
	modified, changed int64
}
