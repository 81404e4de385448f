package mesh

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
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

// Set is a list of meshes, and what is to be learned of each.
type Set struct {
	datasets.Info
	Files   []string    // [G]: paths, from the archive or folder
	Meshes  []*Mesh     // [G]
	Targets [][]float64 // [G]: the number of the class, or the values of all tasks, NaN where unknown

	Elements Elements  // what has classes
	Labels   [][]int32 // [G]: the number of the class of each, -1 where unknown; nil of whole meshes
}

// Files reads meshes of which nothing is known that is to be learned: one file, all of a folder or zip
// archive, or those that the first column of a CSV file with a header names. Targets are empty.
func Files(place string) (*Set, error) {
	if info, err := os.Stat(place); err == nil && info.Mode().IsRegular() && isMesh(filepath.Base(place)) {
		m, err := Read(place)
		if err != nil {
			return nil, err
		}
		return &Set{Files: []string{place}, Meshes: []*Mesh{m}, Targets: make([][]float64, 1)}, nil
	}
	return open(place, sought{})
}

// Open reads a set of meshes: a folder or zip archive with a folder for every class, or a CSV file with a
// header, whose first column has the paths of meshes, from its own folder, and whose others have what is to
// be learned: one column of classes, or numbers. Meshes of folders are in the order of their paths; what is
// no mesh by its name is left out.
func Open(place string) (*Set, error) { return open(place, sought{targets: true}) }

// sought is what is to be learned: of meshes as a whole, or of their elements; or nothing.
type sought struct {
	targets bool
	labels  Elements // Whole: none
}

// open reads a set of meshes with what is sought.
func open(place string, what sought) (*Set, error) {
	info, err := os.Stat(place)
	if err != nil {
		return nil, fmt.Errorf("open a set of meshes: %w: give the path of a folder, a zip archive or a CSV "+
			"file", err)
	}
	switch {
	case info.IsDir():
		return openFS(place, os.DirFS(place), fingerprint, what)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is neither a folder nor a zip archive nor a CSV file", place)
	case strings.EqualFold(filepath.Ext(place), ".csv"):
		return openTable(place, what)
	}
	archive, err := zip.OpenReader(place)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: a set of meshes is a folder, a zip archive or a CSV file", place, err)
	}
	defer archive.Close()
	sum := func(fs.FS, []string) (string, error) { return datasets.FileSHA256(place) }
	return openFS(place, archive, sum, what)
}

// ReadSet returns the meshes of files whose names begin with a folder for every class, as [Open] returns
// those of a folder.
func ReadSet(name string, files []datasets.File) (*Set, error) {
	s := &Set{}
	s.Name = name
	var classes, sums []string
	for _, file := range files {
		size := int64(len(file.Bytes))
		m, err := decode(bytes.NewReader(file.Bytes), file.Name, size, size)
		if err != nil {
			return nil, err
		}
		class, _, _ := strings.Cut(file.Name, "/")
		s.Files, s.Meshes = append(s.Files, file.Name), append(s.Meshes, m)
		classes, sums = append(classes, class), append(sums, file.SHA256)
	}
	s.classify(classes)
	s.SHA256 = datasets.Fingerprint(s.Files, sums)
	return s, nil
}

// isMesh reports whether a file is a mesh by its name.
func isMesh(name string) bool {
	_, ok := writers[path.Ext(strings.TrimSuffix(strings.ToLower(name), ".gz"))]
	return ok && !strings.HasPrefix(path.Base(name), ".")
}

// openFS reads a folder, which has a folder for every class if there are targets.
func openFS(place string, files fs.FS, sum func(fs.FS, []string) (string, error), what sought) (
	*Set, error) {
	s := &Set{Elements: what.labels}
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && isMesh(name) {
			s.Files = append(s.Files, name)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", place, err)
	}
	slices.Sort(s.Files)
	classes := make([]string, len(s.Files))
	for i, name := range s.Files {
		class, _, inFolder := strings.Cut(name, "/")
		if !inFolder && what.targets {
			return nil, fmt.Errorf("%s: %s lies in no folder: each class of meshes has one, with its name",
				place, datasets.Printable(name))
		}
		classes[i] = class
	}
	if len(s.Files) == 0 {
		return nil, fmt.Errorf("%s holds no folders with meshes: files are named .off, .obj, .stl or .ply, "+
			"with .gz after it if they are packed", place)
	}
	s.Targets = make([][]float64, len(s.Files))
	if what.targets {
		s.classify(classes)
	}
	s.Name = nameOf(place)
	for _, name := range s.Files {
		m, err := readMember(files, name)
		if err := s.add(place, m, err, files, name); err != nil {
			return nil, err
		}
	}
	if s.SHA256, err = sum(files, s.withLabels(files)); err != nil {
		return nil, fmt.Errorf("%s: %w", place, err)
	}
	return s, nil
}

// nameOf returns the name of a data set after its file.
func nameOf(place string) string {
	absolute, err := filepath.Abs(place)
	if err != nil {
		absolute = place
	}
	base := filepath.Base(absolute)
	for _, extension := range []string{".zip", ".csv"} {
		if strings.EqualFold(filepath.Ext(base), extension) {
			base = base[:len(base)-len(extension)]
		}
	}
	return datasets.Printable(base)
}

// classify numbers the classes, ascending.
func (s *Set) classify(classes []string) {
	s.Classes = slices.Compact(slices.Sorted(slices.Values(classes)))
	s.Targets = nil
	for _, class := range classes {
		number, _ := slices.BinarySearch(s.Classes, class)
		s.Targets = append(s.Targets, []float64{float64(number)})
	}
	for i, class := range s.Classes {
		s.Classes[i] = datasets.Printable(class)
	}
}

// add adds a mesh, with the labels in the file beside it if the set has them.
func (s *Set) add(place string, m *Mesh, err error, files fs.FS, name string) error {
	if err == nil {
		s.Meshes = append(s.Meshes, m)
		if s.Elements != Whole {
			err = s.readLabels(files, name)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", place, err)
	}
	return nil
}

func readMember(files fs.FS, name string) (*Mesh, error) {
	file, info, err := openMember(files, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return decode(file, name, info.Size(), stored(info))
}

// openMember opens a file of a folder or an archive and returns its size and so on. Opening a pipe would wait
// for whoever writes to it.
func openMember(files fs.FS, name string) (file fs.File, info fs.FileInfo, err error) {
	info, err = fs.Stat(files, name)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s is not a file", datasets.Printable(name))
	}
	if info.Size() > maxExpansion*stored(info)+slack {
		return nil, nil, fmt.Errorf("%s: it unpacks to more than %d times its size, which no data do",
			datasets.Printable(name), maxExpansion)
	}
	file, err = files.Open(name)
	return file, info, err
}

// stored returns the bytes that a file takes in its folder or archive.
func stored(info fs.FileInfo) int64 {
	if header, ok := info.Sys().(*zip.FileHeader); ok {
		return int64(min(header.CompressedSize64, math.MaxInt64/(2*maxExpansion)))
	}
	return min(info.Size(), math.MaxInt64/(2*maxExpansion))
}

// fingerprint returns the SHA-256 of the names and contents of files.
func fingerprint(files fs.FS, names []string) (string, error) {
	var sums []string
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return "", err
		}
		sum := sha256.Sum256(data)
		sums = append(sums, hex.EncodeToString(sum[:]))
	}
	return datasets.Fingerprint(names, sums), nil
}
