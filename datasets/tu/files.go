package tu

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxBytes bounds what the files of a data set may hold together, unpacked. The largest of TUDataset hold
// less; an archive made to fill the memory holds more.
const maxBytes = 1 << 30

// kinds are the files that are read, by the part of the name after "DS_".
var kinds = []string{
	"A", "graph_indicator", "graph_labels", "graph_attributes", "node_labels", "node_attributes",
	"edge_labels", "edge_attributes",
}

// files holds the contents of a data set's files by kind.
type files struct {
	name    string
	sha256  string
	content map[string][]byte
}

// file returns the name of the file of a kind.
func (f *files) file(kind string) string { return f.name + "_" + kind + ".txt" }

// text returns a reader of the file of a kind, which must exist.
func (f *files) text(kind string) (*text, error) {
	content, ok := f.content[kind]
	if !ok {
		return nil, fmt.Errorf("%s is missing: a data set needs it", f.file(kind))
	}
	return newText(f.file(kind), content), nil
}

// count returns an error unless the file of a kind, if it exists, has as many rows as there are things.
func (f *files) count(kind string, rows, want int, things string) error {
	if _, ok := f.content[kind]; !ok || rows == want {
		return nil
	}
	return fmt.Errorf("%s has %d lines for %d %s: one of the files is cut off or of another data set",
		f.file(kind), rows, want, things)
}

// member is a file of an archive or a folder that may belong to the data set.
type member struct {
	base string // last part of its name
	size int64  // as declared
	open func() (io.ReadCloser, error)
}

// readFolder returns the files of the data set in a folder.
func readFolder(path string) (*files, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var members []member
	for _, entry := range entries {
		if entry.IsDir() {
			continue
		}
		full := filepath.Join(path, entry.Name())
		info, err := os.Stat(full)
		if err != nil || !info.Mode().IsRegular() {
			continue // a broken link or a device is no text file
		}
		members = append(members, member{entry.Name(), info.Size(), func() (io.ReadCloser, error) {
			return os.Open(full)
		}})
	}
	f, err := readMembers(members)
	if err != nil {
		return nil, err
	}
	hash := sha256.New()
	for _, kind := range kinds {
		if content, ok := f.content[kind]; ok {
			fmt.Fprintf(hash, "%s %d\n", f.file(kind), len(content))
			hash.Write(content)
		}
	}
	f.sha256 = hex.EncodeToString(hash.Sum(nil))
	return f, nil
}

// readZipFile returns the files of the data set in the zip archive at path, of the given size.
func readZipFile(path string, size int64) (*files, error) {
	if size > maxBytes {
		return nil, fmt.Errorf("%d bytes are more than the %d that a data set may have", size, maxBytes)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return readZip(data)
}

// readZip returns the files of the data set in a zip archive.
func readZip(data []byte) (*files, error) {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("no zip archive or one cut off (%w): download it again", err)
	}
	var members []member
	for _, file := range archive.File {
		if file.FileInfo().IsDir() {
			continue
		}
		// Archives name members DS//DS_A.txt, DS/DS_A.txt, DS_A.txt or, made on Windows, DS\DS_A.txt.
		base := file.Name[strings.LastIndexAny(file.Name, `/\`)+1:]
		size := int64(min(file.UncompressedSize64, maxBytes+1))
		members = append(members, member{base, size, file.Open})
	}
	f, err := readMembers(members)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	f.sha256 = hex.EncodeToString(sum[:])
	return f, nil
}

// readMembers reads those members that belong to the data set, whose name the one called DS_A.txt tells.
func readMembers(members []member) (*files, error) {
	f := &files{content: make(map[string][]byte)}
	for _, m := range members {
		name, ok := strings.CutSuffix(m.base, "_A.txt")
		if !ok || strings.HasPrefix(name, ".") { // macOS adds ._DS_A.txt
			continue
		}
		if f.name != "" && f.name != name {
			return nil, fmt.Errorf("two data sets, %s and %s: keep one", f.name, name)
		}
		f.name = name
	}
	if f.name == "" {
		return nil, errors.New("no file whose name ends in _A.txt: this is no data set in the TU format")
	}
	left := int64(maxBytes)
	for _, m := range members {
		kind := strings.TrimSuffix(strings.TrimPrefix(m.base, f.name+"_"), ".txt")
		if m.base != f.file(kind) || !slices.Contains(kinds, kind) {
			continue
		}
		if _, twice := f.content[kind]; twice {
			return nil, fmt.Errorf("%s is there twice: keep one", m.base)
		}
		content, err := m.read(left)
		if err != nil {
			return nil, err
		}
		f.content[kind] = content
		left -= int64(len(content))
	}
	return f, nil
}

// read returns the content of the member if it has at most limit bytes, whatever it declares.
func (m member) read(limit int64) ([]byte, error) {
	tooLarge := fmt.Errorf("%s: the files of the data set hold more than %d bytes, the most that is read",
		m.base, int64(maxBytes))
	if m.size > limit {
		return nil, tooLarge
	}
	reader, err := m.open()
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read (%w): the file is damaged, get it again", m.base, err)
	}
	defer reader.Close()
	var content bytes.Buffer
	content.Grow(int(min(m.size, 1<<20)) + bytes.MinRead) // a declared size is no reason to take its memory
	if _, err := content.ReadFrom(io.LimitReader(reader, limit+1)); err != nil {
		return nil, fmt.Errorf("%s cannot be read (%w): the file is damaged, get it again", m.base, err)
	}
	if int64(content.Len()) > limit {
		return nil, tooLarge
	}
	return content.Bytes(), nil
}
