package series

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/datasets/internal/table"
	"github.com/neuralkforms/nkf/datasets/internal/text"
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
	return readAll(r, r.open, r.places(train, test))
}

// ReadTS returns the series of files in the .ts format, as [OpenTS] does.
func ReadTS(train datasets.File, test ...datasets.File) (*Set, error) {
	r := &reader{}
	return readAll(r, r.file, append([]datasets.File{train}, test...))
}

// OpenTable returns the paths in CSV files with a row for every observation: the first file is for training,
// and any others are for testing. A path is all rows with its ID, wherever they stand, in the order of the
// file or of a column. Paths without a label are left out if a label is learned. Invalid files are errors
// with file and line.
//
// To predict, give no training file, as to [OpenTS]: paths without a label stay.
func OpenTable(columns Columns, train string, test ...string) (*Set, error) {
	r := columns.reader()
	return readAll(r, r.open, r.places(train, test))
}

// ReadTable returns the paths in CSV files, as [OpenTable] does.
func ReadTable(columns Columns, train datasets.File, test ...datasets.File) (*Set, error) {
	r := columns.reader()
	return readAll(r, r.file, append([]datasets.File{train}, test...))
}

// reader collects the paths of files: of parts, the first to be trained on.
type reader struct {
	unlabeled   int // paths that were left out
	asked       Columns
	columns     Columns
	table       bool // in place of series
	n           int  // coordinates
	title       string
	name        string   // of the file that is read
	names, sums []string // of the files that were read
	first       string   // name of the first series file
	label       string   // what is to be learned; "" for nothing
	classes     []string // as the first file declares them
	predicted   bool     // paths without a label stay
	paths       []path
	known       map[string]int // numbers of the paths of a table, by id
	values      int            // of all paths that are held
	*parts                     // of a file that is read twice; nil else
}

// path is a path as it is read. There may be millions whose values are not held.
type path struct {
	*observed
	id     string
	label  string  // as the file has it
	target float64 // the value that the label is, or the number of its class
	number int32   // among all that the files have, also those that are left out
	part   int32   // that it belongs to
	line   int32   // in which it begins
	rows   int32   // that were counted in a first pass, and are not yet read
}

// observed are the values of a path: NaN where they are missing.
type observed struct {
	n      int
	points []float64 // [T, n]
	order  []float64 // [T], of a table whose rows a column sorts
}

// row returns an observation.
func (p *path) row(i int) []float64 { return p.points[i*p.n : (i+1)*p.n] }

// pick keeps some of the observations, in the order given.
func (p *path) pick(keep []int) {
	points := make([]float64, 0, len(keep)*p.n)
	for _, i := range keep {
		points = append(points, p.row(i)...)
	}
	p.points = points
}

// places returns where the parts are. Without one to train on, paths are to be predicted.
func (r *reader) places(train string, test []string) []string {
	if r.predicted = train == "" && len(test) > 0; r.predicted {
		return test
	}
	return append([]string{train}, test...)
}

// readAll returns what is in all parts, of which read reads one.
func readAll[T any](r *reader, read func(T) (sum string, err error), parts []T) (*Set, error) {
	for _, part := range parts {
		sum, err := read(part)
		if err == nil {
			err = r.end(sum)
		}
		if err != nil {
			return nil, err
		}
	}
	return r.build()
}

// end ends a part that was read. It is an error if it has no path.
func (r *reader) end(sum string) error {
	if n := len(r.paths); n == 0 || int(r.paths[n-1].part) < len(r.names) {
		return fmt.Errorf("%s: no series", r.name)
	}
	r.names, r.sums = append(r.names, r.name), append(r.sums, sum)
	return nil
}

// open reads a file, and returns its checksum.
func (r *reader) open(path string) (sum string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() { // a pipe may have no end, and opening one waits for whoever writes to it
		return "", fmt.Errorf("%s is not a file: give the path of one", path)
	}
	f, err := fileio.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	return r.read(f, filepath.Base(path))
}

// file reads a file that is in memory.
func (r *reader) file(f datasets.File) (sum string, err error) {
	return r.read(bytes.NewReader(f.Bytes), f.Name)
}

// read reads the content of a file, and returns its checksum.
func (r *reader) read(in io.Reader, name string) (sum string, err error) {
	r.name = name
	read := r.readTS
	if r.table {
		read = r.readTable
	}
	hash := sha256.New()
	content := io.TeeReader(in, hash)
	if err := read(content); err != nil {
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
	p := path{part: int32(len(r.names)), line: int32(line), number: int32(len(r.paths))}
	if !r.surveys() {
		p.observed = &observed{n: r.n}
	}
	r.paths = append(r.paths, p)
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

// number returns the number that a text spells, NaN for one that is missing.
func number(spelled string) (float64, error) {
	spelled = strings.TrimSpace(spelled)
	if table.Missing(spelled) {
		return math.NaN(), nil
	}
	x, err := text.Number(spelled)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%.40q is not a finite number; ? stands for one that is missing", spelled)
	case math.Abs(x) > math.MaxFloat32:
		return 0, fmt.Errorf("%.40q is not a finite number that 32 bits can hold", spelled)
	}
	return x, nil
}

// learn sets the targets of the paths, and leaves those without a label out where others have one, unless
// they are to be predicted. It returns the classes or the task.
func (r *reader) learn() (info datasets.Info, err error) {
	if r.label == "" {
		return info, nil
	}
	all := []table.Labels{{Column: r.label, Declared: r.classes}}
	labels := &all[0]
	labeled := make([]bool, len(r.names))
	for g := range r.paths {
		p := &r.paths[g]
		labels.Name = r.names[p.part]
		labels.Add(p.label, int(p.line))
		labeled[p.part] = labeled[p.part] || labels.Of[g] >= 0
	}
	if part := slices.Index(labeled, false); part >= 0 && (r.table || slices.Contains(labeled, true)) {
		return info, fmt.Errorf("%s: no path has a label in %q", r.names[part], r.label)
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
				r.unlabeled++
				continue
			}
			p.target = unknown
		}
		paths = append(paths, p)
	}
	r.paths = paths
}
