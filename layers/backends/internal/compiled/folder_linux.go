package compiled

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/neuralkforms/nkf/datasets"
)

// Limit is the size in bytes of a folder of programs. The least recently used programs go first.
const Limit = 256 << 20

// folder is where programs are kept.
type folder struct {
	path     string
	identity string // of plug-in, processor and environment
	limit    int64
}

// extension of the files with programs.
const extension = ".xla"

// magic begins every file; the seal follows, and then the program.
const magic = "nkf-xla2"

// key identifies a program.
type key [sha256.Size]byte

// key returns the key of a program with these determinants.
func (f *folder) key(parts ...[]byte) (k key) {
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

// seal returns the SHA-256 of a key and its program.
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
	why := ""
	switch {
	case !info.IsDir():
		why = "is not a folder"
	case !own(info):
		why = "belongs to another user"
	case !private(info):
		why = "can be written to by others"
	default:
		return nil
	}
	return fmt.Errorf("the folder %s is not used because it %s: remove it, "+
		"or set NKF_PROGRAMS to a folder of your own with mode 700", path, why)
}

// own reports whether a file belongs to the user of this process.
func own(info fs.FileInfo) bool { return info.Sys().(*syscall.Stat_t).Uid == uint32(os.Geteuid()) }

// private reports whether only its owner may write to a file.
func private(info fs.FileInfo) bool { return info.Mode().Perm()&0o022 == 0 }

// read returns the program with a key, and nil if there is none to be trusted. The file counts as used.
func (f *folder) read(k key) []byte {
	if trust(f.path) != nil {
		return nil
	}
	// Neither a link is followed nor the writer of a pipe waited for.
	file, err := os.OpenFile(f.file(k), os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || !own(info) || !private(info) || info.Size() > f.limit {
		return nil
	}
	data, err := io.ReadAll(file)
	const head = len(magic) + sha256.Size
	if err != nil || len(data) < head || string(data[:len(magic)]) != magic {
		return nil
	}
	if sum := seal(k, data[head:]); !bytes.Equal(sum[:], data[len(magic):head]) {
		return nil
	}
	now := time.Now()
	_ = os.Chtimes(file.Name(), now, now)
	return data[head:]
}

// write keeps a program in the place of any other under its key, and makes room for it.
func (f *folder) write(k key, program []byte) error {
	if err := os.MkdirAll(f.path, 0o700); err != nil {
		return err
	}
	if err := trust(f.path); err != nil {
		return err
	}
	sum := seal(k, program)
	data := slices.Concat([]byte(magic), sum[:], program)
	if err := datasets.WriteFile(f.file(k), 0o600, datasets.Bytes(data)); err != nil {
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
		info, err := entry.Info()
		if err == nil && filepath.Ext(entry.Name()) == extension && info.Mode().IsRegular() {
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
