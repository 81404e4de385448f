package nkfx

import (
	"encoding/gob"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// Every cell of a Go notebook is a program of its own, so what one has computed has to be kept for the next.

// Keep keeps value for the cells that follow, which get it by [Kept], until the kernel ends. Only exported
// fields are kept.
func Keep(name string, value any) error {
	path, err := keptFile(name)
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), name+"*.part")
	if err != nil {
		return fmt.Errorf("keeping %q: %w", name, err)
	}
	defer os.Remove(file.Name()) // fails where it has its final name
	err = gob.NewEncoder(file).Encode(value)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("keeping %q: %w", name, err)
	}
	return nil
}

// Kept returns what a cell before has kept under that name.
func Kept[T any](name string) (*T, error) {
	path, err := keptFile(name)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if os.IsNotExist(err) {
		return nil, fmt.Errorf("%w: nothing is kept as %q: run the cell with Keep(%q, …) first",
			fs.ErrNotExist, name, name)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	value := new(T)
	if err := gob.NewDecoder(file).Decode(value); err != nil {
		return nil, fmt.Errorf("what is kept as %q is no %T: %w", name, *value, err)
	}
	return value, nil
}

// keptFile returns the file for what is kept under a name, in the folder of the kernel.
func keptFile(name string) (string, error) {
	if !regexp.MustCompile(`^[\w-]+$`).MatchString(name) {
		return "", fmt.Errorf("the name %q: use letters, digits, - and _", name)
	}
	dir := os.Getenv(protocol.GONB_TMP_DIR_ENV)
	if dir == "" {
		return "", fmt.Errorf("%s is not set: values are kept between the cells of a notebook only",
			protocol.GONB_TMP_DIR_ENV)
	}
	return filepath.Join(dir, "kept_"+name+".gob"), nil
}
