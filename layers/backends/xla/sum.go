package xla

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/neuralkforms/nkf/datasets/fileio"
)

// SumFile returns the name of the file in which `nkf setup` notes the SHA-256 of the plug-in at path.
func SumFile(path string) string { return path + ".sha256" }

// ErrNoSum is the error of a plug-in that was not installed by `nkf setup`.
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
	got, err := fileio.SHA256(path)
	if err != nil {
		return err
	}
	if got != want {
		return fmt.Errorf("the XLA plug-in %s has changed since it was installed (SHA-256 %s, not %s): "+
			"run `%s`", path, got, want, SetupCommand(path))
	}
	return nil
}

// Unchanged does what [Verify] does, but reads the plug-in only if it was changed after its record, since
// hashing 260 MB takes a good part of a second. Its date alone does not hide a change on Linux, where the
// system notes the time of each. The record then gets the date of today. This does not protect against an
// attacker who can write to the folder; where the record was copied with the plug-in, `nkf doctor` verifies
// it.
func Unchanged(path string) error {
	if _, err := recorded(path); err != nil {
		return err
	}
	record, err := os.Stat(SumFile(path))
	if err != nil {
		return err
	}
	plugin, err := os.Stat(path)
	if err != nil || plugin.ModTime().Before(record.ModTime()) && changed(plugin).Before(changed(record)) {
		return err
	}
	if err := Verify(path); err != nil {
		return err
	}
	now := time.Now()
	_ = os.Chtimes(SumFile(path), now, now) // where it cannot be set, the plug-in is read every time
	return nil
}
