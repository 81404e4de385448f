package series

import (
	"bytes"

	"github.com/neuralkforms/nkf/datasets"
)

// ReadTS returns the series of files in the .ts format, as [OpenTS] does.
func ReadTS(train datasets.File, test ...datasets.File) (*Set, error) {
	var parts []part
	for _, source := range append([]datasets.File{train}, test...) {
		f, err := readContent(bytes.NewReader(source.Bytes), source.Name, (*file).readTS)
		if err != nil {
			return nil, err
		}
		parts = append(parts, single(f))
	}
	return newSet(parts, datasets.Automatic)
}

// ReadTracks returns the tracks in files as paths, as [OpenTracks] does.
func ReadTracks(columns Columns, train datasets.File, test ...datasets.File) (*Set, error) {
	if err := columns.check(); err != nil {
		return nil, err
	}
	var parts []part
	for _, source := range append([]datasets.File{train}, test...) {
		f, err := readContent(bytes.NewReader(source.Bytes), source.Name, columns.reader(source.Name))
		if err != nil {
			return nil, err
		}
		parts = append(parts, single(f))
	}
	return newTracks(parts, columns)
}
