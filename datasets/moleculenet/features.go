package moleculenet

import (
	"context"
	"errors"
	"io"

	"github.com/neuralkforms/nkf/datasets/smiles"
)

// WriteFeatures reads a CSV file from r and writes a line with the features of atoms and bonds for every
// row, in the format of smiles.AppendRow. It returns the numbers of rows and of refused rows.
//
// Errors call the file by name. Of the columns only SMILES and Separator are used. A row without a SMILES is
// refused, and the note says why.
func WriteFeatures(ctx context.Context, w io.Writer, r io.Reader, name string, columns Columns) (
	rows, refused int, err error) {
	t, err := newTable(r, name, columns.Separator)
	if err != nil {
		return 0, 0, err
	}
	at, err := t.places(Columns{SMILES: columns.SMILES})
	if err != nil {
		return 0, 0, err
	}
	type result struct {
		line []byte
		err  error
	}
	err = ordered(func() (row, error) { return t.next(at) },
		func(r row) result {
			m, err := r.parse()
			line := make([]byte, 0, 32*min(len(r.smiles), 1<<10)) // an atom and its bonds take about 32 bytes
			return result{append(smiles.AppendRow(line, r.number, m, err), '\n'), err}
		},
		func(_ row, out result) error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if rows++; out.err != nil {
				refused++
			}
			_, err := w.Write(out.line)
			return err
		})
	return rows, refused, err
}

// parse returns the molecule of the row.
func (r row) parse() (*smiles.Molecule, error) {
	if r.fault != "" {
		return nil, errors.New(r.fault)
	}
	return smiles.Parse(r.smiles)
}
