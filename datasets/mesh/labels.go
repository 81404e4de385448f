package mesh

import (
	"bufio"
	"errors"
	"fmt"
	"io"
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

// Elements are what of a mesh has classes of its own that are to be learned.
type Elements int

// The elements.
const (
	Whole    Elements = iota // the class is that of the mesh
	Vertices                 // each vertex has one
	Faces                    // each triangle has one
)

var elementNames = []string{"meshes", "vertices", "faces"}

// ParseElements returns the elements of that name: meshes, vertices or faces.
func ParseElements(s string) (Elements, error) {
	if i := slices.Index(elementNames, s); i >= 0 {
		return Elements(i), nil
	}
	return 0, fmt.Errorf("no elements %q of meshes: there are %s", s, strings.Join(elementNames, ", "))
}

// String returns the name that ParseElements takes.
func (e Elements) String() string {
	if e >= 0 && int(e) < len(elementNames) {
		return elementNames[e]
	}
	return fmt.Sprintf("Elements(%d)", int(e))
}

// Count returns how many of them a mesh has.
func (e Elements) Count(m *Mesh) int {
	vertices, triangles := m.Len()
	return [...]int{Whole: 1, Vertices: vertices, Faces: triangles}[e]
}

// degree returns the degree of the simplices that they are.
func (e Elements) degree() int {
	if e == Vertices {
		return 0
	}
	return 2
}

// labelExtensions are those of files with labels, as the Princeton segmentation benchmark and the RNA
// surfaces of Poulenard et al. (2019) have them. The first that is there counts.
var labelExtensions = [...]string{".seg", ".txt"}

// OpenLabeled reads a set of meshes whose vertices or triangles have classes: a folder or zip archive, or a
// CSV file with a header, whose first column has the paths of meshes. Beside each mesh lies a text file of
// its name with .seg or .txt in the place of the extension, which has an integer for each vertex or
// triangle, in the order of the mesh, separated by white space; a negative one stands for an unknown class.
// its name with .seg or .txt in the place of the extension, which has an integer for each vertex or
// segmentation, 2009). Classes are the integers that occur, ascending.
//
// It is an error if the file of a mesh is not there, or has another number of integers: polygons that a
// reader cuts into triangles have no class for each.
func OpenLabeled(place string, of Elements) (*Set, error) {
	if of != Vertices && of != Faces {
		return nil, fmt.Errorf("labels of %s: they are of vertices or faces", of)
	}
	s, err := open(place, sought{labels: of})
	if err != nil {
		return nil, err
	}
	s.number()
	return s, nil
}

// labelFile returns the name of the file with the labels of a mesh, the first possible one if there is none.
func labelFile(files fs.FS, name string) string {
	if strings.EqualFold(path.Ext(name), ".gz") {
		name = name[:len(name)-len(".gz")]
	}
	name = strings.TrimSuffix(name, path.Ext(name))
	for _, extension := range labelExtensions {
		if _, err := fs.Stat(files, name+extension); err == nil {
			return name + extension
		}
	}
	return name + labelExtensions[0]
}

// withLabels returns the files of the set, those of labels among them.
func (s *Set) withLabels(members fs.FS) []string {
	if s.Elements == Whole {
		return s.Files
	}
	files := slices.Clone(s.Files)
	for _, name := range s.Files {
		files = append(files, labelFile(members, name))
	}
	return files
}

// readLabels appends the labels of the last mesh, as the file has them.
func (s *Set) readLabels(files fs.FS, mesh string) error {
	name := labelFile(files, mesh)
	file, _, err := openMember(files, name)
	if err != nil {
		return fmt.Errorf("labels of %s: %w: they lie beside it, in a file of its name with %s",
			datasets.Printable(mesh), err, strings.Join(labelExtensions[:], " or "))
	}
	defer file.Close()
	m := s.Meshes[len(s.Meshes)-1]
	count := s.Elements.Count(m)
	labels, err := parseLabels(file, datasets.Printable(name), count)
	if err != nil {
		return err
	}
	if len(labels) != count {
		found := strconv.Itoa(len(labels))
		if len(labels) > count {
			found = fmt.Sprintf("more than %d", count)
		}
		return fmt.Errorf("%s: %s labels, but the mesh has %d %s", datasets.Printable(name), found, count,
			s.Elements)
	}
	s.Labels = append(s.Labels, labels)
	return nil
}

// parseLabels reads integers, -1 for all that are negative. It stops after one more than the most.
func parseLabels(r io.Reader, name string, most int) (labels []int32, err error) {
	content := text.NewReader(r, name)
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
				return nil, fmt.Errorf("%s, line %d: %s is no number of a class: want integers", name, line,
					show(field))
			}
			labels = append(labels, int32(max(-1, label)))
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("%s, line %d: more than %d bytes: want an integer on each line", name, line+1,
			maxLine)
	} else if err != nil {
		return nil, err
	}
	return labels, nil
}

// number makes classes of the integers that occur.
func (s *Set) number() {
	seen := map[int32]int32{}
	for _, labels := range s.Labels {
		for _, label := range labels {
			if label >= 0 {
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
			if label >= 0 {
				labels[i] = seen[label]
			}
		}
	}
}

// labelsOf returns the labels of mesh i, unknown where the set has none.
func (s *Set) labelsOf(i int, of Elements) []int32 {
	if s.Labels != nil {
		return s.Labels[i]
	}
	return slices.Repeat([]int32{-1}, of.Count(s.Meshes[i]))
}
