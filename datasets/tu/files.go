package tu

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Bounds of a data set. The largest of TUDataset is within a third of each; an archive that was made to fill
// the memory is past one of them early.
const (
	// maxExpansion bounds what an archive unpacks to, as a multiple of its size. Benchmarks come to 6.
	maxExpansion = 100

	maxBytes  = 1 << 30 // of its files together, unpacked
	slack     = 1 << 24 // bytes that an archive of any size may unpack to
	maxIndex  = 1 << 22 // bytes of the index of an archive
	maxLine   = 1 << 22 // bytes of a line
	maxCount  = 1 << 25 // graphs, nodes, and edges
	maxValues = 1 << 27 // labels and attributes together: 1 GiB
)

// kinds are the files that are read, by the part of the name after "DS_".
var kinds = []string{
	"A", "graph_indicator", "graph_labels", "graph_attributes", "node_labels", "node_attributes",
}

// files are the files of a data set, which are read one line at a time.
type files struct {
	name    string
	sha256  string
	members map[string]member // by kind
	left    int               // labels and attributes that may still be kept
}

// file returns the name of the file of a kind.
func (f *files) file(kind string) string { return f.name + "_" + kind + ".txt" }

// member is a file of an archive or a folder that may belong to the data set.
type member struct {
	base string // last part of its name
	size int64  // as declared
	open func() (io.ReadCloser, error)
}

// read passes the content of the member to use. It is an error if there is more than it declares.
func (m member) read(use func(io.Reader) error) error {
	r, err := m.open()
	if err != nil {
		return fmt.Errorf("%s: %w", m.base, err)
	}
	defer r.Close()
	return use(&sized{r, m.size})
}

// sized is a file that ends with an error if it goes on after its size.
type sized struct {
	io.Reader
	left int64
}

// Read is that of io.Reader.
func (s *sized) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if s.left -= int64(n); s.left < 0 {
		return 0, errors.New("it holds more bytes than it declares")
	}
	return n, err
}

// readFolder returns the files of the data set in a folder.
func readFolder(path string) (*files, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var members []member
	for _, entry := range entries {
		full := filepath.Join(path, entry.Name())
		if info, err := os.Stat(full); err == nil && info.Mode().IsRegular() { // no broken link or device
			members = append(members, member{entry.Name(), info.Size(), func() (io.ReadCloser, error) {
				return os.Open(full)
			}})
		}
	}
	f, err := filesOf(members, maxBytes)
	if err != nil {
		return nil, err
	}
	hash := sha256.New()
	for _, kind := range kinds {
		if m, ok := f.members[kind]; ok {
			fmt.Fprintf(hash, "%s %d\n", f.file(kind), m.size)
			err := m.read(func(r io.Reader) error {
				_, err := io.Copy(hash, r)
				return err
			})
			if err != nil {
				return nil, err
			}
		}
	}
	f.sha256 = hex.EncodeToString(hash.Sum(nil))
	return f, nil
}

// readZip returns the files of the data set in a zip archive of the given size.
func readZip(r io.ReaderAt, size int64) (*files, error) {
	if size > maxBytes {
		return nil, fmt.Errorf("%d bytes are more than the %d that a data set may have", size, maxBytes)
	}
	metered := &metered{r, maxIndex}
	archive, err := zip.NewReader(metered, size)
	if err != nil {
		return nil, fmt.Errorf("not a zip archive, or a truncated one (%w): download it again", err)
	}
	metered.left = math.MaxInt64
	var members []member
	for _, file := range archive.File {
		if !file.FileInfo().IsDir() {
			// Archives name members DS//DS_A.txt, DS/DS_A.txt, DS_A.txt or, made on Windows, DS\DS_A.txt.
			base := file.Name[strings.LastIndexAny(file.Name, `/\`)+1:]
			size := int64(min(file.UncompressedSize64, maxBytes+1))
			members = append(members, member{base, size, file.Open})
		}
	}
	f, err := filesOf(members, min(maxBytes, maxExpansion*size+slack))
	if err != nil {
		return nil, err
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, io.NewSectionReader(r, 0, size)); err != nil {
		return nil, err
	}
	f.sha256 = hex.EncodeToString(hash.Sum(nil))
	return f, nil
}

// metered bounds the bytes that are read of an archive, whose index is kept in memory and takes more there.
type metered struct {
	io.ReaderAt
	left int64
}

// ReadAt is that of io.ReaderAt.
func (m *metered) ReadAt(p []byte, at int64) (int, error) {
	if m.left < int64(len(p)) {
		return 0, fmt.Errorf("the index of the archive is longer than %d bytes", maxIndex)
	}
	n, err := m.ReaderAt.ReadAt(p, at)
	m.left -= int64(n)
	return n, err
}

// filesOf returns the members that belong to the data set, which is named by the one called DS_A.txt, and
// together hold no more than the given bytes.
func filesOf(members []member, most int64) (*files, error) {
	f := &files{members: map[string]member{}, left: maxValues}
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
		return nil, errors.New("no file name ends in _A.txt: this is not a data set in the TU format")
	}
	left := most
	for _, m := range members {
		kind := strings.TrimSuffix(strings.TrimPrefix(m.base, f.name+"_"), ".txt")
		if m.base != f.file(kind) || !slices.Contains(kinds, kind) {
			continue
		}
		if _, twice := f.members[kind]; twice {
			return nil, fmt.Errorf("%s is there twice: keep one", m.base)
		}
		if left -= m.size; left < 0 {
			return nil, fmt.Errorf("%s: the files of the data set hold more than %d bytes, the most that is "+
				"read of an archive of this size", m.base, most)
		}
		f.members[kind] = m
	}
	return f, nil
}
