package mesh

import (
	"bytes"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
)

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
