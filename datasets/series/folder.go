package series

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/datasets/internal/folder"
)

// patterned are the characters that make a path a pattern, see [filepath.Match].
const patterned = "*?["

// Several reports whether a place stands for several files of [OpenTracks]: a folder or a pattern.
func Several(place string) bool {
	info, err := os.Stat(place)
	if err != nil {
		return strings.ContainsAny(place, patterned)
	}
	return info.IsDir()
}

// Tabular reports whether a place is one file that [OpenTracks] takes for a table, by its name.
func Tabular(place string) bool { return format(place) == nil && !Several(place) }

// format returns what reads tracks of a file of that name, which may be packed; nil for a table.
func format(name string) func(*reader, io.Reader) error {
	switch strings.ToLower(filepath.Ext(unpacked(name))) {
	case ".gpx":
		return (*reader).readGPX
	case ".geojson", ".json":
		return (*reader).readGeoJSON
	}
	return nil
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
		// A link is followed where it is the match.
		err := fs.WalkDir(os.DirFS(match), ".", func(name string, _ fs.DirEntry, err error) error {
			path := filepath.Join(match, filepath.FromSlash(name))
			info, statErr := os.Stat(path)
			folder := statErr == nil && info.IsDir()
			switch {
			case hidden(root, path) && folder:
				return fs.SkipDir
			case folder:
				return err
			case hidden(root, path), format(path) == nil, statErr == nil && !info.Mode().IsRegular():
				return nil
			}
			paths = append(paths, path)
			return statErr
		})
		if err != nil {
			return "", nil, err
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
	return err == nil && name != "." && strings.Contains("/"+filepath.ToSlash(name), "/.")
}

// place reads the tracks of a file, or of those that a place stands for.
func (r *reader) place(place string) (name, sum string, err error) {
	if !Several(place) {
		if r.columns.Folders {
			return "", "", fmt.Errorf("%s is one file: classes that are folders are those of a folder of "+
				"files, name a label", place)
		}
		sum, err = r.open(place, filepath.Base(place))
		return r.name, sum, err
	}
	root, paths, err := trackFiles(place)
	if err != nil {
		return "", "", err
	}
	absolute, err := filepath.Abs(root)
	if err != nil {
		return "", "", err
	}
	if r.title == "" {
		r.title = fileio.Printable(filepath.Base(absolute))
	}
	var files folder.Reader
	for _, path := range paths {
		name, err := filepath.Rel(root, path)
		if err != nil {
			return "", "", err
		}
		name = filepath.ToSlash(name)
		before := len(r.paths)
		sum, err := r.open(path, fileio.Printable(name))
		if err != nil {
			return "", "", err
		}
		if len(r.paths) == before {
			return "", "", fmt.Errorf("%s: no tracks: take the file out of %s", r.name, place)
		}
		files.Add(name, sum)
		for i := range r.paths[before:] {
			p := &r.paths[before+i]
			if p.id == "" {
				p.id = r.name
			}
			if r.columns.Folders {
				p.label = name
			}
		}
	}
	return place, files.SHA256(), nil
}

// reader returns a reader of tracks. It is an error if the columns contradict one another.
func (c Columns) reader() (*reader, error) {
	r := &reader{set: Set{columns: c}, columns: c, tracks: true, label: c.Label}
	switch {
	case c.Folders && c.Label != "":
		return nil, fmt.Errorf("tracks have the class of their folder or the label %q: name one of them",
			c.Label)
	case c.Folders && c.Task == datasets.Regression:
		return nil, errors.New("folders are classes, not numbers: name a label")
	case c.Folders:
		r.label = "class"
	}
	for _, spelled := range c.Clock {
		length, err := period(spelled)
		if err != nil {
			return nil, err
		}
		r.periods = append(r.periods, length)
	}
	return r, nil
}
