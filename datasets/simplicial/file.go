package simplicial

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Save writes the complex to a file. The file appears complete or not at all: the data go to a
// temporary file in the same folder, which then takes the name path, replacing what was there.
func (c *Complex) Save(path string) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return fmt.Errorf("simplicial: saving: %w", err)
	}
	defer func() {
		if err != nil {
			file.Close()
			os.Remove(file.Name())
			err = fmt.Errorf("simplicial: saving %s: %w", path, err)
		}
	}()
	if err = c.Encode(file); err != nil {
		return err
	}
	if err = file.Chmod(0o644); err != nil {
		return err
	}
	if err = file.Sync(); err != nil {
		return err
	}
	if err = file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

// Load reads a complex from a file that Save wrote. Errors are as in Decode; data after the complex
// are an error too.
func Load(path string) (*Complex, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("simplicial: loading: %w", err)
	}
	defer file.Close()
	c, err := decode(file)
	if err != nil {
		return nil, fmt.Errorf("simplicial: loading %s: %w", path, err)
	}
	if n, _ := io.Copy(io.Discard, io.LimitReader(file, 1)); n > 0 {
		return nil, fmt.Errorf("simplicial: loading %s: data after the end of the complex", path)
	}
	return c, nil
}
