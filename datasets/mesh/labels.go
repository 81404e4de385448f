package mesh

import (
	"bufio"
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

	"github.com/neuralkforms/nkf/datasets"
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

// Count returns their number in a mesh.
func (e Elements) Count(m *Mesh) int {
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

// labelExtensions are those of files with labels; the first that is there counts.
var labelExtensions = [...]string{".seg", ".txt"}

// readLabels appends the labels of the last mesh, as the file beside it has them.
func (r *reader) readLabels(files fs.FS, mesh string) error {
	name, _ := strings.CutSuffix(mesh, ".gz")
	name = strings.TrimSuffix(name, path.Ext(name))
	beside := name + labelExtensions[0]
	for _, extension := range slices.Backward(labelExtensions[:]) {
		if _, err := fs.Stat(files, name+extension); err == nil {
			beside = name + extension
		}
	}
	data, _, err := r.Read(files, beside)
	last := r.Meshes[len(r.Meshes)-1]
	if own := last.labels(r.Elements); own != nil && errors.Is(err, fs.ErrNotExist) {
		r.Labels = append(r.Labels, own)
		return nil
	}
	if err != nil {
		return fmt.Errorf("labels of %s: %w: they lie beside it, in a file of its name with %s, or are the "+
			"property label of PLY", datasets.Printable(mesh), err, strings.Join(labelExtensions[:], " or "))
	}
	return r.parse(data, datasets.Printable(beside))
}

// parse appends the labels of the last mesh, from a file.
func (r *reader) parse(data []byte, beside string) error {
	count := r.Elements.Count(r.Meshes[len(r.Meshes)-1])
	labels, err := parseLabels(data, beside, count)
	if err != nil {
		return err
	}
	if len(labels) != count {
		found := strconv.Itoa(len(labels))
		if len(labels) > count {
			found = fmt.Sprintf("more than %d", count)
		}
		return fmt.Errorf("%s: %s labels, but the mesh has %d %s", beside, found, count, r.Elements)
	}
	r.Labels = append(r.Labels, labels)
	return nil
}

// parseLabels reads integers. It stops after one more than the most.
func parseLabels(data []byte, name string, most int) (labels []int32, err error) {
	content := text.NewReader(bytes.NewReader(data), name)
	lines := bufio.NewScanner(content)
	lines.Buffer(make([]byte, 0, 1<<16), maxLine)
	line := 0
	for len(labels) <= most && lines.Scan() {
		line++
		for field := range strings.FieldsSeq(lines.Text()) {
			if len(labels) > most {
				break
			}
			label, err := strconv.ParseInt(field, 10, 32)
			if content.Err() != nil { // the line may have been cut off by it
				return nil, content.Err()
			}
			if err != nil || label == math.MaxInt32 {
				return nil, fmt.Errorf("%s, line %d: %s is not the number of a class: want integers", name,
					line, show(field))
			}
			labels = append(labels, int32(label))
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("%s, line %d: more than %d bytes: want an integer on each line", name, line+1,
			maxLine)
	}
	return labels, lines.Err()
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
