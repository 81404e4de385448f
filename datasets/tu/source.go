package tu

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/internal/folder"
)

// Bounds of a data set. The largest of TUDataset is within a third of each; an archive that was made to fill
// the memory is past one of them early.
const (
	// maxExpansion bounds what an archive unpacks to, as a multiple of its size. Benchmarks come to 6.
	maxExpansion = 100

	maxBytes  = 1 << 30 // of its files together, unpacked
	slack     = 1 << 24 // bytes that an archive of any size may unpack to
	maxLine   = 1 << 22 // bytes of a line
	maxCount  = 1 << 25 // graphs and nodes
	maxValues = 1 << 27 // labels and attributes together: 1 GiB
)

// kinds are the files that are read, by the part of the name after "DS_".
var kinds = []string{
	"A", "graph_indicator", "graph_labels", "graph_attributes", "node_labels", "node_attributes",
}

// bounds are those of a data set that depend on what is done with it.
type bounds struct {
	bytes int64 // of its files together, unpacked
	lines int   // of a file, but for that of edges
}

// bounded returns an error for a row beyond the number of those that there may be.
func (b bounds) bounded(p place, count int) error {
	if count > b.lines {
		return p.fail("more than %d lines, the most that are read", b.lines)
	}
	return nil
}

// files are the files of a data set.
type files struct {
	fs.FS
	bounds
	name  string
	paths map[string]string // by kind
	sums  folder.Reader     // of those that were read
	left  int               // labels and attributes that may still be kept
}

// file returns the name of the file of a kind.
func (f *files) file(kind string) string { return f.name + "_" + kind + ".txt" }

// find finds the files of the data set, which is named by the one called DS_A.txt, and together hold no more
// than the bounds.
func find(from fs.FS, most bounds) (*files, error) {
	f := &files{FS: from, bounds: most, paths: map[string]string{}, left: maxValues}
	names, err := folder.Names(from, func(name string) bool {
		base := path.Base(name)
		return strings.HasSuffix(base, ".txt") && !strings.HasPrefix(base, ".") // macOS adds ._DS_A.txt
	})
	if err != nil {
		return nil, err
	}
	for _, at := range names {
		name, ok := strings.CutSuffix(path.Base(at), "_A.txt")
		if ok && f.name != "" && f.name != name {
			return nil, fmt.Errorf("two data sets, %s and %s: keep one", f.name, name)
		}
		if ok {
			f.name = name
		}
	}
	if f.name == "" {
		return nil, errors.New("no file name ends in _A.txt: this is not a data set in the TU format")
	}
	var size, stored int64
	for _, at := range names {
		base := path.Base(at)
		kind := slices.IndexFunc(kinds, func(kind string) bool { return base == f.file(kind) })
		if kind < 0 {
			continue
		}
		if f.paths[kinds[kind]] != "" {
			return nil, fmt.Errorf("%s is there twice: keep one", base)
		}
		f.paths[kinds[kind]] = at
		own, packed, err := folder.Size(from, at)
		if err != nil {
			return nil, err
		}
		size, stored = size+own, stored+packed
	}
	if most := min(most.bytes, maxExpansion*stored+slack); size > most {
		return nil, fmt.Errorf("the files of the data set hold more than %d bytes, the most that is read of "+
			"an archive of this size", most)
	}
	return f, nil
}

// Kind returns "graphs".
func (a *Archive) Kind() string { return "graphs" }

// Describe names the classes: the graph labels that occur, ascending; or without labels the columns of
// attributes of graphs, whose values are the targets of a regression.
func (a *Archive) Describe() datasets.Info {
	info := datasets.Info{Name: a.name, SHA256: a.sha256}
	for _, value := range ascending(a.GraphLabels) {
		info.Classes = append(info.Classes, strconv.Itoa(value))
	}
	if a.GraphLabels == nil && a.graphAttributes.columns > 0 {
		info.Regression = true
		for column := range a.graphAttributes.columns {
			info.Tasks = append(info.Tasks, fmt.Sprintf("attribute %d", column+1))
		}
	}
	return info
}

// Row returns the number of a graph, from 0, in the order of the files.
func (a *Archive) Row(g int) []datasets.Field {
	return []datasets.Field{{Name: "graph", Column: "graph", Value: a.first + g}}
}

// Encoder returns an encoder with the features that [Features.UnmarshalText] takes, or with "one-hot" labels
// of nodes; without labels, with the automatic features. Coordinates have one column for each attribute, and
// one-hot columns of labels and degrees, from the lowest to the highest that occurs. In a range of more than
// 256 only the values that occur have a column, in ascending order. It is an error if attributes are so far
// from 0 that 32 bits cannot tell them apart. The columns are those of all graphs; nothing else is fitted.
func (a *Archive) Encoder(features string, _ []int32) (datasets.Encoder, error) {
	if features == "one-hot" {
		features = ""
		if a.nodeLabels.columns > 0 {
			features = Labels.String()
		}
	}
	f, err := parseFeatures(features)
	if err != nil {
		return nil, err
	}
	return a.encoder(f)
}

// Collection returns the graphs as complexes of degree 1 with the chosen features as coordinates, as
// [Archive.Encoder] says. It is an error if the archive has neither labels nor attributes of graphs.
func (a *Archive) Collection(features Features) (*datasets.Collection, error) {
	if a.Describe().Classes == nil && a.Describe().Tasks == nil {
		return nil, fmt.Errorf("%s has no file %[1]s_graph_labels.txt or %[1]s_graph_attributes.txt, so "+
			"there is nothing to learn", a.name)
	}
	e, err := a.encoder(features)
	if err != nil {
		return nil, err
	}
	return e.Encode(a)
}
