package series

import (
	"fmt"
	"slices"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/internal/table"
)

// learned is what is to be learned of paths.
type learned struct {
	label   string   // what it is called; "" for nothing
	classes []string // or
	tasks   []string // the name of the one value
	without int      // paths that were left out, because they have no label
}

// learn sets the targets of the paths, and leaves those without a label out where others have one.
func learn(parts []part, task datasets.Task) (what learned, err error) {
	first := parts[0].files[0]
	for _, part := range parts {
		for _, f := range part.files {
			if f.regression != first.regression || f.labeled != first.labeled {
				return what, fmt.Errorf("%s and %s: one has classes or values to be learned that the other "+
					"lacks", first.name, f.name)
			}
			if f.regression {
				task = datasets.Regression
			} else if f.labeled && !f.tracks {
				task = datasets.Classification
			}
		}
	}
	if !first.labeled {
		return what, nil
	}
	targets, what, err := judge(parts, first, task)
	if err != nil || targets == nil {
		return what, err
	}
	for _, part := range parts {
		for _, f := range part.files {
			for i := range f.paths {
				f.paths[i].target, targets = targets[0], targets[1:]
			}
		}
	}
	return what, nil
}

// judge returns the target of every path; nil if none has a label.
func judge(parts []part, first *file, task datasets.Task) (targets []float64, what learned, err error) {
	if first.folders {
		targets, what.classes = ofFolders(parts)
		what.label = first.task
		return targets, what, nil
	}
	labels, without, err := collect(parts)
	if err != nil || len(labels.Of) == 0 {
		return nil, what, err
	}
	what = learned{label: first.task, without: without}
	if task == datasets.Automatic {
		if task, err = table.Choose([]table.Labels{*labels}); err != nil {
			return nil, what, err
		}
	}
	if task == datasets.Regression {
		what.tasks = []string{what.label}
		targets, err = labels.Targets(task)
		return targets, what, err
	}
	var of []int32
	if what.classes = first.classes; what.classes != nil {
		of, err = labels.Among(what.classes)
	} else {
		what.classes, of, err = labels.Classes()
	}
	for _, class := range of {
		targets = append(targets, float64(class))
	}
	return targets, what, err
}

// ofFolders returns the classes that folders are, which are called as they are, and are no numbers and never
// missing.
func ofFolders(parts []part) (targets []float64, classes []string) {
	var all []string
	for _, part := range parts {
		for _, f := range part.files {
			for _, p := range f.paths {
				all = append(all, p.label)
			}
		}
	}
	classes = slices.Compact(slices.Sorted(slices.Values(all)))
	for _, label := range all {
		class, _ := slices.BinarySearch(classes, label)
		targets = append(targets, float64(class))
	}
	return targets, classes
}

// collect returns the labels of the paths that have one, and leaves the others out unless none has one. It is
// an error if none of a part has one where others do, or none of tracks, for which the label was asked for.
func collect(parts []part) (labels *table.Labels, without int, err error) {
	first := parts[0].files[0]
	labels = &table.Labels{Column: first.task}
	empty := ""
	for _, part := range parts {
		before, count := len(labels.Of), 0
		for _, f := range part.files {
			labels.Name = f.name
			for _, p := range f.paths {
				if count++; !table.Missing(p.label) {
					labels.Add(p.label, p.line)
				}
			}
		}
		of := len(labels.Of) - before
		if without += count - of; count > 0 && of == 0 {
			empty = part.name
		}
	}
	switch {
	case empty != "" && (len(labels.Of) > 0 || first.tracks):
		return nil, 0, fmt.Errorf("%s: no track has a label in %q", empty, first.task)
	case empty != "":
		return labels, 0, nil
	}
	for _, part := range parts {
		for _, f := range part.files {
			f.paths = slices.DeleteFunc(f.paths, func(p path) bool { return table.Missing(p.label) })
		}
	}
	return labels, without, nil
}
