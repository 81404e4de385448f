package series

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
)

// part is what is trained on, or tested with: one file, or several.
type part struct {
	name  string // of the file or the place
	title string // of the data set
	sum   string
	files []*file
}

// single returns a part of one file, unless reading it failed.
func single(f *file, err error) (part, error) {
	if err != nil {
		return part{}, err
	}
	return part{name: f.name, title: f.title, sum: f.sum, files: []*file{f}}, nil
}

// patterned are the characters that make a path a pattern, see [filepath.Match].
const patterned = "*?["

// Several reports whether a place is one of several files for [OpenTracks]: a folder, or a pattern.
func Several(place string) bool {
	info, err := os.Stat(place)
	if err != nil {
		return strings.ContainsAny(place, patterned)
	}
	return info.IsDir()
}

// Tabular reports whether a place is one file that [OpenTracks] takes for a table, by its name.
func Tabular(place string) bool { return format(place) == nil && !Several(place) }

// format returns what reads a file of that name, which may be packed; nil for a table.
func format(name string) func(*file, io.Reader, Columns) error {
	switch strings.ToLower(filepath.Ext(unpacked(name))) {
	case ".gpx":
		return (*file).readGPX
	case ".geojson", ".json":
		return (*file).readGeoJSON
	}
	return nil
}

// isTrack reports whether a file of a folder has tracks, by its name.
func isTrack(name string) bool {
	return format(name) != nil && !strings.HasPrefix(filepath.Base(name), ".")
}

// trackFiles returns the files with tracks that a place stands for, ascending, and the folder that they are
// under: of a pattern the last one without a wildcard.
func trackFiles(place string) (root string, paths []string, err error) {
	root = place
	matches := []string{place}
	if info, err := os.Stat(place); err != nil || !info.IsDir() {
		for strings.ContainsAny(root, patterned) {
			root = filepath.Dir(root)
		}
		if matches, err = filepath.Glob(place); err != nil {
			return "", nil, fmt.Errorf("%s: %w: * and ? stand for characters, [ begins a range, "+
				"as in shells", place, err)
		}
	}
	for _, match := range matches {
		info, err := os.Stat(match)
		switch {
		case match != place && hidden(root, match):
		case err != nil:
			return "", nil, err
		case info.Mode().IsRegular() && isTrack(match):
			paths = append(paths, match)
		case info.IsDir():
			within, err := under(match)
			if err != nil {
				return "", nil, err
			}
			paths = append(paths, within...)
		}
	}
	if len(paths) == 0 {
		return "", nil, fmt.Errorf("%s: no tracks: of a folder or pattern files named .gpx, .geojson or "+
			".json are read, with .gz after it if they are packed", place)
	}
	slices.Sort(paths)
	return root, slices.Compact(paths), nil
}

// hidden reports whether a file or folder under another has a part of its path that begins with a point.
func hidden(root, path string) bool {
	name, err := filepath.Rel(root, path)
	return err == nil && slices.ContainsFunc(strings.Split(filepath.ToSlash(name), "/"),
		func(part string) bool { return strings.HasPrefix(part, ".") })
}

// under returns the files with tracks in a folder and its folders, but for hidden ones.
func under(folder string) (paths []string, err error) {
	files := os.DirFS(folder)
	err = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir
		case entry.IsDir() || !isTrack(name):
			return nil
		}
		info, err := fs.Stat(files, name)
		if err == nil && info.Mode().IsRegular() {
			paths = append(paths, filepath.Join(folder, filepath.FromSlash(name)))
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	return paths, nil
}

// openTracks reads the tracks of a file, or of those that a place stands for.
func openTracks(place string, columns Columns) (part, error) {
	if !Several(place) {
		if columns.Folders {
			return part{}, fmt.Errorf("%s is one file: classes that are folders are those of a folder of "+
				"files, name a label", place)
		}
		return single(readFile(place, filepath.Base(place), columns.reader(place)))
	}
	root, paths, err := trackFiles(place)
	if err != nil {
		return part{}, err
	}
	absolute, err := filepath.Abs(root)
	if err != nil {
		return part{}, err
	}
	p := part{name: place, title: datasets.Printable(filepath.Base(absolute))}
	hash := sha256.New()
	values := 0
	for _, path := range paths {
		name, err := filepath.Rel(root, path)
		if err != nil {
			return part{}, err
		}
		name = filepath.ToSlash(name)
		class, _, inFolder := strings.Cut(name, "/")
		if columns.Folders && !inFolder {
			return part{}, fmt.Errorf("%s: %s lies in no folder: each class of tracks has one, with its "+
				"name; or name a label", place, datasets.Printable(name))
		}
		read := columns.reader(path)
		f, err := readFile(path, datasets.Printable(name), func(f *file, r io.Reader) error {
			f.values = values // all files together are bounded
			return read(f, r)
		})
		if err != nil {
			return part{}, err
		}
		if len(f.paths) == 0 {
			return part{}, fmt.Errorf("%s: no tracks: take the file out of %s", f.name, place)
		}
		values = f.values
		fmt.Fprintf(hash, "%q %s\n", name, f.sum)
		for i := range f.paths {
			if f.paths[i].id == "" {
				f.paths[i].id = f.name
			}
			if columns.Folders {
				f.paths[i].label = class
			}
		}
		if columns.Folders {
			f.labeled, f.task = true, "class"
		}
		p.files = append(p.files, f)
	}
	p.sum = hex.EncodeToString(hash.Sum(nil))
	return p, nil
}

// check returns an error for columns that contradict one another.
func (c Columns) check() error {
	switch {
	case c.Folders && c.Label != "":
		return fmt.Errorf("tracks have the class of their folder or the label %q: name one of them", c.Label)
	case c.Folders && c.Task == datasets.Regression:
		return errors.New("folders are classes, and no numbers to be learned: name a label")
	}
	return nil
}

// reader returns what reads a file of that name.
func (c Columns) reader(name string) func(*file, io.Reader) error {
	read := format(name)
	if read == nil {
		read = (*file).readTable
	}
	return func(f *file, r io.Reader) error { return read(f, r, c) }
}
