package moleculenet

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/datasets/internal/table"
	"github.com/neuralkforms/nkf/datasets/smiles"
)

// Columns names the columns of a file and what to learn from the labels. Without a column of labels,
// molecules can only be predicted.
type Columns struct {
	SMILES    string
	Labels    []string
	Task      datasets.Task
	ID        string // column with what molecules are called, or ""
	Separator rune   // of columns; 0 is the one of comma, semicolon and tab that the first line has
}

// Published are the columns of MoleculeNet's files, by the names of the data sets.
var Published = map[string]Columns{
	"BACE": {SMILES: "mol", Labels: []string{"Class"}, Task: datasets.Classification},
	"BBBP": {SMILES: "smiles", Labels: []string{"p_np"}, Task: datasets.Classification},
	"HIV":  {SMILES: "smiles", Labels: []string{"HIV_active"}, Task: datasets.Classification},
}

// ColumnNames returns the names of the columns in the first line of a CSV file. Errors call the file by
// name; the separator is as in [Columns].
func ColumnNames(r io.Reader, name string, separator rune) ([]string, error) {
	t, err := table.New(r, name, separator)
	if err != nil {
		return nil, err
	}
	return t.Head, nil
}

// Open reads a CSV file. Its name without the ending becomes that of the data set.
func Open(path string, columns Columns) (*Molecules, error) {
	file, err := fileio.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	m, err := Read(file, path, columns)
	if err != nil {
		return nil, err
	}
	m.Name = fileio.Printable(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
	return m, nil
}

// Read reads molecules from CSV; errors call the file by name. Molecules are parsed on all cores, whose
// number does not change the result. Labels may be missing: only a molecule without any label is left out.
//
// It is an error if there is no molecule with a label, if a column has none, or if labels do not fit the
// task.
func Read(r io.Reader, name string, columns Columns) (*Molecules, error) {
	hash := sha256.New()
	t, err := table.New(io.TeeReader(r, hash), name, columns.Separator)
	if err != nil {
		return nil, err
	}
	f := &file{Table: t}
	if err := f.find(columns); err != nil {
		return nil, err
	}
	labels := make([]table.Labels, len(f.labels))
	for i, column := range f.labels {
		labels[i] = table.Labels{Name: name, Column: t.Head[column]}
	}
	m := &Molecules{Info: datasets.Info{Name: name}, columns: columns}
	for rows, err := range f.parsed() {
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if err := m.add(r, labels); err != nil {
				return nil, err
			}
		}
	}
	if m.Len() == 0 {
		return nil, m.empty()
	}
	m.SHA256 = hex.EncodeToString(hash.Sum(nil))
	if err := m.learn(labels, columns.Task); err != nil {
		return nil, err
	}
	columns.ID, columns.Task = "", datasets.Automatic // what came of it counts
	m.Settings, m.Notes = columns, m.notes()
	return m, nil
}

// Each calls do with the molecules of a table in parts of some thousands, which have neither labels nor
// notes, and returns the notes on all of them: for predictions, a table may be of any size. It is an error if
// there is no molecule.
func Each(r io.Reader, name string, columns Columns, do func(*Molecules) error) (notes []string, err error) {
	t, err := table.New(r, name, columns.Separator)
	if err != nil {
		return nil, err
	}
	f, columns := &file{Table: t}, Columns{SMILES: columns.SMILES, ID: columns.ID}
	if err := f.find(columns); err != nil {
		return nil, err
	}
	all := &Molecules{Info: datasets.Info{Name: name}, columns: columns} // without SMILES and graphs
	part := func(rows []row) error {
		m := &Molecules{Info: all.Info, columns: columns, Refused: all.Refused}
		for _, r := range rows {
			if err := m.add(r, nil); err != nil {
				return err
			}
		}
		all.Refused, all.extended, all.rows = m.Refused, all.extended+m.extended, append(all.rows, m.rows...)
		if m.Targets, m.Refused = make([][]float64, m.Len()), nil; m.Len() == 0 {
			return nil
		}
		return do(m)
	}
	const few = 512 // that are no part of their own
	var before []row
	for rows, err := range f.parsed() {
		if err != nil {
			return nil, err
		}
		if len(rows) >= few && before != nil {
			if err := part(before); err != nil {
				return nil, err
			}
			before = nil
		}
		before = append(before, rows...)
	}
	if err := part(before); err != nil {
		return nil, err
	}
	if all.Len() == 0 {
		return nil, all.empty()
	}
	return all.notes(), nil
}

// each calls work with the numbers below count, on all cores.
func each(count int, work func(i int)) {
	var group sync.WaitGroup
	var next atomic.Int64
	for range min(count, runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(count); i = next.Add(1) - 1 {
				work(int(i))
			}
		})
	}
	group.Wait()
}

// FromSMILES returns a molecule without a label. It is an error if the text is not a SMILES.
func FromSMILES(text string) (*Molecules, error) {
	r := row{smiles: text}
	if r.parse(); r.err != nil {
		return nil, fmt.Errorf("%.60q: %w", text, r.err)
	}
	m := &Molecules{Info: datasets.Info{Name: "SMILES"}, Targets: make([][]float64, 1)}
	return m, m.add(r, nil)
}

// file is a table of molecules at one of its rows.
type file struct {
	*table.Table
	read       int // rows that were read
	smiles, id int // columns of interest, from 0; id is -1 without such a column
	labels     []int
}

// find finds the columns.
func (f *file) find(columns Columns) (err error) {
	if f.smiles, err = f.Column(columns.SMILES); err != nil {
		return err
	}
	f.id = -1
	if columns.ID != "" {
		if f.id, err = f.Column(columns.ID); err != nil {
			return err
		}
	}
	for _, name := range columns.Labels {
		label, err := f.label(name)
		if err != nil {
			return err
		}
		if slices.Contains(f.labels, label) {
			return fmt.Errorf("%s: the column %q is named twice", f.Name, name)
		}
		f.labels = append(f.labels, label)
	}
	return nil
}

// label finds a column of labels. A flag lists these with commas in between, which splits names that hold
// commas; the error explains it.
func (f *file) label(name string) (int, error) {
	at, err := f.Column(name)
	if err == nil {
		return at, nil
	}
	for _, h := range f.Head {
		start, _, comma := strings.Cut(h, ",")
		if comma && strings.EqualFold(start, name) {
			return 0, fmt.Errorf(`%w; put a name that holds commas in double quotes within the flag: `+
				`--label '"%.80s"'`, err, h)
		}
	}
	return 0, err
}

// row is a row of a file: the fields of interest, without white space around.
type row struct {
	number     int // from 0
	line       int // of the file, from 1
	smiles, id string
	labels     []string // one of each column of labels
	extended   bool     // an extension stood after the SMILES

	molecule *smiles.Molecule
	err      error // what is wrong with the row or its SMILES
}

// parse sets the molecule of the row.
func (r *row) parse() {
	if r.err == nil {
		r.molecule, r.err = smiles.Parse(r.smiles)
	}
}

// parsed yields all rows in parts, whose molecules are parsed while the part before is worked on. The last
// has an error if not all rows could be read.
func (f *file) parsed() iter.Seq2[[]row, error] {
	return func(yield func([]row, error) bool) {
		var ahead []row
		var err error
		var parsing sync.WaitGroup
		defer parsing.Wait()
		for err == nil || len(ahead) > 0 {
			var rows []row
			if err == nil {
				rows, err = f.rows()
			}
			parsing.Wait()
			before := ahead
			ahead = rows
			parsing.Go(func() { each(len(rows), func(i int) { rows[i].parse() }) })
			if len(before) > 0 && !yield(before, nil) {
				return
			}
		}
		if err != io.EOF {
			yield(nil, err)
		}
	}
}

// rows returns the next rows: enough to keep all cores busy, few enough to bound the memory. At the end of
// the file the error is io.EOF.
func (f *file) rows() (rows []row, err error) {
	const most, mostBytes = 4096, 1 << 22
	for bytes := 0; len(rows) < most && bytes < mostBytes; {
		fields, err := f.Record()
		if err != nil {
			return rows, err
		}
		r := f.row(fields)
		rows = append(rows, r)
		bytes += len(r.smiles) + len(r.id)
	}
	return rows, nil
}

// row returns the row with those fields.
func (f *file) row(fields []string) row {
	r := row{number: f.read, line: f.Line()}
	f.read++
	if fault := f.Overflow(fields); fault != "" {
		r.err = errors.New(fault)
		return r
	}
	if f.smiles >= len(fields) {
		r.err = fmt.Errorf("the row has %d of %d fields, no field in column %q", len(fields), len(f.Head),
			f.Head[f.smiles])
		return r
	}
	// Clones, because the fields of a record share the memory of its line.
	field := func(at int) string {
		if at < 0 || at >= len(fields) {
			return ""
		}
		return strings.Clone(strings.TrimSpace(fields[at]))
	}
	r.smiles, r.id = field(f.smiles), field(f.id)
	before, _, bar := strings.Cut(r.smiles, "|")
	if text := strings.TrimSpace(before); bar && len(text) < len(before) && len(strings.Fields(text)) == 1 {
		r.smiles, r.extended = text, true
	}
	for _, at := range f.labels {
		r.labels = append(r.labels, field(at))
	}
	return r
}
