package moleculenet

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/internal/table"
	"github.com/neuralkforms/nkf/datasets/smiles"
)

// Molecules holds the molecules of a CSV file. Each has a class, or targets in one or several columns.
type Molecules struct {
	Name      string
	Columns   Columns            // that were read
	Rows      []int32            // [G]: row of each molecule, from 0
	SMILES    []string           // [G]: text of each molecule
	IDs       []string           // [G]: what the file calls each molecule; nil without such a column
	Task      datasets.Task      // Classification or Regression
	Labels    []int32            // [G]: class number of each molecule; zeros with Tasks
	Classes   []string           // Classes[c] names class c, ascending; nil with Tasks
	Tasks     []string           // columns of Targets; nil if there are Classes
	Targets   []float32          // [G, len(Tasks)]: NaN where missing; 0 and 1 in a classification
	Graphs    []*smiles.Molecule // [G]
	Refused   []Skipped          // rows that are no molecules
	Unlabeled []Skipped          // molecules without a label
	SHA256    string             // of the file, in hexadecimal

	atoms, bonds int // of all molecules together
}

// Skipped is a row of a file that is not among the molecules.
type Skipped struct {
	Row    int    // from 0
	Line   int    // from 1
	SMILES string // its beginning if it is very long; "" if there is none
	Reason string
	Kind   string // of the reason: a step of [smiles.Error], row for a row that is damaged, or no label
}

// Quoted returns the reason with the text that it is about, which is cut where it is long.
func (s Skipped) Quoted() string {
	const most = 40
	text := []rune(s.SMILES)
	if len(text) == 0 {
		return s.Reason
	}
	if len(text) > most {
		text = append(text[:most:most], '…')
	}
	return fmt.Sprintf("%q: %s", string(text), s.Reason)
}

// Columns names the columns of a file and what to learn from the labels. Without a column of labels all
// molecules are of one class, called "".
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

// Open reads a CSV file. Its name without the ending becomes that of the data set.
func Open(path string, columns Columns) (*Molecules, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	m, err := Read(file, path, columns)
	if err != nil {
		return nil, err
	}
	m.Name = datasets.Printable(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
	return m, nil
}

// Bounds of a data set: its coordinates, nine or more of each atom, take 1 GiB at most; the list of skipped
// rows is bounded too.
const (
	maxCoordinates = 1 << 28
	maxAtoms       = maxCoordinates / 9
	maxSkipped     = 1 << 20 // rows
	maxListed      = 1000    // bytes of the SMILES of such a row
)

// Read reads molecules from CSV; errors call the file by name. Molecules are parsed on all cores, whose
// number does not change the result. Labels may be missing: only a molecule without any is left out.
//
// It is an error if there is no molecule with a label, if a column has none, or if labels are not what the
// task asks for.
func Read(r io.Reader, name string, columns Columns) (*Molecules, error) {
	hash := sha256.New()
	t, err := newTable(io.TeeReader(r, hash), name, columns.Separator)
	if err != nil {
		return nil, err
	}
	at, err := t.places(columns)
	if err != nil {
		return nil, err
	}
	l := make([]table.Labels, max(1, len(at.labels)))
	for i, column := range at.labels {
		l[i] = table.Labels{Name: name, Column: t.Head[column]}
	}
	m := &Molecules{Name: name, Columns: columns}
	if at.id >= 0 {
		m.IDs = []string{}
	}
	type result struct {
		*smiles.Molecule
		err error
	}
	err = ordered(func() (row, error) { return t.next(at) },
		func(r row) result {
			molecule, err := r.parse()
			return result{molecule, err}
		},
		func(r row, parsed result) error { return m.add(r, parsed.Molecule, parsed.err, l) })
	if err != nil {
		return nil, err
	}
	if len(m.Rows) == 0 {
		return nil, m.empty(columns)
	}
	if len(at.labels) == 0 {
		m.Task, m.Labels, m.Classes = datasets.Classification, make([]int32, m.Len()), []string{""}
	} else if err := m.setLabels(l, columns.Task); err != nil {
		return nil, err
	}
	m.SHA256 = hex.EncodeToString(hash.Sum(nil))
	return m, nil
}

// empty returns the error of a file without a molecule to learn from.
func (m *Molecules) empty(columns Columns) error {
	count := len(m.Refused) + len(m.Unlabeled)
	if count == 0 {
		return fmt.Errorf("%s has no row below the names of its columns", m.Name)
	}
	rows, reason := english.Plural(count, "row", ""), ""
	if len(m.Refused) > 0 {
		s := m.Refused[0]
		reason = fmt.Sprintf("; line %d was refused: %s", s.Line, s.Quoted())
	}
	if len(columns.Labels) == 0 {
		return fmt.Errorf("%s has no molecule in %s%s", m.Name, rows, reason)
	}
	return fmt.Errorf("%s has no molecule with a label: of %s %d refused, %d with nothing in any column of "+
		"labels (%s)%s", m.Name, rows, len(m.Refused), len(m.Unlabeled), table.Quoted(columns.Labels), reason)
}

// add appends a molecule and its labels, or a row that is skipped: it does not parse, or has no label where
// it should have one.
func (m *Molecules) add(r row, molecule *smiles.Molecule, err error, l []table.Labels) error {
	labeled := slices.ContainsFunc(r.labels, func(s string) bool { return !table.Missing(s) })
	if err != nil || len(r.labels) > 0 && !labeled {
		const none = "no label"
		skipped := Skipped{Row: r.number, Line: r.line, SMILES: r.smiles, Reason: none, Kind: none}
		if len(r.smiles) > maxListed {
			skipped.SMILES = strings.Clone(r.smiles[:maxListed]) + "…"
		}
		if err != nil {
			skipped.Reason, skipped.Kind = err.Error(), "row"
			var refused *smiles.Error
			if errors.As(err, &refused) {
				skipped.Kind = refused.Step
			}
			m.Refused = append(m.Refused, skipped)
		} else {
			m.Unlabeled = append(m.Unlabeled, skipped)
		}
		if len(m.Refused)+len(m.Unlabeled) > maxSkipped {
			first := append(m.Refused, m.Unlabeled...)[0]
			return fmt.Errorf("%s: more than %d rows are no molecules or have no label, such as line %d "+
				"(%s): take them out", m.Name, maxSkipped, first.Line, first.Quoted())
		}
		return nil
	}
	m.Graphs = append(m.Graphs, molecule)
	m.atoms, m.bonds = m.atoms+len(molecule.Atoms), m.bonds+len(molecule.Bonds)
	if m.atoms > maxAtoms || m.bonds > maxAtoms {
		return fmt.Errorf("%s: more than %d atoms or bonds: split the file", m.Name, maxAtoms)
	}
	m.Rows = append(m.Rows, int32(r.number))
	m.SMILES = append(m.SMILES, r.smiles)
	if m.IDs != nil {
		m.IDs = append(m.IDs, r.id)
	}
	for c, label := range r.labels {
		l[c].Add(label, r.line)
	}
	return nil
}

// parse returns the molecule of the row.
func (r row) parse() (*smiles.Molecule, error) {
	if r.fault != "" {
		return nil, errors.New(r.fault)
	}
	return smiles.Parse(r.smiles)
}

// Len returns the number of molecules.
func (m *Molecules) Len() int { return len(m.Rows) }
