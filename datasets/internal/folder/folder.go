// Package folder reads data sets of many files from a folder or a zip archive that has a folder for each
// class.
package folder

import (
	"archive/zip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/datasets/internal/text"
)

// Reader reads files and remembers what they were.
type Reader struct {
	names, sums []string
}

// Names returns the paths of the files for which is reports true, ascending.
func Names(files fs.FS, is func(name string) bool) (names []string, err error) {
	err = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		// In archives made on Windows \ stands for /, which package zip leaves in the last part of a name.
		if at := strings.LastIndexByte(name, '\\'); at >= 0 {
			real := path.Join(path.Dir(name), name[at+1:])
			if _, missing := fs.Stat(files, real); err == nil && missing == nil {
				name = real
			}
		}
		if err == nil && !entry.IsDir() && is(name) {
			names = append(names, name)
		}
		return err
	})
	slices.Sort(names)
	return names, err
}

// Classes returns the classes of files, ascending, and the number of that of each: of the first folder on its
// path. It is an error if a file is in no folder.
func Classes(names []string) (classes []string, targets [][]float64, err error) {
	of := make([]string, len(names))
	for i, name := range names {
		var inFolder bool
		if of[i], _, inFolder = strings.Cut(name, "/"); !inFolder {
			return nil, nil, fmt.Errorf("%s lies in no folder: each class has one, with its name",
				fileio.Printable(name))
		}
	}
	sorted := slices.Compact(slices.Sorted(slices.Values(of)))
	for _, class := range of {
		number, _ := slices.BinarySearch(sorted, class)
		targets = append(targets, []float64{float64(number)})
	}
	for _, class := range sorted {
		classes = append(classes, fileio.Printable(class))
	}
	return classes, targets, nil
}

// Size returns the bytes of a file, and those that it takes in its folder or archive. It is an error if it is
// a pipe or a device, which would wait for whoever writes to it.
func Size(files fs.FS, name string) (size, stored int64, err error) {
	info, err := fs.Stat(files, name)
	if err != nil {
		return 0, 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, 0, fmt.Errorf("%s is not a file", fileio.Printable(name))
	}
	size, stored = info.Size(), info.Size()
	if header, ok := info.Sys().(*zip.FileHeader); ok {
		size = int64(min(header.UncompressedSize64, math.MaxInt64/16))
		stored = int64(min(header.CompressedSize64, math.MaxInt64/1024))
	}
	return size, stored, nil
}

// Read returns the content of a file, and the bytes that it takes in its folder or archive.
func (r *Reader) Read(files fs.FS, name string) (data []byte, stored int64, err error) {
	size, stored, err := Size(files, name)
	if err != nil {
		return nil, 0, err
	}
	if err := text.Unpacks(stored, size); err != nil {
		return nil, 0, fmt.Errorf("%s: %w", fileio.Printable(name), err)
	}
	data, err = fs.ReadFile(files, name)
	sum := sha256.Sum256(data)
	r.Add(name, sum[:])
	return data, stored, err
}

// Add remembers a file of that checksum, which was read elsewhere.
func (r *Reader) Add(name string, sum []byte) {
	r.names, r.sums = append(r.names, name), append(r.sums, fmt.Sprintf("%x", sum))
}

// SHA256 returns the checksum of the names and contents of all files that were read.
func (r *Reader) SHA256() string {
	hash := sha256.New()
	for i, name := range r.names {
		fmt.Fprintf(hash, "%q %s\n", name, r.sums[i])
	}
	return fmt.Sprintf("%x", hash.Sum(nil))
}
