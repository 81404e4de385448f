package fileio

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// Write creates or replaces the file at path with the output of write, and creates its folder if
// necessary. The umask applies to the given mode.
//
// The file appears complete or not at all, also after a crash, on a full disk, or if two programs write it at
// once. No temporary file remains unless the program is killed. An error names the path. Where path is a
// link, this is about what it names. A device or a pipe is written to and not replaced.
func Write(path string, mode os.FileMode, write func(io.Writer) error) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("writing %s: %w", path, err)
		}
	}()
	path = followed(path)
	if there, err := os.Stat(path); err == nil && !there.IsDir() && !there.Mode().IsRegular() {
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(file), file.Close())
	}
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	file, err := createTemp(folder, "."+filepath.Base(path)+".", mode)
	if err != nil {
		return err
	}
	err = errors.Join(write(file), file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

// Folder creates a folder for results, if necessary, and returns an error if no file can be made in it: ask
// before long work, not after it.
func Folder(path string) error {
	err := os.MkdirAll(path, 0o777)
	var file *os.File
	if err == nil {
		file, err = createTemp(path, ".", 0o666)
	}
	if err == nil {
		err = errors.Join(file.Close(), os.Remove(file.Name()))
	}
	if err != nil {
		return fmt.Errorf("the folder for results: %w", err)
	}
	return nil
}

// followed returns what a path names in the end, which need not be there.
func followed(path string) string {
	const most = 40 // Linux's own limit
	for range most {
		folder, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			return path
		}
		to, err := os.Readlink(path)
		if err != nil {
			return path
		}
		if path = to; !filepath.IsAbs(to) {
			path = filepath.Join(folder, to)
		}
	}
	return path
}

// createTemp makes a new file whose name begins with prefix. Unlike that of os.CreateTemp it has the given
// mode, as the umask would have it of any other file.
func createTemp(folder, prefix string, mode os.FileMode) (*os.File, error) {
	for {
		path := filepath.Join(folder, prefix+strconv.FormatUint(rand.Uint64(), 36))
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

// Bytes returns a function for [Write] that writes data.
func Bytes(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}
