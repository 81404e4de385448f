package train

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// Journal keeps finished work on disk, one JSON object a line, so that a run
// that was interrupted continues where it stopped. A line is written at
// once and reaches the disk before Append returns; a line that a crash cut
// short is dropped when the journal is opened again.
type Journal struct {
	file  *os.File
	lock  *flock.Flock
	lines map[string]json.RawMessage
}

// journalLine is a line of the file.
type journalLine struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
}

// OpenJournal opens the journal at path, making it and its folder if need
// be. It belongs to one process at a time: a second one gets an error.
func OpenJournal(path string) (*Journal, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, fmt.Errorf("the folder for results: %w", err)
	}
	lock := flock.New(path + ".lock")
	switch held, err := lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("locking %s: %w", path, err)
	case !held:
		return nil, fmt.Errorf(
			"%s is in use by another run: wait until it ends, or choose another --out",
			path,
		)
	}
	j := &Journal{lock: lock, lines: map[string]json.RawMessage{}}
	if err := j.open(path); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

// open reads the lines and cuts off what is not one.
func (j *Journal) open(path string) error {
	var err error
	if j.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return fmt.Errorf("the journal of results: %w", err)
	}
	reader := bufio.NewReader(j.file)
	end := int64(0)
	for number := 1; ; number++ {
		text, err := reader.ReadBytes('\n')
		if err == io.EOF {
			// Whatever is left has no end: it was being written.
			break
		}
		if err != nil {
			return fmt.Errorf("reading %s: %w", path, err)
		}
		var line journalLine
		if err := json.Unmarshal(text, &line); err != nil || line.Key == "" {
			return fmt.Errorf(
				"%s, line %d is damaged: remove the line, or the file to begin anew (%v)",
				path,
				number,
				err,
			)
		}
		j.lines[line.Key] = line.Value
		end += int64(len(text))
	}
	if err := j.file.Truncate(end); err != nil {
		return fmt.Errorf("dropping the unfinished line of %s: %w", path, err)
	}
	_, err = j.file.Seek(end, io.SeekStart)
	return err
}

// Get reads the value of a key into v and reports whether there is one.
func (j *Journal) Get(key string, v any) (bool, error) {
	value, ok := j.lines[key]
	if !ok {
		return false, nil
	}
	if err := json.Unmarshal(value, v); err != nil {
		return false, fmt.Errorf("%s, key %q: %w", j.file.Name(), key, err)
	}
	return true, nil
}

// Append adds the value of a key.
func (j *Journal) Append(key string, v any) error {
	value, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("journal entry %q: %w", key, err)
	}
	text, err := json.Marshal(journalLine{key, value})
	if err != nil {
		return fmt.Errorf("journal entry %q: %w", key, err)
	}
	end, err := j.file.Seek(0, io.SeekEnd)
	if err != nil {
		return fmt.Errorf("writing %s: %w", j.file.Name(), err)
	}
	if _, err = j.file.Write(append(text, '\n')); err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		// On a full disk part of the line may be there: it must not be taken
		// for the beginning of the next.
		return errors.Join(fmt.Errorf("writing %s: %w", j.file.Name(), err), j.file.Truncate(end))
	}
	j.lines[key] = value
	return nil
}

// Close ends the use of the journal.
func (j *Journal) Close() error {
	var err error
	if j.file != nil {
		err = j.file.Close()
	}
	return errors.Join(err, j.lock.Unlock())
}
