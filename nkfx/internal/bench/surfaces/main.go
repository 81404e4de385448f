// Command surfaces writes what the model surface reads of the Princeton meshes, as they are and in all cuts,
// for programs in other languages:
//
//	go run ./nkfx/internal/bench/surfaces FOLDER
//
// The files hold little-endian numbers of 32 bits, the cuts one after the other: "start" [G+1] and "labels"
// [G] are integers; "nodes" [start[G], columns] are the integrals, eigenfunctions and the area of each node,
// and "values" [G, K] the eigenvalues.
package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/nkfx/experiments"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: surfaces FOLDER")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "surfaces:", err)
		os.Exit(1)
	}
}

// write writes the files to a folder.
func write(folder string) error {
	if cache, err := os.UserCacheDir(); err == nil {
		mesh.Keep(filepath.Join(cache, "nkf", "surfaces")) // as the command nkf does
	}
	data, err := encoded()
	if err != nil {
		return err
	}
	for name, values := range map[string]any{"start": data.VertexStart, "labels": data.Labels,
		"nodes": packing.Round(data.Vertices), "values": data.Globals} {
		path := filepath.Join(folder, name)
		if err := fileio.Write(path, 0o666, func(w io.Writer) error {
			return binary.Write(w, binary.LittleEndian, values)
		}); err != nil {
			return err
		}
	}
	return nil
}

// encoded returns the surfaces in all cuts.
func encoded() (*datasets.Collection, error) {
	b, err := experiments.Lookup("PSB12")
	if err != nil {
		return nil, err
	}
	source, err := b.Load(context.Background())
	if err != nil {
		return nil, err
	}
	_, cut, err := source.(*mesh.Set).Cut()
	if err != nil {
		return nil, err
	}
	encoder, err := cut.Encoder("heat")
	if err != nil {
		return nil, err
	}
	return encoder.Encode(cut)
}
