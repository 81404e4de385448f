package series

import (
	"fmt"
	"slices"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/internal/table"
)

// learn sets the targets of the paths, and leaves those without a label out where others have one. It returns
// the classes or the task.
func (r *reader) learn() (info datasets.Info, err error) {
	if r.label == "" {
		return info, nil
	}
	if r.columns.Folders {
		info.Classes = r.folders()
		return info, nil
	}
	all := []table.Labels{{Column: r.label, Declared: r.classes}}
	labels := &all[0]
	labeled := make([]bool, len(r.names))
	for _, p := range r.paths {
		labels.Name = p.file
		labels.Add(p.label, p.line)
		labeled[p.part] = labeled[p.part] || !table.Missing(p.label)
	}
	if part := slices.Index(labeled, false); part >= 0 && (r.tracks || slices.Contains(labeled, true)) {
		return info, fmt.Errorf("%s: no track has a label in %q", r.names[part], r.label)
	}
	if len(labels.Texts) == 0 {
		r.label = ""
		return info, nil
	}
	info, targets, err := table.Learn(all, r.columns.Task)
	if err != nil {
		return info, err
	}
	paths := r.paths[:0]
	for g, p := range r.paths {
		if labels.Of[g] < 0 {
			r.set.Unlabeled++
			continue
		}
		p.target = targets[g][0]
		paths = append(paths, p)
	}
	r.paths = paths
	return info, nil
}

// folders sets the targets to the numbers of the folders, and returns these: they are called as they are, are
// no numbers and never missing.
func (r *reader) folders() (classes []string) {
	for _, p := range r.paths {
		classes = append(classes, p.label)
	}
	slices.Sort(classes)
	classes = slices.Compact(classes)
	for g := range r.paths {
		class, _ := slices.BinarySearch(classes, r.paths[g].label)
		r.paths[g].target = float64(class)
	}
	return classes
}
