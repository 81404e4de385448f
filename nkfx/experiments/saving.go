package experiments

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// journal returns the path of the journal.
func (t *Training) journal() string {
	name := fileName(t.task.Data.Name, nil, t.run.Model)
	return filepath.Join(t.run.Out, t.run.Benchmark.Experiment, name+".jsonl")
}

// maxName bounds a name in bytes, so that every file system takes it.
const maxName = 200

// plain returns the text with characters that not every file system or shell takes replaced by _.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._+-", r) {
			return r
		}
		return '_' // U+FFFD for what is no UTF-8, too
	}, text)
}

// ValidName returns an error if a saved model cannot have the name: letters, digits, _, +, - and dots within.
func ValidName(name string) error {
	if name == "" || plain(name) != name || strings.HasPrefix(name, ".") || len(name) > maxName {
		return fmt.Errorf("%.80q is not a valid name of a model: take letters, digits, _, + and -, and dots "+
			"within, in at most %d bytes", name, maxName)
	}
	return nil
}

// fileName returns a name for what a model makes of columns of data, or of the data as such.
func fileName(dataset string, columns []string, model string) string {
	if len(columns) > 0 {
		dataset += "-" + strings.Join(columns, "+")
	}
	name := plain(dataset)
	return strings.ToValidUTF8(name[:min(len(name), maxName/2)], "") + "-" + plain(model)
}

// Folder returns the folder for a saved model within a folder for results, named after data set, columns and
// model.
func (t *Training) Folder(out string) string {
	columns := t.saved.Tasks
	if t.saved.Label != "" {
		columns = []string{t.saved.Label}
	}
	return filepath.Join(out, "models", fileName(t.saved.Dataset, columns, t.saved.Model))
}

// Reserve returns the model in a folder that this one would overwrite, nil if
// there is none. It returns an error if the model cannot be saved there, or if a
// model of other data, other columns or another kind would be lost.
func (t *Training) Reserve(folder string) (old *models.Saved, err error) {
	const remedy = "choose another name, or remove that folder"
	old, err = models.Read(folder)
	if errors.Is(err, models.ErrFormat) {
		return nil, fmt.Errorf("%w; to train, %s", err, remedy)
	}
	if err == nil {
		if what := old.Differs(t.saved); what != "" {
			return nil, fmt.Errorf("%s holds a model of %s, which would be lost (%s of %q): %s", folder, what,
				old.Model, old.Dataset, remedy)
		}
	}
	if err := fileio.Folder(filepath.Dir(folder)); err != nil {
		return nil, err
	}
	return old, nil
}
