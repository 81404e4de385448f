package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// PublishedFile is a published file: its place in a folder of data sets and its checksum.
type PublishedFile struct {
	Name   string // e.g. "BZR.zip"
	Path   string // below a folder of data sets, with slashes, e.g. "tu/BZR.zip"
	Hint   string // how to get the file where the program does not hold it, as a clause
	SHA256 string // of the file's bytes, in hexadecimal
}

// Finder finds published files: in folders and in the program, in this order.
type Finder struct {
	Folders []string // of the user's, with files at PublishedFile.Path
	// Embedded returns the content of the file at PublishedFile.Path that the program itself holds, or an
	// error that wraps fs.ErrNotExist; nil: it holds none.
	Embedded func(path string) ([]byte, error)
}

// File is the content of a published file.
type File struct {
	Name   string // that of the source
	Path   string // where it was found; "" if the program holds it
	SHA256 string // of Bytes, in hexadecimal
	Bytes  []byte
}

// Open returns the content of a published file.
//
// A file with another checksum is an [AlteredError]. Where there is none, the error, which wraps
// fs.ErrNotExist, says in one sentence how to provide the file.
func (f *Finder) Open(source PublishedFile) (File, error) {
	if !filepath.IsLocal(filepath.FromSlash(source.Path)) {
		return File{}, fmt.Errorf("%s: the path %q does not stay below a folder of data sets",
			source.Name, source.Path)
	}
	for _, folder := range f.Folders {
		place := filepath.Join(folder, filepath.FromSlash(source.Path))
		if data, err := readFile(place); !absent(err) {
			return check(source, place, data, err)
		}
	}
	if f.Embedded != nil {
		if data, err := f.Embedded(source.Path); !absent(err) {
			return check(source, "", data, err)
		}
	}
	if source.Hint != "" {
		return File{}, missingFile(fmt.Sprintf("%s is not here: %s", source.Name, source.Hint))
	}
	return File{}, missingFile(fmt.Sprintf("%s is in none of the folders [%s]: put it into a folder that "+
		"$NKF_DATA names, as %s", source.Name, strings.Join(f.Folders, ", "), source.Path))
}

// absent reports whether an error says that there is no file. The place of a folder may be one.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// check returns the file with that content, or an error if it cannot be read or is not the source's.
func check(source PublishedFile, place string, data []byte, err error) (File, error) {
	if err != nil {
		return File{}, fmt.Errorf("%s: %w", source.Name, err)
	}
	sum := sha256.Sum256(data)
	file := File{Name: source.Name, Path: place, SHA256: hex.EncodeToString(sum[:]), Bytes: data}
	if file.SHA256 != source.SHA256 {
		return File{}, &AlteredError{source, place, file.SHA256}
	}
	return file, nil
}

// AlteredError is the error of a file that is not the published one.
type AlteredError struct {
	File   PublishedFile
	Path   string
	SHA256 string // of the file
}

// Error says what is wrong, and what to do.
func (e *AlteredError) Error() string {
	return fmt.Sprintf("%s: %s has the SHA-256 %s, but the published file has %s: remove it to have the "+
		"published one, or open it by its path to use it as it is", e.File.Name, e.Path, e.SHA256,
		e.File.SHA256)
}

// missingFile is the error of a file that is nowhere.
type missingFile string

// Error says how to provide the file.
func (m missingFile) Error() string { return string(m) }

// Is reports whether the target is fs.ErrNotExist.
func (m missingFile) Is(target error) bool { return target == fs.ErrNotExist }

// FileSHA256 returns the SHA-256 of the file's bytes in hexadecimal. A pipe or a device, which may have no
// end, is an error.
func FileSHA256(path string) (string, error) {
	file, err := openFile(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// readFile returns the content of a file.
func readFile(path string) ([]byte, error) {
	file, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// openFile opens a file. Opening a pipe would wait for its other end.
func openFile(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read %s: it is not a file", path)
	}
	return os.Open(path)
}

// Fingerprint returns the SHA-256 of the names and checksums of files, in hexadecimal. It identifies a data
// set of several files.
func Fingerprint(names, sums []string) string {
	hash := sha256.New()
	for i, name := range names {
		fmt.Fprintf(hash, "%q %s\n", name, sums[i])
	}
	return hex.EncodeToString(hash.Sum(nil))
}
