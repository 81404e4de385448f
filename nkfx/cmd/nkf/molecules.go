package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
)

// molecules returns the commands that look at molecules.
func (a *app) molecules() *cobra.Command {
	cmd := a.group("molecules", "Look at molecules in CSV files")
	cmd.AddCommand(a.moleculeFeatures())
	return cmd
}

// moleculeFeatures returns the command that prints the features of molecules.
func (a *app) moleculeFeatures() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "features --csv FILE --smiles COLUMN",
		Short: "Print the features of atoms and bonds, a line for every row of a CSV file",
		Long: "Print the features of atoms and bonds, a line for every row of a CSV file: seven columns\n" +
			"separated by tabs.\n\n" +
			"  row     of the file, from 0, without the header and blank lines\n" +
			"  status  ok or refused\n" +
			"  n, m    numbers of atoms and bonds\n" +
			"  atoms   separated by semicolons, each nine numbers separated by commas: atomic number,\n" +
			"          chirality, degree with hydrogens, charge + 5, hydrogens, unpaired electrons,\n" +
			"          hybridization, aromatic, in a ring\n" +
			"  bonds   likewise: two atoms from 0, type, stereo, conjugated\n" +
			"  note    why a row was refused",
		Args: cobra.NoArgs,
	}
	path := cmd.Flags().String("csv", "", "`FILE` whose first line names the columns")
	column := cmd.Flags().String("smiles", "", "`COLUMN` with the SMILES")
	out := cmd.Flags().String("out", "", "write to this `FILE` instead of standard output")
	if err := errors.Join(cmd.MarkFlagRequired("csv"), cmd.MarkFlagRequired("smiles")); err != nil {
		panic(err)
	}
	cmd.RunE = a.do(func(ctx context.Context, _ []string) error {
		if err := filled(cmd.Flags(), "csv", "smiles", "out"); err != nil {
			return err
		}
		rows, refused, err := a.writeFeatures(ctx, *path, *column, *out)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stderr, "nkf: %d rows, %d refused\n", rows, refused)
		return nil
	})
	return cmd
}

// writeFeatures writes the features to a file, whole or not at all, or to standard output.
func (a *app) writeFeatures(ctx context.Context, path, column, out string) (rows, refused int, err error) {
	in, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer in.Close()
	write := func(to io.Writer) error {
		w := bufio.NewWriter(to)
		rows, refused, err = moleculenet.WriteFeatures(ctx, w, in, path, moleculenet.Columns{SMILES: column})
		return errors.Join(err, w.Flush())
	}
	if out == "" {
		err = write(a.stdout)
		return rows, refused, err
	}
	there, err := os.Stat(out)
	if err != nil || there.Mode().IsRegular() {
		if from, _ := in.Stat(); err == nil && os.SameFile(there, from) {
			return 0, 0, fmt.Errorf("--out %s is the file that is read", out)
		}
		err = datasets.WriteFile(out, 0o666, write)
		return rows, refused, err
	}
	// A device or a pipe is there to be written to, not to be replaced.
	file, err := os.OpenFile(out, os.O_WRONLY, 0)
	if err != nil {
		return 0, 0, err
	}
	err = write(file)
	return rows, refused, errors.Join(err, file.Close())
}
