package moleculenet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/smiles"
)

// Molecules holds the molecules of a CSV file with one class each, in flat arrays, molecule after molecule.
type Molecules struct {
	Name         string
	DataRows     int                   // rows of the file, with those that were skipped
	Rows         []int32               // [G]: row of each molecule, from 0
	SMILES       []string              // [G]: text of each molecule
	Labels       []int32               // [G]: class number of each molecule
	Classes      []string              // Classes[c] names class c, ascending
	AtomStart    []int32               // [G+1]: molecule g owns the atoms AtomStart[g] to AtomStart[g+1]
	Atoms        []smiles.AtomFeatures // [A]
	BondStart    []int32               // [G+1]: molecule g owns the bonds BondStart[g] to BondStart[g+1]
	Bonds        [][2]int32            // [B]: atoms within their molecule, the smaller first
	BondFeatures []smiles.BondFeatures // [B]
	Refused      []Skipped             // rows that are no molecules
	Unlabelled   []Skipped             // molecules without a label
	SHA256       string                // of the file, in hexadecimal
}

// Skipped is a row of a file that is not among the molecules.
type Skipped struct {
	Row    int    // from 0
	Line   int    // from 1
	SMILES string // "" if there is none
	Reason string
}

// Columns names the columns of a file. Without a column of labels all molecules are of one class, called "".
type Columns struct{ SMILES, Label string }

// published are the columns of MoleculeNet's files.
var published = map[string]Columns{
	"BACE": {"mol", "Class"},
	"BBBP": {"smiles", "p_np"},
	"HIV":  {"smiles", "HIV_active"},
}

// Load returns the benchmark of that name, BACE, BBBP or HIV in upper or lower case, found or downloaded by
// datasets.Find.
func Load(ctx context.Context, name string) (*Molecules, error) {
	source, err := datasets.Lookup(name)
	if err != nil {
		return nil, err
	}
	columns, ok := published[source.Name]
	if !ok {
		return nil, fmt.Errorf("%s holds no molecules: take BACE, BBBP or HIV", source.Name)
	}
	path, err := datasets.Find(ctx, source.Name)
	if err != nil {
		return nil, err
	}
	m, err := Open(path, columns)
	if err != nil {
		return nil, err
	}
	m.Name = source.Name
	return m, nil
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
	m.Name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	return m, nil
}

// Bounds of a data set, so that its offsets fit into 32 bits and its coordinates into 1 GiB.
const (
	maxAtoms       = 1 << 27
	maxCoordinates = 1 << 28
)

// Read reads molecules in the format of CSV; the name is that of the file in errors. Molecules are parsed on
// all cores; the result does not depend on how many there are.
//
// It is an error if there is no molecule with a label, or if labels are numbers but not whole ones.
func Read(r io.Reader, name string, columns Columns) (*Molecules, error) {
	hash := sha256.New()
	t, err := newTable(io.TeeReader(r, hash), name)
	if err != nil {
		return nil, err
	}
	smilesAt, err := t.column(columns.SMILES)
	if err != nil {
		return nil, err
	}
	labelAt := -1
	if columns.Label != "" {
		if labelAt, err = t.column(columns.Label); err != nil {
			return nil, err
		}
	}
	m := &Molecules{Name: name, AtomStart: []int32{0}, BondStart: []int32{0}}
	l := labels{name: name, column: columns.Label}
	err = ordered(func() (row, error) { return t.next(smilesAt, labelAt) },
		func(p *smiles.Parser, rows []row) *part { return parseRows(p, rows, labelAt >= 0) },
		func(p *part) error { return m.add(p, &l) })
	if err != nil {
		return nil, err
	}
	m.DataRows = t.rows
	if len(m.Rows) == 0 {
		reason := ""
		if len(m.Refused) > 0 {
			s := m.Refused[0]
			reason = fmt.Sprintf("; line %d was refused: %s", s.Line, s.Reason)
		}
		return nil, fmt.Errorf("%s has no molecule with a label: of %d rows %d were refused and %d have "+
			"nothing in column %q%s", name, m.DataRows, len(m.Refused), len(m.Unlabelled), columns.Label,
			reason)
	}
	if m.Classes, m.Labels, err = l.classes(); err != nil {
		return nil, err
	}
	m.SHA256 = hex.EncodeToString(hash.Sum(nil))
	return m, nil
}

// part is what a worker makes of some rows.
type part struct {
	Molecules
	kept []row
}

// parseRows parses some rows, and skips those without a label if they are to have one.
func parseRows(p *smiles.Parser, rows []row, labelled bool) *part {
	out := &part{}
	for _, r := range rows {
		skipped := Skipped{Row: r.number, Line: r.line, SMILES: r.smiles}
		molecule, err := r.parse(p)
		if err != nil {
			skipped.Reason = err.Error()
			out.Refused = append(out.Refused, skipped)
			continue
		}
		if labelled && missing(r.label) {
			skipped.Reason = "no label"
			out.Unlabelled = append(out.Unlabelled, skipped)
			continue
		}
		out.kept = append(out.kept, r)
		for i := range molecule.Atoms {
			out.Atoms = append(out.Atoms, molecule.AtomFeatures(i))
		}
		for i, b := range molecule.Bonds {
			out.Bonds = append(out.Bonds, [2]int32{min(b.Begin, b.End), max(b.Begin, b.End)})
			out.BondFeatures = append(out.BondFeatures, molecule.BondFeatures(i))
		}
		out.AtomStart = append(out.AtomStart, int32(len(out.Atoms)))
		out.BondStart = append(out.BondStart, int32(len(out.Bonds)))
	}
	return out
}

// add appends what a worker made.
func (m *Molecules) add(p *part, l *labels) error {
	if len(m.Atoms)+len(p.Atoms) > maxAtoms || len(m.Bonds)+len(p.Bonds) > maxAtoms {
		return fmt.Errorf("%s: more than %d atoms or bonds: split the file", m.Name, maxAtoms)
	}
	atoms, bonds := int32(len(m.Atoms)), int32(len(m.Bonds))
	for i, r := range p.kept {
		m.Rows = append(m.Rows, int32(r.number))
		m.SMILES = append(m.SMILES, r.smiles)
		m.AtomStart = append(m.AtomStart, atoms+p.AtomStart[i])
		m.BondStart = append(m.BondStart, bonds+p.BondStart[i])
		l.add(r.label, r.line)
	}
	m.Atoms = append(m.Atoms, p.Atoms...)
	m.Bonds = append(m.Bonds, p.Bonds...)
	m.BondFeatures = append(m.BondFeatures, p.BondFeatures...)
	m.Refused = append(m.Refused, p.Refused...)
	m.Unlabelled = append(m.Unlabelled, p.Unlabelled...)
	return nil
}

// Len returns the number of molecules.
func (m *Molecules) Len() int { return len(m.Rows) }
