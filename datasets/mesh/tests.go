package mesh

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
)

// errNoLists is the error of a folder without the lists of a split.
var errNoLists = errors.New("no lists train.txt and test.txt beside a folder off")

// lists reads the meshes of a folder with the folders off and labels that the lists train.txt and test.txt
// name, a file on each line.
func (r *reader) lists(files fs.FS) error {
	if !r.Elements.labeled() {
		return errNoLists
	}
	for _, name := range []string{"off", "train.txt", "test.txt"} {
		if _, err := fs.Stat(files, name); err != nil {
			return errNoLists
		}
	}
	for _, list := range []string{"train.txt", "test.txt"} {
		data, _, err := r.Read(files, list)
		if err != nil {
			return fmt.Errorf("%s: %w", r.place, err)
		}
		for name := range strings.FieldsSeq(string(data)) {
			if !isMesh(name) || path.Base(name) != name {
				return fmt.Errorf("%s: %s: %s is not the name of a mesh", r.place, list, show(name))
			}
			if list == "test.txt" {
				r.Tests = append(r.Tests, int32(len(r.Files)))
			}
			r.Files = append(r.Files, "off/"+name)
			labels := "labels/" + strings.TrimSuffix(name, path.Ext(name)) + ".txt"
			if err := r.add(files, "off/"+name, "off/"+name, labels); err != nil {
				return err
			}
		}
	}
	r.Targets = make([][]float64, len(r.Files))
	return nil
}

// test adds meshes to test with.
func (r *reader) test(s *reader) error {
	if r.Tests != nil || s.Tests != nil {
		return fmt.Errorf("%s and %s: one of them has a split of its own", r.place, s.place)
	}
	if !slices.Equal(r.Tasks, s.Tasks) {
		return fmt.Errorf("%s has the tasks %v, but %s has %v", r.place, r.Tasks, s.place, s.Tasks)
	}
	for i := range s.Files {
		target := slices.Clone(s.Targets[i])
		if s.Classes != nil {
			class := s.Classes[int(target[0])]
			if target[0] = float64(slices.Index(r.Classes, class)); target[0] < 0 {
				return fmt.Errorf("%s: no mesh of %s is of class %q", s.Files[i], r.place, class)
			}
		}
		r.Tests = append(r.Tests, int32(len(r.Files)))
		r.Files, r.Targets = append(r.Files, s.Files[i]), append(r.Targets, target)
	}
	r.Meshes, r.Labels = append(r.Meshes, s.Meshes...), append(r.Labels, s.Labels...)
	r.Add("test", s.Reader.SHA256())
	return nil
}

// Fold returns, by the name "default", the fold that trains and tests with the meshes that are given for it;
// there is none of a set without [Set.Tests].
func (s *Set) Fold(name string) (datasets.Fold, bool, error) {
	if name != "default" || s.Tests == nil {
		return datasets.Fold{}, false, nil
	}
	fold := datasets.Fold{Test: s.Tests}
	for g := range s.Len() {
		if !slices.Contains(s.Tests, int32(g)) {
			fold.Train = append(fold.Train, int32(g))
		}
	}
	return fold, true, nil
}
