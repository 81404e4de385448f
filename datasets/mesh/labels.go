package mesh

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/datasets/internal/text"
)

// Elements are the parts of meshes that have labels.
type Elements int

// The elements.
const (
	Whole    Elements = iota // each mesh has a class or numbers
	Vertices                 // each vertex has a class
	Faces                    // each triangle has a class
	Nothing                  // there is something to predict
)

var elementNames = []string{"meshes", "vertices", "faces"}

// ParseElements returns the elements of that name: meshes, vertices or faces.
func ParseElements(s string) (Elements, error) {
	if i := slices.Index(elementNames, s); i >= 0 {
		return Elements(i), nil
	}
	return 0, fmt.Errorf("no elements %q of meshes: want one of %s", s, strings.Join(elementNames, ", "))
}

// String returns the name that ParseElements takes.
func (e Elements) String() string { return elementNames[min(e, Faces)] }

// labeled reports whether elements have labels in files of their own.
func (e Elements) labeled() bool { return e == Vertices || e == Faces }

// count returns their number in a mesh.
func (e Elements) count(m *Mesh) int {
	vertices, triangles := m.Len()
	return [...]int{Whole: 1, Vertices: vertices, Faces: triangles}[e]
}

// labels returns the labels that a mesh has of its own, nil for none.
func (m *Mesh) labels(e Elements) []int32 {
	if e == Vertices {
		return slices.Clone(m.Labels)
	}
	return slices.Clone(m.FaceLabels)
}

// beside returns the names that the file with the labels of a mesh may have, which lies beside it.
func beside(mesh string) []string {
	name, _ := strings.CutSuffix(mesh, ".gz")
	name = strings.TrimSuffix(name, path.Ext(name))
	return []string{name + ".seg", name + ".txt"}
}

// readLabels appends the labels of the last mesh: from the first of some files that is there, or its own.
func (r *reader) readLabels(files fs.FS, mesh string, from []string) (err error) {
	for _, name := range from {
		var data []byte
		if data, _, err = r.Read(files, name); err == nil {
			return r.parseLabels(data, fileio.Printable(name))
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if own := r.Meshes[len(r.Meshes)-1].labels(r.Elements); own != nil {
		r.Labels = append(r.Labels, own)
		return nil
	}
	return fmt.Errorf("labels of %s: %w: they are in the file %s, or are the property label of PLY",
		fileio.Printable(mesh), err, fileio.Printable(strings.Join(from, " or ")))
}

// parseLabels appends the labels of the last mesh, from a file with an integer for each element.
func (r *reader) parseLabels(data []byte, name string) error {
	var labels []int32
	content := text.NewReader(bytes.NewReader(data), name)
	for line, row := range content.Lines(maxLine) {
		for field := range bytes.FieldsSeq(row) {
			label, err := strconv.ParseInt(string(field), 10, 32)
			if err != nil || label == math.MaxInt32 {
				return fmt.Errorf("%s, line %d: %s is not the number of a class: want integers", name, line,
					show(field))
			}
			labels = append(labels, int32(label))
		}
	}
	if err := content.Err(); err != nil {
		return err
	}
	if count := r.Elements.count(r.Meshes[len(r.Meshes)-1]); len(labels) != count {
		return fmt.Errorf("%s: %d labels, but the mesh has %d %s", name, len(labels), count, r.Elements)
	}
	r.Labels = append(r.Labels, labels)
	return nil
}

// number makes classes of the labels that occur, of those below 0 if negative says so.
func (s *Set) number(negative bool) {
	seen := map[int32]int32{}
	for _, labels := range s.Labels {
		for _, label := range labels {
			if label >= 0 || negative {
				seen[label] = 0
			}
		}
	}
	for i, label := range slices.Sorted(maps.Keys(seen)) {
		seen[label] = int32(i)
		s.Classes = append(s.Classes, strconv.Itoa(int(label)))
	}
	for _, labels := range s.Labels {
		for i, label := range labels {
			labels[i] = -1
			if number, known := seen[label]; known {
				labels[i] = number
			}
		}
	}
}
