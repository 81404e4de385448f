package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/layers/signature"
	"github.com/neuralkforms/nkf/nkfx/internal/outputs"
)

// transform is what the command signature is asked for.
type transform struct {
	source                        *source
	depth                         int
	log, time, basepoint, leadLag bool
	out                           string // file, or "" for standard output
	words                         []string
	entries                       int // of a signature, which may be more than the words
}

// signature returns the command that writes signatures of paths.
func (a *app) signature() *cobra.Command {
	x := &transform{depth: 3}
	cmd := a.command("signature {--csv FILE --id COLUMN --x COLUMN --y COLUMN | --tracks PATH | --ts FILE}",
		"Write the signatures of paths as CSV, a row for every path",
		"The signature of a path has its iterated integrals ∫dx, ∫dy, ∫∫dx dx, ∫∫dx dy, … for all\n"+
			"words of coordinates up to a depth. Columns are the number of the path, from 0; its name and\n"+
			"label, if any; and the words x, y, x.x, x.y, …, with --log the Lyndon words, at which the\n"+
			"logarithm of the signature has the same information in fewer numbers.\n\n"+
			"--time, --basepoint and --lead-lag change paths before, in this order: a signature alone\n"+
			"does not depend on where a path begins nor on its speed. Words are computed in 64 bits and\n"+
			"written with nine digits.",
		func(ctx context.Context, _ []string) error { return a.writeSignatures(ctx, x) })
	s := newSource(a, cmd, nil)
	x.source = s
	s.add(way{flag: "csv", kind: "paths", open: s.openTracks, check: s.checkTracks}, "FILE",
		"`FILE` of tracks with a row for every observation", "id", trackFlags)
	s.addPaths("", "")
	s.oneOf()
	s.column(&s.id, "id", "tracks: `COLUMN` with the ID of the track")
	s.columns(&s.labels, "label", "tracks: `COLUMN` to repeat in the output, the same in all rows of a track")
	s.addSeparator()
	addNumber(cmd, &x.depth, "depth", "length of the longest words", 1, maxDepth)
	flag := func(to *bool, name, usage string) { cmd.Flags().BoolVar(to, name, false, usage) }
	flag(&x.log, "log", "write log-signatures")
	flag(&x.time, "time", "add a coordinate: the time since the first observation, or 0 to 1 without times")
	flag(&x.basepoint, "basepoint", "start every path at the origin, so that words depend on its position")
	flag(&x.leadLag, "lead-lag", "twice the coordinates, of which the second, called lag_…, take each step "+
		"later: words tell the variation of a path")
	addText(cmd, &x.out, "out", "FILE", "write to this `FILE` instead of standard output")
	return cmd
}

const (
	maxDepth = 30
	// maxWords bounds the columns: more are a mistake.
	maxWords = 1 << 17
)

// name names the words of paths with the given coordinates.
func (x *transform) name(coordinates []string) error {
	letters := slices.Clone(coordinates)
	if x.time {
		letters = append(letters, cmp.Or(x.source.time, "time"))
	}
	if x.leadLag {
		for _, letter := range slices.Clone(letters) {
			letters = append(letters, "lag_"+letter)
		}
	}
	power := 1
	for range x.depth {
		power *= len(letters)
		if x.entries += power; x.entries > maxWords {
			return fmt.Errorf("--depth %d: %s have more than %d words: take a smaller depth", x.depth,
				english.Plural(len(letters), "coordinate", ""), maxWords)
		}
	}
	words := signature.Words
	if x.log {
		words = signature.Lyndon
	}
	for _, word := range words(len(letters), x.depth) {
		var name []string
		for _, letter := range word {
			name = append(name, letters[letter])
		}
		x.words = append(x.words, strings.Join(name, "."))
	}
	return nil
}

// features returns the words of paths.
func (x *transform) features(paths *Node) *Node {
	if x.basepoint {
		paths = signature.WithBasepoint(paths)
	}
	if x.leadLag {
		paths = signature.LeadLag(paths)
	}
	if x.log {
		return signature.LogSignature(paths, x.depth)
	}
	return signature.Signature(paths, x.depth)
}

// points returns the points of path g, in float64.
func (x *transform) points(set *series.Set, g int) []float64 {
	times := set.Simplices[0].Cochain
	length := set.Count(0, g)
	out := make([]float64, 0, length*(set.Dim+1))
	for i, point := range slices.Collect(slices.Chunk(set.Points(g), set.Dim)) {
		out = append(out, point...)
		switch {
		case x.time && times != nil:
			out = append(out, times[int(set.VertexStart[g])+i])
		case x.time:
			out = append(out, float64(i)/float64(max(1, length-1)))
		}
	}
	return out
}

// head returns the names of the columns. It is an error if two have the same.
func (x *transform) head(set *series.Set) ([]string, error) {
	head := []string{"path"}
	if set.IDs != nil {
		head = append(head, cmp.Or(x.source.id, "id"))
	}
	if set.Label != "" {
		head = append(head, set.Label)
	}
	head = append(head, x.words...)
	seen := map[string]bool{}
	for _, name := range head {
		if seen[name] {
			return nil, fmt.Errorf("two columns would be called %q: give those of the file other names", name)
		}
		seen[name] = true
	}
	return head, nil
}

// writeSignatures writes the words of all paths of a file.
func (a *app) writeSignatures(ctx context.Context, x *transform) error {
	data, err := x.source.open(nil)
	if err != nil {
		return err
	}
	set := data.(*series.Set)
	if set.Degrees() {
		a.note(set.Name, "longitudes and latitudes are taken for coordinates of a plane, so that a "+
			"degree is as long everywhere")
	}
	if err := x.name(set.Coordinates); err != nil {
		return err
	}
	head, err := x.head(set)
	if err != nil {
		return err
	}
	backend, err := a.backend()
	if err != nil {
		return err
	}
	exec, err := NewExec(backend, x.features)
	if err != nil {
		return err
	}
	defer exec.Finalize()
	err = a.writeTo(x.out, []string{x.source.given().path}, func(to io.Writer) error {
		w := csv.NewWriter(to)
		_ = w.Write(head) // Error has it
		for g := 0; g < set.Len(); {
			values, err := x.batch(ctx, exec, set, g)
			if err != nil {
				return err
			}
			for of := range slices.Chunk(values, len(x.words)) {
				row, err := x.row(set, g, of)
				if err != nil {
					return err
				}
				_ = w.Write(row)
				g++
			}
		}
		w.Flush()
		return w.Error()
	})
	if err == nil {
		fmt.Fprintf(a.stderr, "nkf: %s of %s\n", english.Plural(set.Len(), "row", ""),
			english.Plural(len(x.words), "word", ""))
	}
	return err
}

// row returns the fields of path g.
func (x *transform) row(set *series.Set, g int, values []float64) ([]string, error) {
	row := []string{fmt.Sprint(set.Row(g)[0].Value)}
	if set.IDs != nil {
		row = append(row, fileio.Printable(set.IDs[g]))
	}
	switch {
	case set.Label == "":
	case set.Tasks != nil:
		row = append(row, strconv.FormatFloat(float64(set.Targets[g]), 'g', -1, 32))
	default:
		row = append(row, fileio.Printable(set.Classes[set.Labels[g]]))
	}
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("path %s: the word %s is too large for 64 bits: take other units of the "+
				"coordinates, or a smaller --depth", row[0], fileio.Printable(x.words[i]))
		}
		row = append(row, strconv.FormatFloat(v+0, 'g', 9, 64)) // -0 + 0 is 0
	}
	return row, nil
}

// The largest batches of signatures, in paths and in numbers, of points or of words. A single path may have
// more.
const (
	maxPaths   = 256
	maxNumbers = 1 << 22
)

// batch returns the words of some paths from g on, row after row. Paths and points are padded to powers of
// two, so that few programs are compiled: a path stands still at its last point, which adds nothing.
func (x *transform) batch(ctx context.Context, exec *Exec, set *series.Set, g int) ([]float64, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	var paths [][]float64
	dim, points := set.Dim, 0
	if x.time {
		dim++
	}
	for ; g < set.Len() && len(paths) < maxPaths; g++ {
		longest := max(points, outputs.Padded(max(2, set.Count(0, g))))
		if count := len(paths) + 1; count > 1 && count*max(longest*dim, x.entries) > maxNumbers {
			break
		}
		points, paths = longest, append(paths, x.points(set, g))
	}
	rows := outputs.Padded(len(paths))
	flat := make([]float64, rows*points*dim)
	for i, path := range paths {
		row, last := flat[i*points*dim:(i+1)*points*dim], path[len(path)-dim:]
		for at := copy(row, path); at < len(row); at += dim {
			copy(row[at:], last)
		}
	}
	out, err := exec.Call(tensors.FromFlatDataAndDimensions(flat, rows, points, dim))
	if err != nil {
		return nil, err
	}
	defer out[0].MustFinalizeAll()
	values, err := tensors.CopyFlatData[float64](out[0])
	if err != nil {
		return nil, err
	}
	return values[:len(paths)*len(x.words)], nil
}
