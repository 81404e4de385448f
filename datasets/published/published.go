package published

import (
	"bytes"
	"compress/bzip2"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
)

//go:embed tu moleculenet uea drifters tracks
var packed embed.FS

// content returns the embedded file of that path, unpacked.
func content(path string) ([]byte, error) {
	data, err := packed.ReadFile(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return data, err
	}
	if data, err = packed.ReadFile(path + ".bz2"); err != nil {
		return nil, err
	}
	return io.ReadAll(bzip2.NewReader(bytes.NewReader(data)))
}

// Finder returns a finder that looks in the folder $NKF_DATA and then among the embedded files.
func Finder() *datasets.Finder {
	f := &datasets.Finder{Embedded: content}
	if folder := os.Getenv("NKF_DATA"); folder != "" {
		f.Folders = []string{folder}
	}
	return f
}

// Open returns the files of the set of that name, in upper or lower case, as [Finder] finds them.
func Open(ctx context.Context, name string) ([]datasets.File, error) {
	set, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	return set.Open(ctx, Finder())
}

// Sets returns all sets. The caller must not change their files.
func Sets() []Set { return slices.Clone(sets) }

// Lookup returns the set of that name, in upper or lower case; the error lists the names.
func Lookup(name string) (Set, error) {
	names := make([]string, len(sets))
	for i, set := range sets {
		if strings.EqualFold(set.Name, name) {
			return set, nil
		}
		names[i] = set.Name
	}
	return Set{}, fmt.Errorf("no data set is called %q: the names are %s", name, strings.Join(names, ", "))
}

// Open returns the files of the set, in their order. The error names the set and the first file that cannot
// be opened.
func (s Set) Open(ctx context.Context, finder *datasets.Finder) ([]datasets.File, error) {
	files := make([]datasets.File, len(s.Files))
	for i, source := range s.Files {
		err := ctx.Err()
		if err == nil {
			files[i], err = finder.Open(source)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return files, nil
}
