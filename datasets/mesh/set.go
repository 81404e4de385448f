package mesh

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/internal/table"
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
	if err := s.read(place, files); err != nil {
		return nil, err
	}
	if s.SHA256, err = sum(files, s.withLabels()); err != nil {
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

// read reads the meshes.
func (s *Set) read(place string, files fs.FS) error {
	for _, name := range s.Files {
		m, err := readMember(files, name)
		if err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
		s.Meshes = append(s.Meshes, m)
		if s.Elements == Whole {
			continue
		}
		if err := s.readLabels(files, name); err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
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

// openTable reads a CSV file of paths and what is to be learned of these meshes.
func openTable(place string, what sought) (*Set, error) {
	s := &Set{Elements: what.labels}
	s.Name = nameOf(place)
	file, err := os.Open(place)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	columns, err := s.list(file, place)
	if err != nil {
		return nil, err
	}
	if len(columns) == 0 && what.targets || len(s.Files) == 0 {
		return nil, fmt.Errorf("%s: want a header, and lines of the path of a mesh and what is to be "+
			"learned of it", place)
	}
	s.Targets = make([][]float64, len(s.Files))
	if what.targets {
		if err := s.learn(columns); err != nil {
			return nil, err
		}
	}
	hash := sha256.New()
	for i, name := range s.Files {
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(place), filepath.FromSlash(name))
		}
		m, err := Read(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", place, err)
		}
		sum, err := datasets.FileSHA256(name)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(hash, "%q %s %v\n", s.Files[i], sum, s.Targets[i])
		s.Meshes = append(s.Meshes, m)
		if s.Elements == Whole {
			continue
		}
		files, base := beside(name)
		if err := s.readLabels(files, base); err != nil {
			return nil, fmt.Errorf("%s: %w", place, err)
		}
		fmt.Fprintf(hash, "%v\n", s.Labels[i])
	}
	s.SHA256 = hex.EncodeToString(hash.Sum(nil))
	return s, nil
}

// list reads the paths of meshes in the first column of a CSV file, and returns the labels in the others.
func (s *Set) list(r io.Reader, place string) ([]table.Labels, error) {
	t, err := table.New(r, place, 0)
	if err != nil {
		return nil, err
	}
	columns := make([]table.Labels, len(t.Head)-1)
	for i, name := range t.Head[1:] {
		columns[i] = table.Labels{Name: place, Column: name}
	}
	for {
		fields, err := t.Record()
		if errors.Is(err, io.EOF) {
			return columns, nil
		}
		if err != nil {
			return nil, err
		}
		fault := t.Overflow(fields)
		if fault == "" && len(fields) < len(t.Head) {
			fault = fmt.Sprintf("the row has %d of %d fields", len(fields), len(t.Head))
		}
		name := strings.Clone(strings.TrimSpace(fields[0]))
		if fault == "" && name == "" {
			fault = "no path of a mesh"
		}
		if fault != "" {
			return nil, fmt.Errorf("%s, line %d: %s", place, t.Line(), fault)
		}
		s.Files = append(s.Files, name)
		for i := range columns {
			columns[i].Add(strings.Clone(strings.TrimSpace(fields[i+1])), t.Line())
		}
	}
}

// learn sets what is to be learned: of one column that holds texts or few integers the class; else the
// values of all columns, which are answers where they are 0 and 1 alone, and numbers elsewhere. Values may
// be missing.
func (s *Set) learn(columns []table.Labels) error {
	task, err := table.Choose(columns)
	if err != nil {
		return err
	}
	s.Targets = make([][]float64, len(s.Files))
	if len(columns) == 1 && task == datasets.Classification {
		return s.named(&columns[0])
	}
	s.Regression = task == datasets.Regression
	for i := range columns {
		values, err := columns[i].Targets(task)
		if err != nil {
			return err
		}
		s.Tasks = append(s.Tasks, columns[i].Column)
		for g, v := range values {
			s.Targets[g] = append(s.Targets[g], v)
		}
	}
	return nil
}

// named takes a column of classes.
func (s *Set) named(column *table.Labels) (err error) {
	classes, of, err := column.Classes()
	if err != nil {
		return err
	}
	if g := slices.Index(of, -1); g >= 0 {
		return fmt.Errorf("%s: no class of %s in column %q: leave the mesh out", column.Name,
			datasets.Printable(s.Files[g]), column.Column)
	}
	for g, class := range of {
		s.Targets[g] = []float64{float64(class)}
	}
	for _, class := range classes {
		s.Classes = append(s.Classes, datasets.Printable(class))
	}
	return nil
}
