package mesh

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/internal/table"
)

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
		folder, base := filepath.Split(name)
		if err := s.add(place, m, err, os.DirFS(cmp.Or(folder, ".")), base); err != nil {
			return nil, err
		}
		sum, err := datasets.FileSHA256(name)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(hash, "%q %s %v\n", s.Files[i], sum, s.Targets[i])
		if s.Elements != Whole {
			fmt.Fprintf(hash, "%v\n", s.Labels[i])
		}
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
