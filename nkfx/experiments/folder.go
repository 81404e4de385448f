package experiments

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neuralkforms/nkf/nkfx/models"
)

// Bounds of a name in bytes, so that every file system takes it: of one that is
// given, and of what one that is made says of data.
const (
	maxName = 200
	maxOf   = 100
)

// plain returns the text with signs that not every file system or shell takes
// replaced by _.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._+-", r) {
			return r
		}
		return '_' // U+FFFD for what is no UTF-8, too
	}, text)
}

// ValidName returns an error for what is no name of a saved model.
func ValidName(name string) error {
	if name == "" || plain(name) != name || strings.HasPrefix(name, ".") || len(name) > maxName {
		return fmt.Errorf("%.80q is no name of a model: take letters, digits, _, + and -, and dots within, "+
			"in at most %d bytes", name, maxName)
	}
	return nil
}

// fileName returns a name for what a model makes of a column of data, or of
// several, or of the data as such. Where signs had to go, or a column could be
// taken for several, it has a part of their checksum: no two share a name.
func fileName(dataset string, columns []string, model string) string {
	whole := dataset
	if len(columns) > 0 {
		whole += "-" + strings.Join(columns, "+")
	}
	name := plain(whole)
	end := min(len(name), maxOf)
	for end < len(name) && !utf8.RuneStart(name[end]) {
		end--
	}
	name = name[:end]
	joins := func(column string) bool { return strings.Contains(column, "+") }
	if name != whole || slices.ContainsFunc(columns, joins) {
		sum := sha256.Sum256(fmt.Appendf(nil, "%q %q", dataset, columns))
		name += "-" + hex.EncodeToString(sum[:4])
	}
	return name + "-" + plain(model)
}

// Folder returns the folder under one for results in which the model is to be
// saved. Its name says what the model is of: data set, columns, kind.
func (t *Training) Folder(out string) string {
	columns := t.saved.Tasks
	if t.saved.Label != "" {
		columns = []string{t.saved.Label}
	}
	return filepath.Join(out, "models", fileName(t.saved.Dataset, columns, t.saved.Model))
}

// Reserve creates the folder and returns the model in it that this one would
// overwrite, nil if there is none. It returns an error if the model cannot be
// saved there, or if a model of other data, other columns or another kind would
// be lost.
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
	if err := probe(folder); err != nil {
		return nil, fmt.Errorf("the folder of the model: %w", err)
	}
	return old, nil
}

// probe makes a folder in which a model can be written. Another run may release the folder meanwhile.
func probe(folder string) error {
	const tries = 100
	for try := 1; ; try++ {
		err := os.MkdirAll(folder, 0o777)
		var file *os.File
		if err == nil {
			file, err = os.CreateTemp(folder, "."+models.File+".*") // as it would be written
		}
		if err == nil {
			return errors.Join(file.Close(), os.Remove(file.Name()))
		}
		if try == tries || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
}

// Release removes the folder if nothing was saved there. Another run may have
// removed it, or begun to save there: then it has not to be removed.
func (t *Training) Release(folder string) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) || len(entries) > 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if err = os.Remove(folder); errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}
