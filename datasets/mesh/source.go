package mesh

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/datasets/internal/folder"
)

// Set is a list of meshes with their targets. It is a [datasets.Source].
type Set struct {
	datasets.Info
	Files   []string    // [G]: paths, from the archive or folder
	Meshes  []*Mesh     // [G]
	Targets [][]float64 // [G]: the number of the class, or the values of all tasks, NaN where unknown
	Tests   []int32     // numbers of the meshes to test with; nil where no split is given

	Elements Elements  // what is to be learned about
	Labels   [][]int32 // [G]: the number of the class of each element, -1 where unknown; nil for Whole
}

// Reading says how sets of meshes are read.
type Reading struct {
	Learn Elements // what something is to be learned about
	// Negative makes classes of negative labels too, as the published protocol of the RNA surfaces does with
	// the label -1; else they stand for unknown classes, which take no part in losses and scores.
	Negative bool
	Test     string // where the meshes are to test with, which follow the others in the set; "" for none
}

// Open is [Reading.Open] without meshes to test with.
func Open(place string, learn Elements) (*Set, error) { return Reading{Learn: learn}.Open(place) }

// Open reads a set of meshes: a folder or zip archive of them, or a CSV file with a header, whose first
// column has their paths relative to its folder. Meshes of folders are in the order of their paths; files
// without the extension of a mesh are left out.
//
// With Whole, the targets belong to meshes: each class has a folder, or a CSV file has a column of classes or
// columns of numbers. With Vertices or Faces, the labels of a mesh are in a text file beside it, with the
// same name and the extension .seg or, if there is none, .txt. It has an integer for each vertex or triangle,
// in the order of the mesh, separated by white space, as in the Princeton segmentation benchmark (Chen et
// al., 2009) and in the RNA surfaces of Poulenard et al. (2019). Without such a file, a PLY file has them as
// the property "label". Classes are the integers that occur, ascending. With Nothing, there are no targets,
// and place may also be a mesh.
//
// A folder with the folders off and labels and the lists train.txt and test.txt, as the RNA surfaces are
// published, has the meshes of both lists and the split.
func (x Reading) Open(place string) (*Set, error) {
	r, err := x.read(place)
	if err != nil {
		return nil, err
	}
	if x.Test != "" {
		test, err := x.read(x.Test)
		if err == nil {
			err = r.test(test)
		}
		if err != nil {
			return nil, err
		}
	}
	return r.done(), nil
}

// read reads the meshes of a place.
func (x Reading) read(place string) (*reader, error) {
	learn := x.Learn
	r := &reader{Set: &Set{Elements: learn}, place: place, negative: x.Negative}
	info, err := os.Stat(place)
	if err != nil {
		return nil, fmt.Errorf("open a set of meshes: %w: give the path of a folder, a zip archive or a CSV "+
			"file", err)
	}
	absolute, err := filepath.Abs(place)
	if err != nil {
		return nil, err
	}
	parent, base := filepath.Split(absolute)
	switch {
	case info.IsDir():
		if err = r.lists(os.DirFS(place)); errors.Is(err, errNoLists) {
			err = r.folder(os.DirFS(place))
		}
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is neither a folder nor a zip archive nor a CSV file", place)
	case strings.EqualFold(filepath.Ext(place), ".csv"):
		err = r.table()
	case learn == Nothing && isMesh(base):
		r.Files, r.Targets = []string{place}, make([][]float64, 1)
		err = r.add(os.DirFS(parent), base, place, beside(base)...)
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
	r.Name = fileio.Printable(base)
	return r, nil
}

// ReadSet returns the meshes of files. With Whole, their names begin with a folder for every class, as those
// that [Open] reads. With Vertices or Faces they are PLY files with labels, which all are classes, and meshes
// in the folder "test" are to test with.
func ReadSet(name string, learn Elements, files []datasets.File) (s *Set, err error) {
	r := &reader{Set: &Set{Info: datasets.Info{Name: name}, Elements: learn}, negative: true}
	for i, file := range files {
		r.Files = append(r.Files, file.Name)
		r.Add(file.Name, file.SHA256)
		if err := r.decode(file.Bytes, file.Name, int64(len(file.Bytes))); err != nil {
			return nil, err
		}
		if learn.labeled() {
			r.Labels = append(r.Labels, r.Meshes[i].labels(learn))
		}
		if strings.HasPrefix(file.Name, "test/") {
			r.Tests = append(r.Tests, int32(i))
		}
	}
	if r.Targets = make([][]float64, len(files)); learn == Whole {
		r.Classes, r.Targets, err = folder.Classes(r.Files)
	}
	return r.done(), err
}

// reader reads a set.
type reader struct {
	*Set
	folder.Reader
	place    string
	negative bool // labels are classes, too
}

// done returns the set.
func (r *reader) done() *Set {
	r.Set.SHA256 = r.Reader.SHA256()
	r.number(r.negative)
	return r.Set
}

// isMesh reports whether a file is a mesh by its name.
func isMesh(name string) bool {
	extension, _ := format(name)
	return writers[extension] != nil && !strings.HasPrefix(path.Base(name), ".")
}

// folder reads all meshes of a folder or an archive.
func (r *reader) folder(files fs.FS) (err error) {
	if r.Files, err = folder.Names(files, isMesh); err == nil && len(r.Files) == 0 {
		err = errors.New("no meshes: files are named .off, .obj, .stl or .ply, with .gz after it if packed")
	}
	r.Targets = make([][]float64, len(r.Files))
	if err == nil && r.Elements == Whole {
		r.Classes, r.Targets, err = folder.Classes(r.Files)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.place, err)
	}
	for _, name := range r.Files {
		if err := r.add(files, name, name, beside(name)...); err != nil {
			return err
		}
	}
	return nil
}

// add reads a mesh, which errors call as shown, and, if elements have labels, these from one of some files.
func (r *reader) add(files fs.FS, name, shown string, labels ...string) error {
	data, stored, err := r.Read(files, name)
	if err == nil {
		err = r.decode(data, shown, stored)
	}
	if err == nil && r.Elements.labeled() {
		err = r.readLabels(files, shown, labels)
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

// errNoLists is the error of a folder without the lists of a split.
var errNoLists = errors.New("no lists train.txt and test.txt beside a folder off")

// lists reads the meshes of a folder with the folders off and labels that the lists train.txt and test.txt
// name, a file on each line.
func (r *reader) lists(files fs.FS) error {
	if !r.Elements.labeled() {
		return errNoLists
	}
	for _, name := range []string{"off", "train.txt", "test.txt"} {
		if _, err := fs.Stat(files, name); err != nil {
			return errNoLists
		}
	}
	for _, list := range []string{"train.txt", "test.txt"} {
		data, _, err := r.Read(files, list)
		if err != nil {
			return fmt.Errorf("%s: %w", r.place, err)
		}
		for name := range strings.FieldsSeq(string(data)) {
			if !isMesh(name) || path.Base(name) != name {
				return fmt.Errorf("%s: %s: %s is not the name of a mesh", r.place, list, show(name))
			}
			if list == "test.txt" {
				r.Tests = append(r.Tests, int32(len(r.Files)))
			}
			r.Files = append(r.Files, "off/"+name)
			labels := "labels/" + strings.TrimSuffix(name, path.Ext(name)) + ".txt"
			if err := r.add(files, "off/"+name, "off/"+name, labels); err != nil {
				return err
			}
		}
	}
	r.Targets = make([][]float64, len(r.Files))
	return nil
}

// test adds meshes to test with.
func (r *reader) test(s *reader) error {
	if r.Tests != nil || s.Tests != nil {
		return fmt.Errorf("%s and %s: one of them has a split of its own", r.place, s.place)
	}
	if !slices.Equal(r.Tasks, s.Tasks) {
		return fmt.Errorf("%s has the tasks %v, but %s has %v", r.place, r.Tasks, s.place, s.Tasks)
	}
	if s.Regression && !r.Regression {
		return fmt.Errorf("%s has answers 0 and 1 for %v, but %s has numbers", r.place, r.Tasks, s.place)
	}
	for i := range s.Files {
		target := slices.Clone(s.Targets[i])
		if s.Classes != nil {
			class := s.Classes[int(target[0])]
			if target[0] = float64(slices.Index(r.Classes, class)); target[0] < 0 {
				return fmt.Errorf("%s: no mesh of %s is of class %q", s.Files[i], r.place, class)
			}
		}
		r.Tests = append(r.Tests, int32(len(r.Files)))
		r.Files, r.Targets = append(r.Files, s.Files[i]), append(r.Targets, target)
	}
	r.Meshes, r.Labels = append(r.Meshes, s.Meshes...), append(r.Labels, s.Labels...)
	r.Add("test", s.Reader.SHA256())
	return nil
}

// Fold returns, by the name "default", the fold that trains and tests with the meshes that are given for it;
// there is none of a set without [Set.Tests].
func (s *Set) Fold(name string) (datasets.Fold, bool, error) {
	if name != "default" || s.Tests == nil {
		return datasets.Fold{}, false, nil
	}
	fold := datasets.Fold{Test: s.Tests}
	for g := range s.Len() {
		if !slices.Contains(s.Tests, int32(g)) {
			fold.Train = append(fold.Train, int32(g))
		}
	}
	return fold, true, nil
}
