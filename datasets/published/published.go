package published

import (
	"bytes"
	"compress/bzip2"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/internal/folder"
)

//go:embed tu moleculenet uea drifters
var packed embed.FS

// Open returns the files of the set of that name, in upper or lower case, in their order: those in the folder
// $NKF_DATA, else the embedded ones.
//
// The error names the set and the first file that cannot be opened. It is an [AlteredError] if a file has
// another checksum than the published one.
func Open(ctx context.Context, name string) ([]datasets.File, error) {
	set, err := lookup(name)
	if err != nil {
		return nil, err
	}
	files := make([]datasets.File, len(set.files))
	for i, f := range set.files {
		err := ctx.Err()
		if err == nil {
			files[i], err = f.open()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", set.Name, err)
		}
	}
	return files, nil
}

// Sets returns all sets.
func Sets() []Set { return slices.Clone(sets) }

// lookup returns the set of that name, in upper or lower case; the error lists the names.
func lookup(name string) (Set, error) {
	names := make([]string, len(sets))
	for i, set := range sets {
		if strings.EqualFold(set.Name, name) {
			return set, nil
		}
		names[i] = set.Name
	}
	return Set{}, fmt.Errorf("no data set is called %q: the names are %s", name, strings.Join(names, ", "))
}

// Embedded reports whether the program contains all files of the set, and the folder $NKF_DATA none of them.
// The tests of this package compare what is embedded with its checksums.
func (s Set) Embedded() bool {
	for _, f := range s.files {
		_, plain := fs.Stat(packed, f.Path)
		_, bzip2 := fs.Stat(packed, f.Path+".bz2")
		if f.own() != "" || plain != nil && bzip2 != nil {
			return false
		}
	}
	return true
}

// own returns the path of the file in the folder $NKF_DATA, "" if it is not there.
func (f file) own() string {
	folder := os.Getenv("NKF_DATA")
	path := filepath.Join(folder, filepath.FromSlash(f.Path))
	_, err := os.Stat(path)
	if folder == "" || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return "" // a file may be in the place of a folder
	}
	return path
}

// open returns the content of the file.
func (f file) open() (file datasets.File, err error) {
	file.Name = f.Name
	if file.Path = f.own(); file.Path != "" {
		file.Bytes, _, err = new(folder.Reader).Read(os.DirFS(os.Getenv("NKF_DATA")), f.Path)
	} else {
		file.Bytes, err = content(f.Path)
	}
	if err != nil {
		return datasets.File{}, fmt.Errorf("%s: %w", f.Path, err)
	}
	sum := sha256.Sum256(file.Bytes)
	if file.SHA256 = hex.EncodeToString(sum[:]); file.SHA256 != f.SHA256 {
		return datasets.File{}, &AlteredError{file.Path, f, file.SHA256}
	}
	return file, nil
}

// content returns the embedded file of that path, unpacked.
func content(path string) ([]byte, error) {
	data, err := packed.ReadFile(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return data, err
	}
	if data, err = packed.ReadFile(path + ".bz2"); err != nil {
		return nil, err
	}
	return io.ReadAll(bzip2.NewReader(bytes.NewReader(data)))
}

// AlteredError is the error of a file that is not the published one.
type AlteredError struct {
	Path string

	file   file
	sha256 string // of the file at Path
}

// Error returns the problem and a remedy.
func (e *AlteredError) Error() string {
	return fmt.Sprintf("%s: %s has the SHA-256 %s, but the published file has %s: remove it to have the "+
		"published one, or open it by its path to use it as it is", e.file.Name, e.Path, e.sha256,
		e.file.SHA256)
}
