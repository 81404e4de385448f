package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets/moleculenet"
)

// molecules returns the commands for molecules.
func (a *app) molecules() *cobra.Command {
	return a.group("molecules", "Look at molecules in CSV files", a.moleculeFeatures())
}

// moleculeFeatures returns the command that prints the features of molecules.
func (a *app) moleculeFeatures() *cobra.Command {
	file, out := &csvFile{}, ""
	cmd := a.command("features --csv FILE --smiles COLUMN",
		"Print the features of atoms and bonds, a line for every row of a CSV file",
		"There are seven columns, separated by tabs:\n\n"+
			"  row     of the file, from 0, without the header and blank lines\n"+
			"  status  ok or refused\n"+
			"  n, m    numbers of atoms and bonds\n"+
			"  atoms   separated by semicolons, each nine numbers separated by commas: atomic number,\n"+
			"          chirality, degree with hydrogens, charge + 5, hydrogens, unpaired electrons,\n"+
			"          hybridization, aromatic, in a ring\n"+
			"  bonds   likewise: two atoms from 0, type, stereo, conjugated\n"+
			"  note    why a row was refused",
		func(ctx context.Context, _ []string) error { return a.writeFeatures(ctx, file, out) })
	file.add(cmd)
	addText(cmd, &out, "out", "FILE", "write to this `FILE` instead of standard output")
	check(cmd, required(cmd, "csv", "smiles"))
	return cmd
}

// writeFeatures writes the features of the molecules in a file, and says how many there are.
func (a *app) writeFeatures(ctx context.Context, f *csvFile, out string) error {
	in, name := a.stdin, "standard input"
	if f.path != "-" {
		file, err := os.Open(f.path)
		if err != nil {
			return err
		}
		defer file.Close()
		in, name = file, f.path
	}
	rows, refused := 0, 0
	err := a.writeTo(out, []string{f.path}, func(to io.Writer) (err error) {
		w := bufio.NewWriter(to)
		rows, refused, err = moleculenet.WriteFeatures(ctx, w, in, name, f.columns)
		return errors.Join(err, w.Flush())
	})
	if err == nil {
		fmt.Fprintf(a.stderr, "nkf: %s, %d refused\n", english.Plural(rows, "row", ""), refused)
	}
	return err
}
