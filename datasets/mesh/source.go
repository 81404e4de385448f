package mesh

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/datasets/internal/folder"
)

// Set is a list of meshes with their classes. It is a [datasets.Source].
type Set struct {
	datasets.Info
	Files   []string    // [G]: paths within the folder of meshes with an area
	Meshes  []*Mesh     // [G]
	Targets [][]float64 // [G]: the number of the class, or nothing
}

// Open reads the meshes of a folder in the order of their paths, or a single mesh, with which a model can
// predict. Where all of them lie in subfolders, these are the classes. Files without the extension of a mesh
// are left out, and meshes without an area, such as points.
func Open(place string) (*Set, error) {
	var s *Set
	var r folder.Reader
	notes, err := each(place, math.MaxInt, &r, func(all *Set) error {
		s = all
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.Notes, s.SHA256 = notes, r.SHA256()
	s.classify(s.Files) // without classes that have no mesh with an area
	return s, nil
}

// partNumbers bounds the numbers of a part of meshes, but of a single mesh: 32 MB.
const partNumbers = 1 << 22

// Each calls do with the meshes that [Open] reads, in parts of some megabytes without notes, and returns the
// notes on all of them: for predictions, a folder may be of any size.
func Each(place string, do func(*Set) error) (notes []string, err error) {
	return each(place, partNumbers, new(folder.Reader), do)
}

// each is Each for parts of at most that many numbers, with what reads the files.
func each(place string, most int, r *folder.Reader, do func(*Set) error) (notes []string, err error) {
	absolute, err := filepath.Abs(place)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(place)
	if err != nil {
		return nil, fmt.Errorf("open a set of meshes: %w: give the path of a folder", err)
	}
	parent, base := filepath.Split(absolute)
	files, names := fileio.DirFS(parent), []string{base}
	if info.IsDir() {
		files = fileio.DirFS(place)
		names, err = folder.Names(files, isMesh)
	}
	if err == nil && len(names) == 0 {
		err = errors.New("no meshes: files are named .off, .obj, .stl or .ply, with .gz after it if packed")
	}
	var failed error // of do, which is none of the place
	if err == nil {
		notes, err = eachOf(files, names, most, r, func(part *Set) error {
			part.Name = fileio.Printable(base)
			failed = do(part)
			return failed
		})
	}
	if err != nil && failed == nil {
		err = fmt.Errorf("%s: %w", place, err)
	}
	return notes, err
}

// isMesh reports whether a file is a mesh by its name.
func isMesh(name string) bool {
	extension, _ := format(name)
	return writers[extension] != nil && !strings.HasPrefix(path.Base(name), ".")
}

// eachOf is each of the meshes of some files.
func eachOf(files fs.FS, names []string, most int, r *folder.Reader, do func(*Set) error) (notes []string,
	err error) {
	var left left
	var bare []string
	part, numbers := &Set{}, 0
	flush := func() error {
		full := part
		part, numbers = &Set{}, 0
		full.classify(names)
		return do(full)
	}
	for _, name := range names {
		data, stored, err := r.Read(files, name)
		if err != nil {
			return nil, err
		}
		m, err := decode(bytes.NewReader(data), name, int64(len(data)), stored)
		if err != nil {
			return nil, err
		}
		if area, _ := m.Area(); area == 0 {
			bare = append(bare, name)
			continue
		}
		left.add(m.left)
		own := len(m.Vertices) + len(m.Triangles)
		if len(part.Files) > 0 && own > most-numbers {
			if err := flush(); err != nil {
				return nil, err
			}
		}
		part.Files, part.Meshes, numbers = append(part.Files, name), append(part.Meshes, m), numbers+own
	}
	if len(part.Files) == 0 {
		return nil, fmt.Errorf("no triangle with an area in %s", fileio.Quoted(bare))
	}
	if err := flush(); err != nil {
		return nil, err
	}
	notes = []string{posed}
	if len(bare) > 0 {
		notes = append(notes, fmt.Sprintf("%d of %s left out, with no triangle that has an area: %s",
			len(bare), english.Plural(len(names), "mesh", "meshes"), fileio.Quoted(bare)))
	}
	left.nonplanar = 0 // most meshes of quadrilaterals
	return append(notes, left.notes()...), nil
}

// classify sets the classes and targets of the set, one of those of all files of that name.
func (s *Set) classify(all []string) {
	s.Classes, s.Targets = nil, make([][]float64, len(s.Files)) // there is something to predict
	classes, targets, unnamed := folder.Classes(all)
	if unnamed != nil {
		return
	}
	s.Classes = classes
	for i, name := range s.Files {
		at, _ := slices.BinarySearch(all, name)
		s.Targets[i] = targets[at]
	}
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

// Encoder returns an encoder that subtracts an origin near the meshes train, nil for all. There are no
// features to choose: "" is the only name.
func (s *Set) Encoder(features string, train []int32) (datasets.Encoder, error) {
	if features != "" {
		return nil, fmt.Errorf("no features %q: meshes have their coordinates alone", features)
	}
	meshes := s.Meshes
	if train != nil {
		meshes = nil
		for _, g := range train {
			meshes = append(meshes, s.Meshes[g])
		}
	}
	return &encoder{origin(meshes)}, nil
}

// origin returns the middle of the box around meshes, rounded to a power of two that is at least twice its
// longest side: 0 for meshes about 0, and the same for most parts of a set.
func origin(meshes []*Mesh) (at vector) {
	low, high := slices.Repeat([]float64{math.Inf(1)}, 3), slices.Repeat([]float64{math.Inf(-1)}, 3)
	for _, m := range meshes {
		for i, x := range m.Vertices {
			low[i%3], high[i%3] = min(low[i%3], x), max(high[i%3], x)
		}
	}
	size := max(high[0]-low[0], high[1]-low[1], high[2]-low[2])
	if !(size > 0) { // no vertices, or one place
		return at
	}
	step := math.Exp2(math.Ceil(math.Log2(2 * size)))
	for i := range at {
		at[i] = step * math.Round((low[i]/2+high[i]/2)/step)
	}
	return at
}

// NewEncoder returns an empty encoder, to read a saved one into.
func NewEncoder() datasets.Encoder { return new(encoder) }

// encoder turns meshes into complexes of degree 2 in R³: their vertices, edges and distinct triangles,
// oriented as in the files.
type encoder struct {
	// Origin is subtracted from all coordinates in 64 bits: networks compute in 32, which far from 0 do not
	// tell vertices apart. It is one place for all meshes, whose poses are data, and 0 for those about 0.
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
