package simplicial

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/neuralkforms/nkf/datasets"
)

// Save writes the complex to a file, as [datasets.WriteFile] does: it appears complete or not at all. The
// folder must exist.
func (c *Complex) Save(path string) error {
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return fmt.Errorf("simplicial: saving %s: %w", path, err)
	}
	if err := datasets.WriteFile(path, 0o666, c.Encode); err != nil {
		return fmt.Errorf("simplicial: saving a complex: %w", err)
	}
	return nil
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
