package series

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// readFile reads a file in a format; errors call it by the name.
func readFile(path, name string, read func(*file, io.Reader) error) (*file, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // a pipe may have no end, and opening one waits for whoever writes to it
		return nil, fmt.Errorf("%s is not a file: give the path of one", path)
	}
	r, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	return readContent(r, name, read)
}

// readContent reads the content of a file in a format.
func readContent(r io.Reader, name string, read func(*file, io.Reader) error) (*file, error) {
	hash := sha256.New()
	content := io.TeeReader(r, hash)
	f := &file{name: name}
	if err := read(f, content); err != nil {
		return nil, err
	}
	if _, err := io.Copy(io.Discard, content); err != nil {
		return nil, err
	}
	f.sum = hex.EncodeToString(hash.Sum(nil))
	if f.title == "" {
		f.title = strings.TrimSuffix(unpacked(f.name), filepath.Ext(unpacked(f.name)))
	}
	return f, nil
}

// unpacked returns the name of a file without the ending of one that is packed.
func unpacked(name string) string {
	if strings.EqualFold(filepath.Ext(name), ".gz") {
		return name[:len(name)-len(".gz")]
	}
	return name
}
