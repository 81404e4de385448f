// Package saved writes trained models as JSON that has its own checksum, and believes nothing of what it
// reads.
package saved

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/neuralkforms/nkf/datasets/fileio"
)

// maxSize bounds the file of a model: ten times the largest of the paper's models, with room.
const maxSize = 1 << 28

// ErrFormat is the error of a model from another version of nkf.
var ErrFormat = errors.New("format")

// Head is the format and the checksum of a model, fields of what is saved.
type Head struct {
	Format   *int
	Checksum *string // SHA-256 of all else
}

// text returns the JSON of a model in a format with its checksum, which is that of the same text without it.
func (h Head) text(model any, format int) ([]byte, error) {
	*h.Format, *h.Checksum = format, ""
	text, err := json.MarshalIndent(model, "", " ")
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	*h.Checksum = hex.EncodeToString(sum[:])
	text, err = json.MarshalIndent(model, "", " ")
	return append(text, '\n'), err
}

// Write writes a model, which has that head, in a format. The file appears complete or not at all; its folder
// is created if necessary.
func (h Head) Write(file string, model any, format int) error {
	text, err := h.text(model, format)
	if err != nil {
		return fmt.Errorf("writing the model: %w", err)
	}
	return fileio.Write(file, 0o666, fileio.Bytes(text))
}

// Read reads a file that Write wrote into a model, which has that head; program says what writes such files.
// It is an error if the file is damaged, of another format, or if check has one.
func (h Head) Read(file string, model any, format int, program string, check func() error) error {
	info, err := os.Stat(file)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxSize) {
		err = fmt.Errorf("%s is not a regular file of at most %d bytes", filepath.Base(file), maxSize)
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(file)
	}
	if err != nil {
		return fmt.Errorf("%s holds no model: %w; %s makes one", filepath.Dir(file), err, program)
	}
	if err := json.Unmarshal(text, model); err != nil {
		return fmt.Errorf("%s is damaged: %s; train again", file, Unreadable(err))
	}
	if *h.Format != format {
		return fmt.Errorf("%s has %w %d, this version of nkf reads %d: use the version that wrote it, "+
			"or train again", file, ErrFormat, *h.Format, format)
	}
	if same, err := h.text(model, format); err != nil || !bytes.Equal(text, same) {
		return fmt.Errorf("%s is damaged: it does not match its checksum; train again", file)
	}
	if err := check(); err != nil {
		return fmt.Errorf("%s holds no model: %w; train again", file, err)
	}
	return nil
}

// Unreadable says what is wrong with a text in JSON.
func Unreadable(err error) string {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Sprintf("byte %d: the field %q cannot be a %s", kind.Offset, kind.Field, kind.Value)
	}
	return err.Error()
}
