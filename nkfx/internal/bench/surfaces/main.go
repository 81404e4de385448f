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
	"io"
	"log"
	"os"
	"path/filepath"

	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/nkfx/experiments"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: surfaces FOLDER")
	}
	if err := write(os.Args[1]); err != nil {
		log.Fatalf("surfaces: %v", err)
	}
}

// write writes the files to a folder.
func write(folder string) error {
	if cache, err := os.UserCacheDir(); err == nil {
		mesh.Keep(filepath.Join(cache, "nkf", "surfaces")) // as the command nkf does
	}
	b, err := experiments.Lookup("PSB12")
	if err != nil {
		return err
	}
	source, err := b.Load(context.Background())
	if err != nil {
		return err
	}
	_, cut, err := source.(*mesh.Set).Cut()
	if err != nil {
		return err
	}
	encoder, err := cut.Encoder("heat")
	if err != nil {
		return err
	}
	data, err := encoder.Encode(cut)
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
