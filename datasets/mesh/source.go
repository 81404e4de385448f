package mesh

import (
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

// Set is a list of meshes with their classes. It is a [datasets.Source].
type Set struct {
	datasets.Info
	Files   []string    // [G]: paths within the folder
	Meshes  []*Mesh     // [G]
	Targets [][]float64 // [G]: the number of the class, or nothing
}

// Open reads the meshes of a folder in the order of their paths, or a single mesh, with which a model can
// predict. Where all of them lie in subfolders, these are the classes. Files without the extension of a mesh
// are left out.
func Open(place string) (*Set, error) {
	absolute, err := filepath.Abs(place)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(place)
	if err != nil {
		return nil, fmt.Errorf("open a set of meshes: %w: give the path of a folder", err)
	}
	parent, base := filepath.Split(absolute)
	s := &Set{Info: datasets.Info{Name: fileio.Printable(base), Notes: []string{posed}}}
	files := os.DirFS(place)
	if info.IsDir() {
		s.Files, err = folder.Names(files, isMesh)
	} else {
		files, s.Files = os.DirFS(parent), []string{base}
	}
	if err == nil && len(s.Files) == 0 {
		err = errors.New("no meshes: files are named .off, .obj, .stl or .ply, with .gz after it if packed")
	}
	if err == nil {
		err = s.read(files)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", place, err)
	}
	return s, nil
}

// isMesh reports whether a file is a mesh by its name.
func isMesh(name string) bool {
	extension, _ := format(name)
	return writers[extension] != nil && !strings.HasPrefix(path.Base(name), ".")
}

// read reads the files of the set.
func (s *Set) read(files fs.FS) error {
	var r folder.Reader
	for _, name := range s.Files {
		data, stored, err := r.Read(files, name)
		if err != nil {
			return err
		}
		m, err := decode(bytes.NewReader(data), name, int64(len(data)), stored)
		if err != nil {
			return err
		}
		s.Meshes = append(s.Meshes, m)
	}
	s.SHA256 = r.SHA256()
	var unnamed error
	if s.Classes, s.Targets, unnamed = folder.Classes(s.Files); unnamed != nil {
		s.Targets = make([][]float64, len(s.Files)) // there is something to predict
	}
	return nil
}

// Kind returns "meshes".
func (s *Set) Kind() string { return "meshes" }

// Len returns the number of meshes.
func (s *Set) Len() int { return len(s.Meshes) }

// Row returns the path of a mesh.
func (s *Set) Row(g int) []datasets.Field {
	return []datasets.Field{{Name: "mesh", Column: "mesh", Value: s.Files[g]}}
}

// posed says what forms on space see of a mesh.
const posed = "coordinates are those of the files: a mesh that is turned, moved or scaled may have " +
	"another result"

// Encoder returns an encoder with the mean of all vertices as its origin, which is there for the sake of 32
// bits. There are no features to choose, and nothing is fitted to a training part.
func (s *Set) Encoder(features string, _ []int32) (datasets.Encoder, error) {
	if features != "" {
		return nil, fmt.Errorf("no features %q: meshes have their coordinates alone", features)
	}
	var sum vector
	count := 0
	for _, m := range s.Meshes {
		if err := m.Validate(); err != nil {
			return nil, err
		}
		vertices, _ := m.Len()
		for v := range vertices {
			sum = sum.add(m.point(int32(v)))
		}
		count += vertices
	}
	return &encoder{sum.scale(1 / float64(max(1, count)))}, nil
}

// NewEncoder returns an empty encoder, to read a saved one into.
func NewEncoder() datasets.Encoder { return new(encoder) }

// encoder turns meshes into complexes of degree 2 in R³: their vertices, edges and distinct triangles,
// oriented as in the files.
type encoder struct {
	// Origin is subtracted from all coordinates in 64 bits: networks compute in 32, which far from 0 do not
	// tell vertices apart. It is one place for all meshes, whose poses are data.
	Origin vector `json:"origin"`
}

// Check returns an error for an origin where no mesh is.
func (e *encoder) Check() error { return (&Mesh{Vertices: e.Origin[:]}).Validate() }

// Encode returns the meshes as complexes.
func (e *encoder) Encode(source datasets.Source) (*datasets.Collection, error) {
	s, ok := source.(*Set)
	if !ok {
		return nil, errors.New("another kind of data: want triangle meshes")
	}
	b := datasets.NewBuilder(3)
	b.Info, b.Faces = s.Info, true
	for g, m := range s.Meshes {
		if err := m.Validate(); err != nil {
			return nil, fmt.Errorf("mesh %d: %w", g, err)
		}
		vertices := slices.Clone(m.Vertices)
		for i := range vertices {
			vertices[i] -= e.Origin[i%3]
		}
		edges := m.edges()
		b.Add(vertices, [][]int32{1: edges.ends(), 2: edges.counted(m)}, s.Targets[g]...)
	}
	return b.Collection()
}
