package series

import (
	"bytes"
	"path/filepath"

	"github.com/neuralkforms/nkf/datasets"
)

// readParts returns what read makes of each of the sources, the first to be trained on.
func readParts[T any](read func(T) (part, error), train T, test []T) (parts []part, err error) {
	for _, source := range append([]T{train}, test...) {
		p, err := read(source)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// OpenTS returns the series of files in the .ts format of the UCR and UEA archives (Bagnall et al. 2018), as
// sktime and aeon write it: one file to be trained on and, if there are more, those to be tested with.
//
// Series may be univariate or multivariate, of unequal lengths, with missing values (?, NaN or nothing) and
// with times, as (time,value); times are numbers or dates, and ascend. What is to be learned is a class
// (@classLabel) or a number (@targetLabel). Without either the collection has one class: it is there to be
// predicted. Series without a label are left out where others have one. It is an error, with file and line,
// if a file is anything else, or if series are not what its header declares: of equal or some length, of so
// many channels.
func OpenTS(train string, test ...string) (*Set, error) {
	parts, err := readParts(func(path string) (part, error) {
		return single(readFile(path, filepath.Base(path), (*file).readTS))
	}, train, test)
	if err != nil {
		return nil, err
	}
	return newSet(parts, datasets.Automatic)
}

// ReadTS returns the series of files in the .ts format, as [OpenTS] does.
func ReadTS(train datasets.File, test ...datasets.File) (*Set, error) {
	parts, err := readParts(func(f datasets.File) (part, error) {
		return single(readContent(bytes.NewReader(f.Bytes), f.Name, (*file).readTS))
	}, train, test)
	if err != nil {
		return nil, err
	}
	return newSet(parts, datasets.Automatic)
}

// OpenTracks returns the tracks in files as paths: the first file is for training, and any others are for
// testing. The extension gives the format: .gpx, .geojson or .json, with .gz after it if the file is packed;
// all other files are CSV tables with one row per observation.
//
// Instead of a file a folder may be given, of which all GPX and GeoJSON files are read, including subfolders,
// or a pattern of [path/filepath.Glob] that matches such files or folders. Hidden files and other extensions
// are then skipped, a track without a name has the name of its file, and with [Columns.Folders] a track has
// the class of its folder.
//
// A track is one path, over all of its segments: a gap is a longer edge. Where all observations have times,
// tracks are put in their order, and times are kept: numbers or dates, of one kind in all files. Longitudes
// in degrees, called lon, run on where a track crosses the date line; otherwise degrees are coordinates of a
// plane. Tracks without a label are left out where there is one to be learned, and features and tracks
// without a line. What is wrong with a file is an error with file and line: in GPX and GeoJSON also latitudes
// beyond 90 degrees and longitudes beyond 360, in GeoJSON also other types and reference systems.
func OpenTracks(columns Columns, train string, test ...string) (*Set, error) {
	if err := columns.check(); err != nil {
		return nil, err
	}
	open := func(place string) (part, error) { return openTracks(place, columns) }
	parts, err := readParts(open, train, test)
	if err != nil {
		return nil, err
	}
	return newTracks(parts, columns)
}

// ReadTracks returns the tracks in files as paths, as [OpenTracks] does.
func ReadTracks(columns Columns, train datasets.File, test ...datasets.File) (*Set, error) {
	if err := columns.check(); err != nil {
		return nil, err
	}
	parts, err := readParts(func(f datasets.File) (part, error) {
		return single(readContent(bytes.NewReader(f.Bytes), f.Name, columns.reader(f.Name)))
	}, train, test)
	if err != nil {
		return nil, err
	}
	return newTracks(parts, columns)
}

// newTracks returns the tracks of parts with their labels.
func newTracks(parts []part, columns Columns) (*Set, error) {
	for _, part := range parts {
		for _, f := range part.files {
			if columns.Label != "" {
				f.labeled, f.task = true, columns.Label
			}
			f.folders = columns.Folders
		}
	}
	s, err := newSet(parts, columns.Task)
	if err != nil {
		return nil, err
	}
	s.Columns = columns
	return s, nil
}
