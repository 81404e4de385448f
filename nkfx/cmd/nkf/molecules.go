package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// csvFile is a file of molecules described by flags.
type csvFile struct {
	path    string // "-" is standard input
	columns moleculenet.Columns
}

// add gives cmd the flags --csv, --smiles and --separator.
func (f *csvFile) add(cmd *cobra.Command, separator *rune) {
	addText(cmd, &f.path, "csv", "FILE",
		"`FILE` of molecules whose first line names the columns; - is standard input")
	addText(cmd, &f.columns.SMILES, "smiles", "COLUMN", "`COLUMN` with the SMILES", f.complete)
	addSeparator(cmd, separator)
}

// addSeparator gives cmd the flag --separator.
func addSeparator(cmd *cobra.Command, to *rune) {
	addFlag(cmd, to, "separator", "NAME", "of columns: comma, semicolon, tab, or a sign "+
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

// moleculesInput gives the command the flags of molecules.
func (a *app) moleculesInput(q *request) input {
	f := &csvFile{}
	f.add(q.cmd, &q.separator)
	q.files = append(q.files, f.names)
	w := way{flag: "csv", needs: []string{"smiles"}, takes: []string{"separator", "id"}}
	if q.run != nil {
		w.needs = append(w.needs, "label")
		w.takes = []string{"separator", "task", "split", "features"}
	}
	in := input{kind: "molecules", ways: []way{w}, path: func() string { return f.path }}
	in.check = func() error {
		f.columns.ID, f.columns.Labels = q.id, q.labels
		f.columns.Task, f.columns.Separator = q.task, q.separator
		if q.run == nil {
			return nil
		}
		if q.run.Features != "" {
			if _, err := moleculenet.ParseFeatures(q.run.Features); err != nil {
				return fmt.Errorf("--features: %w", err)
			}
		}
		return q.checkLabels()
	}
	in.open = func(trained *models.Saved) (datasets.Source, error) {
		m, err := a.readMolecules(f.path, f.columns)
		if err != nil {
			return nil, err
		}
		a.tellSkipped(m)
		if trained == nil {
			a.tellTask(m, q.task)
		}
		return m, nil
	}
	return in
}

// checkLabels returns an error unless --label names columns, each once.
func (q *request) checkLabels() error {
	for i, label := range q.labels {
		if slices.Contains(q.labels[:i], label) && label != "" {
			return fmt.Errorf("--label names the column %q twice", label)
		}
	}
	if len(q.labels) == 0 || slices.Contains(q.labels, "") {
		return errors.New("--label names no column")
	}
	return nil
}

// complete completes the name of a column.
func (f *csvFile) complete(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return f.names(), cobra.ShellCompDirectiveNoFileComp
}

// names returns the names of the columns.
func (f *csvFile) names() []string { return columnNames(f.path, f.columns.Separator) }

// columnNames returns the names of the columns of a table that can be read at once and are printable.
func columnNames(path string, separator rune) []string {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	names, _ := moleculenet.ColumnNames(file, path, separator)
	return slices.DeleteFunc(names, func(name string) bool { return datasets.Printable(name) != name })
}

// readMolecules reads a file, or standard input.
func (a *app) readMolecules(path string, columns moleculenet.Columns) (*moleculenet.Molecules, error) {
	if path != "-" {
		defer a.during("reading " + path)()
		return moleculenet.Open(path, columns)
	}
	m, err := moleculenet.Read(a.stdin, "standard input", columns)
	if err == nil {
		m.Name = "stdin"
	}
	return m, err
}

// writeTo writes to a file or, if out is "", to standard output, once all could be written: an error leaves
// nothing there that could be taken for all. A device or a pipe is written to and not replaced. A file that
// is also read is an error.
func (a *app) writeTo(out string, read []string, write func(io.Writer) error) error {
	if out == "" {
		return atOnce(a.stdout, write)
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
	return errors.Join(atOnce(file, write), file.Close())
}

// atOnce writes when all is there: until then it is in a temporary file.
func atOnce(to io.Writer, write func(io.Writer) error) error {
	file, err := os.CreateTemp("", "nkf-")
	if err != nil {
		return fmt.Errorf("a temporary file: %w", err)
	}
	defer func() { _ = errors.Join(file.Close(), os.Remove(file.Name())) }() // it does no harm
	buffered := bufio.NewWriter(file)
	if err := errors.Join(write(buffered), buffered.Flush()); err != nil {
		return err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err = io.Copy(to, file)
	return err
}

// tellSkipped says which rows of a file are not used: the first ones with their text, and how many others
// there are for each reason.
func (a *app) tellSkipped(m *moleculenet.Molecules) {
	const most = 3 // of each kind are listed
	for _, kind := range []struct {
		what string
		rows []moleculenet.Skipped
	}{{"no molecule", m.Refused}, {"no label", m.Unlabeled}} {
		if len(kind.rows) == 0 {
			continue
		}
		fmt.Fprintf(a.stderr, "nkf: %s: %d of %s left out, with %s\n", m.Name, len(kind.rows),
			english.Plural(m.Len()+len(m.Refused)+len(m.Unlabeled), "row", ""), kind.what)
		for _, s := range kind.rows[:min(most, len(kind.rows))] {
			fmt.Fprintf(a.stderr, "  row %d, line %d: %s\n", s.Row, s.Line, datasets.Printable(s.Quoted()))
		}
		if more := len(kind.rows) - most; more > 0 {
			fmt.Fprintf(a.stderr, "  and %d more: %s\n", more, counted(kind.rows[most:]))
		}
	}
}

// counted says how many rows there are for each reason, most first.
func counted(rows []moleculenet.Skipped) string {
	count := map[string]int{}
	for _, s := range rows {
		count[s.Kind]++
	}
	kinds := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(count[b]-count[a], strings.Compare(a, b))
	})
	for i, kind := range kinds {
		kinds[i] = fmt.Sprintf("%d %s", count[kind], kind)
	}
	return strings.Join(kinds, ", ")
}

// tellTask says what is to be learned.
func (a *app) tellTask(m *moleculenet.Molecules, asked datasets.Task) {
	what := fmt.Sprintf("the %s %s", english.Plural(len(m.Classes), "class", ""), quotedSome(m.Classes))
	switch {
	case m.Tasks != nil && m.Task == datasets.Regression:
		what = "numbers: " + quotedSome(m.Tasks)
	case m.Tasks != nil:
		what = "0 or 1 of each of " + quotedSome(m.Tasks)
	}
	hint := ""
	if asked == datasets.Automatic {
		hint = " (--task takes other choices)"
	}
	fmt.Fprintf(a.stderr, "nkf: %s: %v, to learn %s%s\n", m.Name, m.Task, what, hint)
	if gaps := gaps(m.Targets); gaps > 0 {
		fmt.Fprintf(a.stderr, "nkf: %s: %d of %d labels are missing and count for nothing\n", m.Name, gaps,
			len(m.Targets))
	}
}

// quotedSome lists the first names.
func quotedSome(names []string) string {
	var out []string
	for _, name := range names[:min(listed+1, len(names))] {
		out = append(out, strconv.Quote(name))
	}
	return datasets.List(out)
}

// listed is how many values of a kind are listed.
const listed = 6

// gaps returns how many of the targets are missing.
func gaps(targets []float32) int {
	count := 0
	for _, y := range targets {
		if math.IsNaN(float64(y)) {
			count++
		}
	}
	return count
}
