package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
)

// csvFile is a file of molecules described by flags.
type csvFile struct {
	path    string // "-" is standard input
	columns moleculenet.Columns
}

// add gives cmd the flags --csv, --smiles and --separator.
func (f *csvFile) add(cmd *cobra.Command) {
	addText(cmd, &f.path, "csv", "FILE",
		"`FILE` of molecules whose first line names the columns; - is standard input")
	addText(cmd, &f.columns.SMILES, "smiles", "COLUMN", "`COLUMN` with the SMILES")
	must(cmd.RegisterFlagCompletionFunc("smiles", f.complete))
	addFlag(cmd, &f.columns.Separator, "separator", "NAME", "of columns: comma, semicolon, tab, or a sign "+
		"of your own (default the one that the first line has)", separator, "comma", "semicolon", "tab")
}

// separator parses a separator of columns.
func separator(text string) (rune, error) {
	switch strings.ToLower(text) {
	case "comma":
		return ',', nil
	case "semicolon":
		return ';', nil
	case "tab", `\t`:
		return '\t', nil
	}
	r, size := utf8.DecodeRuneInString(text)
	word := unicode.IsLetter(r) || unicode.IsDigit(r)
	if size < len(text) || word || r == utf8.RuneError || strings.ContainsRune("\"\r\n\x00", r) {
		return 0, errors.New("take comma, semicolon, tab, or one sign that is no letter, digit or quote")
	}
	return r, nil
}

// complete completes the name of a column.
func (f *csvFile) complete(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return f.names(), cobra.ShellCompDirectiveNoFileComp
}

// names returns the names of the columns that can be read at once and are printable.
func (f *csvFile) names() []string {
	if info, err := os.Stat(f.path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	file, err := os.Open(f.path)
	if err != nil {
		return nil
	}
	defer file.Close()
	names, _ := moleculenet.ColumnNames(file, f.path, f.columns.Separator)
	return slices.DeleteFunc(names, func(name string) bool { return datasets.Printable(name) != name })
}

// readMolecules reads a file, or standard input.
func (a *app) readMolecules(path string, columns moleculenet.Columns) (*moleculenet.Molecules, error) {
	if path != "-" {
		return moleculenet.Open(path, columns)
	}
	m, err := moleculenet.Read(a.stdin, "standard input", columns)
	if err == nil {
		m.Name = "stdin"
	}
	return m, err
}

// writeTo writes to a file, whole or not at all, or to standard output if out is "". A device or a
// pipe is written to and not replaced. A file that is also read is an error.
func (a *app) writeTo(out string, read []string, write func(io.Writer) error) error {
	if out == "" {
		return write(a.stdout)
	}
	there, err := os.Stat(out)
	if err != nil || there.Mode().IsRegular() {
		for _, path := range read {
			if from, e := os.Stat(path); err == nil && e == nil && os.SameFile(there, from) {
				return fmt.Errorf("--out %s is the file that is read", out)
			}
		}
		return datasets.WriteFile(out, 0o666, write)
	}
	file, err := os.OpenFile(out, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = write(file)
	return errors.Join(err, file.Close())
}
