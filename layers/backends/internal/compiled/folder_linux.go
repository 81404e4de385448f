package compiled

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/neuralkforms/nkf/datasets/fileio"
)

// Limit is the size in bytes of a folder of programs. The least recently used programs go first.
const Limit = 256 << 20

// extension of the files with programs.
const extension = ".xla"

// folder is where programs are kept.
type folder struct {
	path     string
	identity string // of plug-in, processor and environment
	limit    int64
}

// key identifies a program.
type key [sha256.Size]byte

// key returns the key of a program with these determinants.
func (f *folder) key(parts ...[]byte) key {
	h := sha256.New()
	for _, part := range append(parts, []byte(f.identity)) {
		// Lengths keep "ab", "c" apart from "a", "bc". Hashes cannot fail.
		_ = binary.Write(h, binary.LittleEndian, int64(len(part)))
		_, _ = h.Write(part)
	}
	return key(h.Sum(nil))
}

// file returns the path of the program with a key.
func (f *folder) file(k key) string { return filepath.Join(f.path, fmt.Sprintf("%x%s", k, extension)) }

// seal returns the SHA-256 of a key and its program, with which a file begins.
func seal(k key, program []byte) [sha256.Size]byte {
	return sha256.Sum256(slices.Concat(k[:], program))
}

// trust returns an error of one sentence if the programs in a folder must not be executed: it is no folder,
// or somebody else owns it or may write to it. A folder that does not exist is made for this user alone when
// the first program is kept.
func trust(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	own := info.Sys().(*syscall.Stat_t).Uid == uint32(os.Geteuid())
	if own && info.IsDir() && info.Mode().Perm()&0o022 == 0 {
		return nil
	}
	return fmt.Errorf("the folder %s is not used because it is not a folder, or others own it or may "+
		"write to it: remove it, or set NKF_PROGRAMS to a folder of your own with mode 700", path)
}

// read returns the program with a key, and nil if there is none to be trusted. The file counts as used.
func (f *folder) read(k key) []byte {
	if trust(f.path) != nil {
		return nil
	}
	data, err := os.ReadFile(f.file(k))
	if err != nil || len(data) < sha256.Size || seal(k, data[sha256.Size:]) != key(data[:sha256.Size]) {
		return nil
	}
	now := time.Now()
	_ = os.Chtimes(f.file(k), now, now)
	return data[sha256.Size:]
}

// write keeps a program in the place of any other under its key, and makes room for it.
func (f *folder) write(k key, program []byte) error {
	if err := errors.Join(os.MkdirAll(f.path, 0o700), trust(f.path)); err != nil {
		return err
	}
	sum := seal(k, program)
	data := fileio.Bytes(slices.Concat(sum[:], program))
	if err := fileio.Write(f.file(k), 0o600, data); err != nil {
		return err
	}
	return f.trim()
}

// trim removes the programs used least recently until the rest is within three quarters of the limit, if it
// is past the limit.
func (f *folder) trim() error {
	entries, err := os.ReadDir(f.path)
	if err != nil {
		return err
	}
	var programs []fs.FileInfo
	total := int64(0)
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && filepath.Ext(info.Name()) == extension {
			programs = append(programs, info)
			total += info.Size()
		}
	}
	if total <= f.limit {
		return nil
	}
	slices.SortFunc(programs, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	var errs error
	for _, program := range programs {
		if total <= f.limit*3/4 {
			break
		}
		errs = errors.Join(errs, os.Remove(filepath.Join(f.path, program.Name())))
		total -= program.Size()
	}
	return errs
}
