package moleculenet

import (
	"context"
	"errors"
	"io"

	"github.com/neuralkforms/nkf/datasets/smiles"
)

// WriteFeatures reads a CSV file from r and writes a line with the features of atoms and bonds for every
// row, in the format of smiles.AppendRow, as it goes. It returns the number of rows and of those refused.
//
// The name is that of the file in errors; of the columns it takes the one with the SMILES. A row without a
// SMILES is refused, and the note says why.
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
	type text struct {
		lines         []byte
		rows, refused int
	}
	err = ordered(func() (row, error) { return t.next(at) },
		func(chunk []row) text {
			out := text{rows: len(chunk)}
			for _, r := range chunk {
				m, err := r.parse()
				if err != nil {
					out.refused++
				}
				out.lines = append(smiles.AppendRow(out.lines, r.number, m, err), '\n')
			}
			return out
		},
		func(t text) error {
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			rows, refused = rows+t.rows, refused+t.refused
			_, err := w.Write(t.lines)
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
