package published

import (
	_ "embed"
	"path"
	"slices"
	"strings"
)

// Set is a published data set. Its origin, terms and reference stand in README.md, beside this file.
type Set struct {
	Name string

	files []file // in the order in which they are read
}

// file is a published file.
type file struct {
	Name   string // e.g. "BZR.zip"
	Path   string // below a folder of data sets, with slashes, e.g. "tu/BZR.zip"
	SHA256 string // of the file's bytes, in hexadecimal
}

// sets are all data sets.
var sets = slices.Concat(
	one("tu/", ".zip", "AIDS", "BZR", "COX2", "DHFR", "Letter-low", "Letter-med", "Letter-high"),
	[]Set{of("BACE", "moleculenet/bace.csv")},
	one("moleculenet/", ".csv", "BBBP", "HIV"),
	split("ArticularyWordRecognition", "BasicMotions", "ERing", "Epilepsy", "Handwriting", "Libras", "NATOPS",
		"PenDigits", "RacketSports", "UWaveGestureLibrary"),
	[]Set{
		of("Drifters", "drifters/tracks.csv", "drifters/nodes.csv", "drifters/edges.csv",
			"drifters/triangles.csv", "drifters/node_paths.csv"),
	})

// one returns sets of one file each, which is called like the set.
func one(before, after string, names ...string) (all []Set) {
	for _, name := range names {
		all = append(all, of(name, before+name+after))
	}
	return all
}

// split returns sets of the UEA archive, each with a training and a test file.
func split(names ...string) (all []Set) {
	for _, name := range names {
		all = append(all, of(name, "uea/"+name+"_TRAIN.ts", "uea/"+name+"_TEST.ts"))
	}
	return all
}

// of returns a set of embedded files.
func of(name string, paths ...string) Set {
	s := Set{Name: name}
	for _, at := range paths {
		s.files = append(s.files, file{path.Base(at), at, sums[at]})
	}
	return s
}

// sums are the checksums of the embedded files. The published folds of the benchmarks were made from them.
var sums = checksums(sumList)

// sumList is what sha256sum prints of the embedded files.
//
//go:embed sha256.txt
var sumList string

// checksums returns what is in a list, by name.
func checksums(list string) map[string]string {
	sums := map[string]string{}
	for line := range strings.Lines(list) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		sums[name] = sum
	}
	return sums
}
