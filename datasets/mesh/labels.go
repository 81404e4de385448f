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
	if err != nil {
		return fmt.Errorf("labels of %s: %w: they lie beside it, in a file of its name with %s",
			datasets.Printable(mesh), err, strings.Join(labelExtensions[:], " or "))
	}
	count := r.Elements.Count(r.Meshes[len(r.Meshes)-1])
	beside = datasets.Printable(beside)
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

// parseLabels reads integers, -1 for all that are negative. It stops after one more than the most.
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
			labels = append(labels, int32(max(-1, label)))
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("%s, line %d: more than %d bytes: want an integer on each line", name, line+1,
			maxLine)
	}
	return labels, lines.Err()
}

// number makes classes of the labels that occur.
func (s *Set) number() {
	seen := map[int32]int32{}
	for _, label := range slices.Concat(s.Labels...) {
		if label >= 0 {
			seen[label] = 0
		}
	}
	for i, label := range slices.Sorted(maps.Keys(seen)) {
		seen[label] = int32(i)
		s.Classes = append(s.Classes, strconv.Itoa(int(label)))
	}
	for _, labels := range s.Labels {
		for i, label := range labels {
			if label >= 0 {
				labels[i] = seen[label]
			}
		}
	}
}
