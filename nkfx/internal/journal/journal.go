// Package journal keeps finished work on disk, so that an interrupted run
// resumes where it stopped.
package journal

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/gofrs/flock"
)

// Journal is a file with one JSON object a line. A line is written at
// once and reaches the disk before Append returns; a line that a crash cut
// short is dropped when the journal is opened again. Every line has a checksum:
// one that was changed is an error.
type Journal struct {
	file  *os.File
	lock  *flock.Flock
	lines map[string]json.RawMessage
}

// line is a line of the file.
type line struct {
	Key    string          `json:"key"`
	Value  json.RawMessage `json:"value"`
	SHA256 string          `json:"sha256"` // of key and value
}

// head is what every line begins with.
const head = `{"key":"`

// sum returns the checksum that the line should have.
func (l line) sum() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s", l.Key, l.Value))
	return hex.EncodeToString(sum[:])
}

// Open opens the journal at path, making it and its folder if need
// be. It belongs to one process at a time: a second one gets an error.
func Open(path string) (*Journal, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, fmt.Errorf("the folder for results: %w", err)
	}
	if err := errors.Join(regular(path), regular(path+lockEnding)); err != nil {
		return nil, err
	}
	lock, err := lockFile(path)
	if err != nil {
		return nil, err
	}
	j := &Journal{lock: lock}
	if j.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666); err == nil {
		var end int64
		if end, err = j.read(j.file); err == nil {
			err = j.file.Truncate(end) // drops an unfinished line
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the journal of results: %w", err), j.Close())
	}
	return j, nil
}

// Read returns the lines of the journal at path as they are now, also
// while another process adds to it. Nothing can be added to what it returns,
// which is empty where there is no file.
func Read(path string) (*Journal, error) {
	if err := regular(path); err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &Journal{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the journal of results: %w", err)
	}
	defer file.Close()
	j := &Journal{}
	if _, err := j.read(file); err != nil {
		return nil, fmt.Errorf("the journal of results: %w", err)
	}
	return j, nil
}

// lockEnding follows the name of a journal in that of the file that says whose it is.
const lockEnding = ".lock"

// regular returns an error if a path leads to something that is no file: a pipe would be waited for.
func regular(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("the journal of results: %s is no regular file: remove it, or choose another --out",
			path)
	}
	return nil
}

// lockFile locks the file beside path that says whose the journal is.
func lockFile(path string) (*flock.Flock, error) {
	lock := flock.New(path+lockEnding, flock.SetPermissions(0o666)) // less the umask, as the journal
	locked, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("locking %s: %w", path, err)
	}
	if locked {
		// Remove may have unlinked the file between open and lock, and another
		// process may have locked a new file of that name: compare the files.
		held, errHeld := lock.Stat()
		there, errThere := os.Stat(lock.Path())
		if errHeld == nil && errThere == nil && os.SameFile(held, there) {
			return lock, nil
		}
		_ = lock.Unlock()
	}
	return nil, fmt.Errorf("%s is in use by another run: wait until it ends, or choose another --out", path)
}

// read reads the lines and returns where the last of them ends.
func (j *Journal) read(file *os.File) (end int64, err error) {
	j.lines = map[string]json.RawMessage{}
	reader := bufio.NewReader(file)
	for number := 1; ; number++ {
		text, err := reader.ReadBytes('\n')
		if err == io.EOF {
			// What is left has no end: it was being written, or the file is another one.
			if head := []byte(head); !bytes.HasPrefix(text, head) && !bytes.HasPrefix(head, text) {
				return end, fmt.Errorf("%s is no journal: its last line does not begin like one", file.Name())
			}
			return end, nil
		}
		if err != nil {
			return end, err
		}
		var l line
		if json.Unmarshal(text, &l) != nil || l.SHA256 != l.sum() {
			return end, fmt.Errorf("%s, line %d is damaged: it does not match its checksum; remove the line "+
				"to repeat that training, or the file to repeat them all", file.Name(), number)
		}
		j.lines[l.Key] = l.Value
		end += int64(len(text))
	}
}

// Get reads the value of a key into v and reports whether there is one.
func (j *Journal) Get(key string, v any) (bool, error) {
	value, ok := j.lines[key]
	if !ok {
		return false, nil
	}
	if err := json.Unmarshal(value, v); err != nil {
		return false, fmt.Errorf("the journal of results, key %q: %w", key, err)
	}
	return true, nil
}

// Append adds the value of a key.
func (j *Journal) Append(key string, v any) error {
	if j.file == nil {
		return errors.New("this journal was only read: open it to add to it")
	}
	value, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("journal entry %q: %w", key, err)
	}
	l := line{Key: key, Value: value}
	l.SHA256 = l.sum()
	text, err := json.Marshal(l)
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

// Merge adds what the other journal, which is open, has and this one lacks, and returns how much that was.
// Nothing is added if values of one key are not the same.
func (j *Journal) Merge(other *Journal, same func(a, b json.RawMessage) bool) (added int, err error) {
	keys := slices.Sorted(maps.Keys(other.lines))
	for _, key := range keys {
		if value, ok := j.lines[key]; ok && !same(value, other.lines[key]) {
			return 0, fmt.Errorf("%s and %s have different results of one training: keep one of them "+
				"(%.40s … %s)", j.file.Name(), other.file.Name(), key, key[max(0, len(key)-40):])
		}
	}
	for _, key := range keys {
		if _, ok := j.lines[key]; ok {
			continue
		}
		if err := j.Append(key, other.lines[key]); err != nil {
			return added, err
		}
		added++
	}
	return added, nil
}

// Remove ends the use of an open journal and takes its files away.
func (j *Journal) Remove() error {
	return errors.Join(os.Remove(j.file.Name()), os.Remove(j.lock.Path()), j.Close())
}

// Close ends the use of the journal.
func (j *Journal) Close() error {
	var err error
	if j.file != nil {
		err = j.file.Close()
	}
	if j.lock != nil {
		err = errors.Join(err, j.lock.Unlock())
	}
	return err
}
