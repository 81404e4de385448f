package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
)

// File is a file that was read.
type File struct {
	Name   string
	Path   string // where it was found; "" if the program holds it
	SHA256 string // of Bytes, in hexadecimal
	Bytes  []byte
}

// FileSHA256 returns the SHA-256 of the file's bytes in hexadecimal. A pipe or a device, which may have no
// end, is an error.
func FileSHA256(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("read %s: it is not a file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// Fingerprint returns the SHA-256 of the names and checksums of files, in hexadecimal. It identifies a data
// set of several files.
func Fingerprint(names, sums []string) string {
	hash := sha256.New()
	for i, name := range names {
		fmt.Fprintf(hash, "%q %s\n", name, sums[i])
	}
	return hex.EncodeToString(hash.Sum(nil))
}
