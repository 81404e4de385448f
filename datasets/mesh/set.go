package mesh

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
)

// Set is a list of meshes, and what is to be learned of each. It is a [datasets.Source].
type Set struct {
	datasets.Info
	Files   []string    // [G]: paths, from the archive or folder
	Meshes  []*Mesh     // [G]
	Targets [][]float64 // [G]: the number of the class, or the values of all tasks, NaN where unknown

	Elements Elements  // what is to be learned about
	Labels   [][]int32 // [G]: the number of the class of each element, -1 where unknown; nil for Whole
}

// Open reads a set of meshes: a folder or zip archive of them, or a CSV file with a header, whose first column
// has their paths, from its own folder. Meshes of folders are in the order of their paths; files without the
// extension of a mesh are left out.
//
// To learn about the Whole of meshes, each class has a folder; a CSV file has a column of classes, or columns
// of numbers. To learn about Vertices or Faces, beside each mesh lies a text file of its name with .seg or
// .txt in the place of the extension, .seg if both are there. It has an integer for each vertex or triangle,
// in the order of the mesh, separated by white space, as in the Princeton segmentation benchmark (Chen et al.,
// 2009) and in the RNA surfaces of Poulenard et al. (2019). Classes are the integers that occur, ascending; a
// negative one stands for an unknown class. To learn Nothing, place may be a mesh, too.
func Open(place string, learn Elements) (*Set, error) {
	r := &reader{Set: &Set{Elements: learn}, place: place}
	info, err := os.Stat(place)
	if err != nil {
		return nil, fmt.Errorf("open a set of meshes: %w: give the path of a folder, a zip archive or a CSV "+
			"file", err)
	}
	absolute, err := filepath.Abs(place)
	if err != nil {
		return nil, err
	}
	folder, base := filepath.Split(absolute)
	switch {
	case info.IsDir():
		err = r.folder(os.DirFS(place))
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is neither a folder nor a zip archive nor a CSV file", place)
	case strings.EqualFold(filepath.Ext(place), ".csv"):
		err = r.table()
	case learn == Nothing && isMesh(base):
		r.Files, r.Targets = []string{place}, make([][]float64, 1)
		err = r.add(os.DirFS(folder), base, place)
	default:
		archive, failed := zip.OpenReader(place)
		if failed != nil {
			return nil, fmt.Errorf("%s: %w: a set of meshes is a folder, a zip archive or a CSV file", place,
				failed)
		}
		defer archive.Close()
		err = r.folder(archive)
	}
	if err != nil {
		return nil, err
	}
	for _, extension := range []string{".zip", ".csv"} {
		if strings.EqualFold(filepath.Ext(base), extension) {
			base = base[:len(base)-len(extension)]
		}
	}
	r.Name = datasets.Printable(base)
	return r.done(), nil
}

// ReadSet returns the meshes of files whose names begin with a folder for every class, as [Open] returns
// those of a folder.
func ReadSet(name string, files []datasets.File) (*Set, error) {
	r := &reader{Set: &Set{}}
	for _, file := range files {
		r.Files, r.sums = append(r.Files, file.Name), append(r.sums, file.SHA256)
		if err := r.decode(file.Bytes, file.Name, int64(len(file.Bytes))); err != nil {
			return nil, err
		}
	}
	r.Name, r.names = name, r.Files
	return r.done(), r.classify()
}

// reader reads a set.
type reader struct {
	*Set
	place       string
	names, sums []string // of the files that were read
}

// done returns the set.
func (r *reader) done() *Set {
	r.SHA256 = datasets.Fingerprint(r.names, r.sums)
	r.number()
	return r.Set
}

// isMesh reports whether a file is a mesh by its name.
func isMesh(name string) bool {
	extension, _ := format(name)
	return writers[extension] != nil && !strings.HasPrefix(path.Base(name), ".")
}

// folder reads all meshes of a folder or an archive.
func (r *reader) folder(files fs.FS) error {
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && isMesh(name) {
			r.Files = append(r.Files, name)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", r.place, err)
	}
	if len(r.Files) == 0 {
		return fmt.Errorf("%s holds no meshes: files are named .off, .obj, .stl or .ply, with .gz after it if "+
			"they are packed", r.place)
	}
	slices.Sort(r.Files)
	if r.Targets = make([][]float64, len(r.Files)); r.Elements == Whole {
		if err := r.classify(); err != nil {
			return fmt.Errorf("%s: %w", r.place, err)
		}
	}
	for _, name := range r.Files {
		if err := r.add(files, name, name); err != nil {
			return err
		}
	}
	return nil
}

// classify makes classes of the folders, ascending.
func (s *Set) classify() error {
	var of []string
	for _, name := range s.Files {
		class, _, inFolder := strings.Cut(name, "/")
		if !inFolder {
			return fmt.Errorf("%s lies in no folder: each class of meshes has one, with its name",
				datasets.Printable(name))
		}
		of = append(of, class)
	}
	classes := slices.Compact(slices.Sorted(slices.Values(of)))
	s.Targets = nil
	for _, class := range of {
		number, _ := slices.BinarySearch(classes, class)
		s.Targets = append(s.Targets, []float64{float64(number)})
	}
	for _, class := range classes {
		s.Classes = append(s.Classes, datasets.Printable(class))
	}
	return nil
}

// add reads a mesh, which errors call as shown, with the labels in the file beside it if elements have some.
func (r *reader) add(files fs.FS, name, shown string) error {
	data, stored, err := r.file(files, name)
	if err == nil {
		err = r.decode(data, shown, stored)
	}
	if err == nil && r.Elements.labeled() {
		err = r.readLabels(files, name)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.place, err)
	}
	return nil
}

func (r *reader) decode(data []byte, name string, stored int64) error {
	m, err := decode(bytes.NewReader(data), name, int64(len(data)), stored)
	r.Meshes = append(r.Meshes, m)
	return err
}

// maxExpansion bounds the bytes of a member of an archive, as a multiple of those that it takes there.
const maxExpansion = 100

// file returns the content of a file, and the bytes that it takes in its folder or archive.
func (r *reader) file(files fs.FS, name string) (data []byte, stored int64, err error) {
	info, err := fs.Stat(files, name)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() { // a pipe would wait for whoever writes to it
		return nil, 0, fmt.Errorf("%s is not a file", datasets.Printable(name))
	}
	stored = info.Size()
	if header, ok := info.Sys().(*zip.FileHeader); ok {
		stored = int64(min(header.CompressedSize64, math.MaxInt64/(2*maxExpansion)))
	}
	if info.Size() < 0 || info.Size() > maxExpansion*stored+slack {
		return nil, 0, fmt.Errorf("%s: it unpacks to more than %d times its size, which no data do",
			datasets.Printable(name), maxExpansion)
	}
	data, err = fs.ReadFile(files, name)
	r.names, r.sums = append(r.names, name), append(r.sums, fmt.Sprintf("%x", sha256.Sum256(data)))
	return data, stored, err
}
