package fileio

import (
	"io"
	"io/fs"
	"os"
	"sync/atomic"
)

// read counts the bytes that were read of files.
var read atomic.Int64

// BytesRead returns how many bytes the process has read from files of [Open] and [DirFS], as data sets are: a
// program that knows their size can tell how far reading them is.
func BytesRead() int64 { return read.Load() }

// File is a file whose bytes count as they are read.
type File struct{ *os.File }

// Open opens a file for reading.
func Open(path string) (File, error) {
	file, err := os.Open(path)
	return File{file}, err
}

// Read reads and counts.
func (f File) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	read.Add(int64(n))
	return n, err
}

// ReadAt reads and counts.
func (f File) ReadAt(p []byte, at int64) (int, error) {
	n, err := f.File.ReadAt(p, at)
	read.Add(int64(n))
	return n, err
}

// WriteTo copies what is left, and counts: os.File's own would not.
func (f File) WriteTo(w io.Writer) (int64, error) { return io.Copy(w, struct{ io.Reader }{f}) }

// DirFS returns os.DirFS of files like those of [Open].
func DirFS(dir string) fs.FS { return folder{os.DirFS(dir)} }

type folder struct{ fs.FS }

// Open opens a file or a folder.
func (f folder) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	if of, ok := file.(*os.File); ok && err == nil {
		return File{of}, nil
	}
	return file, err
}

// Stat describes a file without opening it, which of a pipe would wait.
func (f folder) Stat(name string) (fs.FileInfo, error) { return fs.Stat(f.FS, name) }
