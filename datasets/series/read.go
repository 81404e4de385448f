package series

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/internal/folder"
	"github.com/neuralkforms/nkf/datasets/internal/table"
)

// OpenTS returns the series of files in the .ts format of the UCR and UEA archives (Bagnall et al. 2018), as
// sktime and aeon write it: the first file is for training, and any others are for testing.
//
// Series may be univariate or multivariate, of unequal lengths, and with missing values (?, NaN or nothing),
// but without times (@timestamps). The target is a class (@classLabel) or a number (@targetLabel). Without
// either, the collection has one class and can only be predicted. Series without a label are left out if
// others have one. It is an error, with file and line, if a file has another format, or if series do not have
// the lengths or the number of channels that its header declares.
//
// To predict, give no training file, as in OpenTS("", "mine.ts"): the next file takes its place, and series
// without a label stay. They have the class "", which comes last, or the value NaN.
func OpenTS(train string, test ...string) (*Set, error) {
	r := &reader{}
	return readAll(r, func(path string) (name, sum string, err error) {
		sum, err = r.open(path, filepath.Base(path))
		return r.name, sum, err
	}, r.places(train, test))
}

// ReadTS returns the series of files in the .ts format, as [OpenTS] does.
func ReadTS(train datasets.File, test ...datasets.File) (*Set, error) {
	r := &reader{}
	return readAll(r, r.file, append([]datasets.File{train}, test...))
}

// OpenTracks returns the tracks in files as paths: the first file is for training, and any others are for
// testing. The extension gives the format: .gpx, .geojson or .json, with .gz after it if the file is packed;
// all other files are CSV tables with one row per observation.
//
// Instead of a file, a folder may be given, whose GPX and GeoJSON files are read, including subfolders, or a
// pattern of [path/filepath.Glob] that matches such files or folders. Hidden files and other extensions are
// then skipped, a track without a name has the name of its file, and with [Columns.Folders] a track has the
// class of its folder.
//
// A track is one path, over all of its segments: a gap is a longer edge. If all observations have times, a
// track is sorted by time, and times are kept: numbers or dates, of one kind in all files. Longitudes in
// degrees, by their units or names, continue across the date line. Tracks without a label are left out if a
// label is learned, and so are features and tracks without a line. Invalid files are errors with file and
// line: of coordinates in degrees also latitudes beyond 90 and longitudes beyond 360, in GeoJSON also other
// types and reference systems.
//
// To predict, give no training file, as to [OpenTS]: tracks without a label stay.
func OpenTracks(columns Columns, train string, test ...string) (*Set, error) {
	r, err := columns.reader()
	if err != nil {
		return nil, err
	}
	return readAll(r, r.place, r.places(train, test))
}

// ReadTracks returns the tracks in files as paths, as [OpenTracks] does.
func ReadTracks(columns Columns, train datasets.File, test ...datasets.File) (*Set, error) {
	r, err := columns.reader()
	if err != nil {
		return nil, err
	}
	return readAll(r, r.file, append([]datasets.File{train}, test...))
}

// reader collects the paths of files: of parts, the first to be trained on, of one file or several.
type reader struct {
	set         Set
	columns     Columns
	tracks      bool // in place of series
	n           int  // coordinates
	title       string
	name        string   // of the file that is read
	names, sums []string // of the parts that were read
	first       string   // name of the first series file
	label       string   // what is to be learned; "" for nothing
	classes     []string // as the first file declares them
	predicted   bool     // paths without a label stay
	paths       []path
	values      int       // of all paths
	times       int       // that were read
	dates       bool      // whether these are dates; else they are numbers
	calendar    bool      // that all look like dates
	periods     []float64 // of the clock
}

// path is a series or track as it is read.
type path struct {
	track        // values are NaN where they are missing; times are fewer where not all observations have one
	part   int   // that it belongs to
	bare   int   // observations without a time
	number int32 // among all that the files have, also those that are left out
	file   string
	line   int
	id     string
	label  string  // as the file has it; with Folders the name of the file
	target float64 // the value that the label is, or the number of its class
}

// track is a polyline with its clock.
type track struct {
	n      int
	points []float64 // [T, n]
	times  []float64 // [T]; nil for none
}

// row returns an observation.
func (t track) row(i int) []float64 { return t.points[i*t.n : (i+1)*t.n] }

// pick returns some of the observations.
func (t track) pick(keep []int) track {
	out := track{n: t.n}
	for _, i := range keep {
		out.points = append(out.points, t.row(i)...)
		if t.times != nil {
			out.times = append(out.times, t.times[i])
		}
	}
	return out
}

// places returns where the parts are. Without one to train on, paths are to be predicted.
func (r *reader) places(train string, test []string) []string {
	if r.predicted = train == "" && len(test) > 0; r.predicted {
		return test
	}
	return append([]string{train}, test...)
}

// readAll returns what is in all parts, of which read reads one.
func readAll[T any](r *reader, read func(T) (name, sum string, err error), parts []T) (*Set, error) {
	for _, part := range parts {
		before := len(r.paths)
		name, sum, err := read(part)
		if err != nil {
			return nil, err
		}
		if len(r.paths) == before {
			return nil, fmt.Errorf("%s: no series", name)
		}
		r.names, r.sums = append(r.names, name), append(r.sums, sum)
	}
	return r.build()
}

// open reads a file that errors call by the name, and returns its checksum.
func (r *reader) open(path, name string) (sum string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() { // a pipe may have no end, and opening one waits for whoever writes to it
		return "", fmt.Errorf("%s is not a file: give the path of one", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	return r.read(f, name)
}

// file reads a file that is in memory.
func (r *reader) file(f datasets.File) (name, sum string, err error) {
	sum, err = r.read(bytes.NewReader(f.Bytes), f.Name)
	return f.Name, sum, err
}

// read reads the content of a file in the format of its name, and returns its checksum.
func (r *reader) read(in io.Reader, name string) (sum string, err error) {
	r.name = name
	read := (*reader).readTS
	if r.tracks {
		if read = format(name); read == nil {
			read = (*reader).readTable
		}
	}
	hash := sha256.New()
	content := io.TeeReader(in, hash)
	if err := read(r, content); err != nil {
		return "", err
	}
	if _, err := io.Copy(io.Discard, content); err != nil {
		return "", err
	}
	r.title = cmp.Or(r.title, strings.TrimSuffix(unpacked(name), filepath.Ext(unpacked(name))))
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// unpacked returns the name of a file without the ending of one that is packed.
func unpacked(name string) string {
	if strings.EqualFold(filepath.Ext(name), ".gz") {
		return name[:len(name)-len(".gz")]
	}
	return name
}

// add adds a path without observations that begins in a line.
func (r *reader) add(line int) *path {
	r.paths = append(r.paths, path{track: track{n: r.n}, part: len(r.names), file: r.name, line: line,
		number: int32(len(r.paths) + r.set.skipped)})
	return &r.paths[len(r.paths)-1]
}

const maxValues = 1 << 28 // of all files: 2 GiB

// count counts values, which are bounded.
func (r *reader) count(values int) error {
	if r.values += values; r.values > maxValues {
		return fmt.Errorf("more than %d values", maxValues)
	}
	return nil
}

// learn sets the targets of the paths, and leaves those without a label out where others have one, unless
// they are to be predicted. It returns the classes or the task.
func (r *reader) learn() (info datasets.Info, err error) {
	if r.label == "" {
		return info, nil
	}
	if r.columns.Folders {
		var names []string
		for _, p := range r.paths {
			names = append(names, p.label)
		}
		classes, targets, err := folder.Classes(names)
		for g, class := range targets {
			r.paths[g].target = class[0]
		}
		return datasets.Info{Classes: classes}, err
	}
	all := []table.Labels{{Column: r.label, Declared: r.classes}}
	labels := &all[0]
	labeled := make([]bool, len(r.names))
	for g, p := range r.paths {
		labels.Name = p.file
		labels.Add(p.label, p.line)
		labeled[p.part] = labeled[p.part] || labels.Of[g] >= 0
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
	unknown := math.NaN()
	if r.predicted && info.Classes != nil && slices.Contains(labels.Of, -1) {
		unknown = float64(len(info.Classes))
		info.Classes = append(slices.Clone(info.Classes), "")
	}
	r.aim(labels.Of, targets, unknown)
	return info, nil
}

// aim sets the targets of the paths: an unknown one of those whose label is none, -1, or leaves them out.
func (r *reader) aim(labels []int32, targets [][]float64, unknown float64) {
	paths := r.paths[:0]
	for g, p := range r.paths {
		p.target = targets[g][0]
		if labels[g] < 0 {
			if !r.predicted {
				r.set.unlabeled++
				continue
			}
			p.target = unknown
		}
		paths = append(paths, p)
	}
	r.paths = paths
}
