package moleculenet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/datasets/internal/table"
	"github.com/neuralkforms/nkf/datasets/smiles"
)

// Molecules holds the molecules of a CSV file. Each has a class, or values in one or several columns.
type Molecules struct {
	datasets.Info                    // Classes are ascending; Tasks are columns of values
	SMILES        []string           // [G]: text of each molecule
	Graphs        []*smiles.Molecule // [G]
	Targets       [][]float64        // [G]: number of its class, values of tasks (NaN: missing), or nothing
	Refused       []Skipped          // rows that are no molecules
	Unlabeled     []Skipped          // molecules without a label

	columns      Columns  // that were read
	rows         []int32  // [G]: row of each molecule, from 0
	ids          []string // [G]: what the file calls each molecule; nil without such a column
	atoms, bonds int      // of all molecules together
	extended     int      // molecules with an extension of SMILES
}

// Len returns the number of molecules.
func (m *Molecules) Len() int { return len(m.rows) }

// Skipped is a row of a file that is not among the molecules.
type Skipped struct {
	Row    int    // from 0
	Line   int    // from 1
	SMILES string // its beginning if it is very long; "" if there is none
	Reason string
}

// quoted returns the reason with the text in question, shortened if it is long.
func (s Skipped) quoted() string {
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

// notes reports rows of the file that are not among the molecules, the first with their text, and counts the
// extensions that are not read.
func (m *Molecules) notes() (notes []string) {
	const most = 3 // of each kind are listed
	for _, kind := range []struct {
		what string
		rows []Skipped
	}{{"no molecule", m.Refused}, {"no label", m.Unlabeled}} {
		if len(kind.rows) == 0 {
			continue
		}
		note := fmt.Sprintf("%d of %s left out, with %s", len(kind.rows),
			english.Plural(m.Len()+len(m.Refused)+len(m.Unlabeled), "row", ""), kind.what)
		for _, s := range kind.rows[:min(most, len(kind.rows))] {
			note += fmt.Sprintf("\n  row %d, line %d: %s", s.Row, s.Line, fileio.Printable(s.quoted()))
		}
		if more := len(kind.rows) - most; more > 0 {
			note += fmt.Sprintf("\n  and %d more", more)
		}
		notes = append(notes, note)
	}
	if m.extended > 0 {
		notes = append(notes, fmt.Sprintf("%d of %s have an extension of SMILES (CXSMILES, |…|), which "+
			"is not read", m.extended, english.Plural(m.Len(), "molecule", "")))
	}
	return notes
}

// Bounds of a data set.
const (
	maxAtoms   = 1 << 25 // and bonds
	maxSkipped = 1 << 20 // rows
	maxListed  = 1000    // bytes of the SMILES of such a row
)

// add appends a molecule and its labels, or a row that is skipped: it does not parse, or has no label where
// it should have one.
func (m *Molecules) add(r row, labels []table.Labels) error {
	present := func(s string) bool { return !table.Missing(s) }
	switch {
	case r.err != nil:
		return m.skip(r, r.err.Error(), &m.Refused)
	case len(labels) > 0 && !slices.ContainsFunc(r.labels, present):
		return m.skip(r, "no label", &m.Unlabeled)
	}
	m.Graphs = append(m.Graphs, r.molecule)
	m.atoms, m.bonds = m.atoms+len(r.molecule.Atoms), m.bonds+len(r.molecule.Bonds)
	if m.atoms > maxAtoms || m.bonds > maxAtoms {
		return fmt.Errorf("%s: more than %d atoms or bonds: split the file", m.Name, maxAtoms)
	}
	if r.extended {
		m.extended++
	}
	m.rows = append(m.rows, int32(r.number))
	m.SMILES = append(m.SMILES, r.smiles)
	if m.columns.ID != "" {
		m.ids = append(m.ids, r.id)
	}
	for c, label := range r.labels {
		labels[c].Add(label, r.line)
	}
	return nil
}

// skip lists a row.
func (m *Molecules) skip(r row, reason string, list *[]Skipped) error {
	s := Skipped{r.number, r.line, r.smiles, reason}
	if len(s.SMILES) > maxListed {
		s.SMILES = strings.Clone(s.SMILES[:maxListed]) + "…"
	}
	if *list = append(*list, s); len(m.Refused)+len(m.Unlabeled) > maxSkipped {
		first := append(m.Refused, m.Unlabeled...)[0]
		return fmt.Errorf("%s: more than %d rows are no molecules or have no label, such as line %d "+
			"(%s): take them out", m.Name, maxSkipped, first.Line, first.quoted())
	}
	return nil
}

// empty returns the error of a file without a molecule to learn from.
func (m *Molecules) empty() error {
	count, reason := len(m.Refused)+len(m.Unlabeled), ""
	if len(m.Refused) > 0 {
		s := m.Refused[0]
		reason = fmt.Sprintf("; line %d was refused: %s", s.Line, s.quoted())
	}
	switch rows := english.Plural(count, "row", ""); {
	case count == 0:
		return fmt.Errorf("%s has no row below the names of its columns", m.Name)
	case len(m.columns.Labels) == 0:
		return fmt.Errorf("%s has no molecule in %s%s", m.Name, rows, reason)
	default:
		return fmt.Errorf("%s has no molecule with a label: of %s %d refused, %d with nothing in any column "+
			"of labels (%s)%s", m.Name, rows, len(m.Refused), len(m.Unlabeled),
			fileio.Quoted(m.columns.Labels), reason)
	}
}

// learn sets the classes or tasks, and the targets.
func (m *Molecules) learn(columns []table.Labels, task datasets.Task) error {
	if m.Targets = make([][]float64, m.Len()); len(columns) == 0 {
		return nil
	}
	info, targets, err := table.Learn(columns, task)
	if err != nil {
		return err
	}
	m.Classes, m.Tasks, m.Regression, m.Targets = info.Classes, info.Tasks, info.Regression, targets
	if m.Classes == nil {
		return nil
	}
	if m.Label = columns[0].Column; task == datasets.Automatic {
		return m.tooMany(&columns[0])
	}
	return nil
}

// tooMany returns an error if most molecules have a class of their own, from which nothing can be learned.
// Two classes are never too many.
func (m *Molecules) tooMany(l *table.Labels) error {
	size, alone := make([]int, len(m.Classes)), 0
	for _, class := range m.Targets {
		size[int(class[0])]++
	}
	for _, s := range size {
		if s == 1 {
			alone++
		}
	}
	if len(size) <= 2 || 2*alone <= m.Len() {
		return nil
	}
	return fmt.Errorf("%s: column %q has %s for %s, %d of them in only one: name another column, or ask for "+
		"--task regression or --task classification", l.Name, l.Column,
		english.Plural(len(size), "class", ""), english.Plural(m.Len(), "molecule", ""), alone)
}
