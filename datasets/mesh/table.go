package mesh

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/datasets/internal/table"
)

// table reads the meshes that a CSV file lists, with what is to be learned of each.
func (r *reader) table() error {
	content, _, err := r.Read(os.DirFS(filepath.Dir(r.place)), filepath.Base(r.place))
	if err != nil {
		return err
	}
	columns, err := r.list(content)
	if err != nil {
		return err
	}
	if len(columns) == 0 && r.Elements == Whole || len(r.Files) == 0 {
		return fmt.Errorf("%s: want a header, and lines of the path of a mesh and what is to be learned of "+
			"it", r.place)
	}
	if r.Targets = make([][]float64, len(r.Files)); r.Elements == Whole {
		if err := r.learn(columns); err != nil {
			return err
		}
	}
	for _, name := range r.Files {
		if name = filepath.FromSlash(name); !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(r.place), name)
		}
		base := filepath.Base(name)
		if err := r.add(os.DirFS(filepath.Dir(name)), base, name, beside(base)...); err != nil {
			return err
		}
	}
	return nil
}

// list reads the paths of meshes in the first column of a CSV file, and returns the labels in the others.
func (r *reader) list(content []byte) ([]table.Labels, error) {
	t, err := table.New(bytes.NewReader(content), r.place, 0)
	if err != nil {
		return nil, err
	}
	columns := make([]table.Labels, len(t.Head)-1)
	for i, name := range t.Head[1:] {
		columns[i] = table.Labels{Name: r.place, Column: name}
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
			return nil, fmt.Errorf("%s, line %d: %s", r.place, t.Line(), fault)
		}
		r.Files = append(r.Files, name)
		for i := range columns {
			columns[i].Add(strings.Clone(strings.TrimSpace(fields[i+1])), t.Line())
		}
	}
}

// learn sets the targets: the classes of one column that holds texts or few integers; else the values of all
// columns, which are answers where they are 0 and 1 alone, and numbers elsewhere. Values may be missing.
func (s *Set) learn(columns []table.Labels) error {
	info, targets, err := table.Learn(columns, datasets.Automatic)
	if err != nil {
		return err
	}
	s.Tasks, s.Regression, s.Targets = info.Tasks, info.Regression, targets
	if info.Classes == nil {
		return nil
	}
	if g := slices.IndexFunc(targets, func(class []float64) bool { return class[0] < 0 }); g >= 0 {
		return fmt.Errorf("%s: no class of %s in column %q: leave the mesh out", columns[0].Name,
			fileio.Printable(s.Files[g]), columns[0].Column)
	}
	for _, class := range info.Classes {
		s.Classes = append(s.Classes, fileio.Printable(class))
	}
	return nil
}
