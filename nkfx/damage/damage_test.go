// Package damage_test reads damaged files of all formats of data: each is an error of one sentence, or is
// read as data that hold together, in bounded time and memory.
package damage_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
)

const (
	patience = 10 * time.Second // for a file of some KB
	// A reader may allocate some buffers of 128 KiB, and a few times the file; formats add what they set up.
	// At most 0.8 MiB were seen.
	overhead = 3 << 19
	perByte  = 12
)

// inGo are words of Go and of its libraries, which mean nothing to a user.
var inGo = regexp.MustCompile(`\[\][a-z]|\bmap\[[a-z]|\bint32\b|\bfloat64\b|(^| )json: |strconv\.|Go value|` +
	`Go struct|graphFn|runtime error|<nil>|%!|\n`)

// TestDamaged reads a sound file of each format, and damaged ones.
func TestDamaged(t *testing.T) {
	const files = 1000
	all, refused := formats(t), map[int]int{}
	for i := range len(all) + files {
		f, r := all[i%len(all)], rand.New(rand.NewPCG(31, uint64(i))) // one file can be read alone
		t.Run(fmt.Sprintf("%d %s", i, f.name), func(t *testing.T) {
			if i < len(all) {
				require.NoError(t, f.attempt(t, f.pack(f.members)), "a sound file")
				return
			}
			members := maps.Clone(f.members) // with a fault in the content, or in the packed file
			names := slices.Sorted(maps.Keys(members))
			name, inside := names[r.IntN(len(names))], r.IntN(2) == 0
			if inside {
				members[name] = string(mutate(r, []byte(members[name])))
			}
			data := f.pack(members)
			if !inside {
				data = mutate(r, data)
			}
			if f.attempt(t, data) != nil {
				refused[i%len(all)]++
			}
		})
	}
	sum := 0
	for i, f := range all {
		require.Positive(t, refused[i], "no fault of %s is seen", f.name)
		sum += refused[i]
	}
	require.Greater(t, sum, files/2)
}

// attempt reads a file, and returns the error, which is one sentence. What is read without one holds
// together.
func (f format) attempt(t *testing.T, data []byte) error {
	t.Helper()
	path := filepath.Join(t.TempDir(), f.name)
	require.NoError(t, os.WriteFile(path, data, 0o666))
	defer func() {
		if t.Failed() {
			t.Logf("%.2000q", data)
		}
	}()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	var source datasets.Source
	var err error
	require.NotPanics(t, func() { source, err = f.open(path) })
	require.Less(t, time.Since(start), patience)
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, overhead+perByte*uint64(len(data)), "memory")
	if err == nil {
		var read *datasets.Collection
		require.NotPanics(t, func() { read, err = encode(source) })
		if err != nil {
			require.NotRegexp(t, inGo, err.Error())
			return err
		}
		require.NoError(t, read.Validate(), "it is read")
		if found := announced.FindSubmatch(data); found != nil {
			count := strconv.Itoa(len(read.Vertices) / read.Dim)
			require.Equal(t, string(bytes.Join(found[1:], nil)), count, "it announces as many vertices")
		}
		return nil
	}
	require.ErrorContains(t, err, filepath.Base(path))
	require.Less(t, len(err.Error()), 800)
	require.NotRegexp(t, inGo, err.Error())
	require.Regexp(t, f.place, err.Error())
	return err
}

// announced finds the number of vertices in the head of a mesh that is not packed.
var announced = regexp.MustCompile(`^OFF\n(\d+) \d+ \d+\n|\nelement vertex (\d+)\n`)

// encode returns the data of a source as a collection.
func encode(source datasets.Source) (*datasets.Collection, error) {
	encoder, err := source.Encoder("", nil)
	if err != nil {
		return nil, err
	}
	return encoder.Encode(source)
}

var (
	// numbers are those of texts.
	numbers = regexp.MustCompile(`[-+]?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?`)
	// odd are texts that stand where a number or a word should.
	odd = []string{"NaN", "nan", "Inf", "-inf", "1e308", "-1e308", "1e999", "-1", "0", "4294967296",
		"9223372036854775807", "99999999999999999999", "1_0", "0x1p3", "1,5", "", "null", "lorem", "\x00",
		"é"}
	// junk is put anywhere.
	junk = []string{"\x00", "\xff\xfe", "\xef\xbb\xbf", "\"", "'", "<", "}", "]", "[[", ":", ",,,", "(", ")",
		"\r", "\n\n", "\n@data\n", "\u202e", "\nlorem 1e400 nan -1\n", "\\"}
)

// mutate returns data with faults as files have them: of transfers, disks, editors, and programs that export.
func mutate(r *rand.Rand, data []byte) []byte {
	data = bytes.Clone(data)
	for range 1 + max(0, r.IntN(5)-2) {
		if len(data) < 8 {
			break
		}
		at := r.IntN(len(data) - 3)
		if r.IntN(4) == 0 {
			at = min(at, 80+r.IntN(20)) // heads of packed and binary files
		}
		part := data[at:min(len(data), at+4+r.IntN(100))]
		switch r.IntN(12) {
		case 0:
			data = data[:at] // cut off
		case 1:
			part[0] ^= 1 << r.IntN(8)
		case 2:
			data = slices.Delete(data, at, at+len(part))
		case 3:
			data = slices.Insert(data, at, bytes.Clone(part)...) // a part twice
		case 4:
			clear(part)
		case 5:
			for range 1 + len(data)/20 { // noise
				data[r.IntN(len(data))] = byte(r.Uint32())
			}
		case 6:
			data = slices.Replace(data, at, at+r.IntN(2)*r.IntN(4), []byte(junk[r.IntN(len(junk))])...)
		case 7:
			data = slices.Concat(data[at:], data[:at])
		case 8:
			slices.Reverse(part[:4]) // another order of bytes, or a count that is far too large
		case 9:
			binary.LittleEndian.PutUint32(part, 1000*binary.LittleEndian.Uint32(part))
		case 10:
			data = number(r, data, []int{-1, 6}[r.IntN(2)]) // the first are often counts
		case 11:
			data = lines(r, data, []string{"\n", "\n", ",", ";", ":", " "}[r.IntN(6)])
		}
	}
	return data
}

// number replaces one of the first numbers.
func number(r *rand.Rand, data []byte, most int) []byte {
	places := numbers.FindAllIndex(data, most)
	if len(places) == 0 {
		return data
	}
	at := places[r.IntN(len(places))]
	text := odd[r.IntN(len(odd))]
	if n, err := strconv.Atoi(string(data[at[0]:at[1]])); err == nil && r.IntN(2) == 0 {
		text = strconv.Itoa([]int{n - 1, n + 1, 1000 * n, -n}[r.IntN(4)])
	}
	return slices.Replace(data, at[0], at[1], []byte(text)...)
}

// lines repeats, removes or swaps what is between separators.
func lines(r *rand.Rand, data []byte, separator string) []byte {
	parts := bytes.SplitAfter(data, []byte(separator))
	i, j := r.IntN(len(parts)), r.IntN(len(parts))
	switch r.IntN(3) {
	case 0:
		parts = slices.Insert(parts, j, parts[i])
	case 1:
		parts = slices.Delete(parts, i, i+1)
	default:
		parts[i], parts[j] = parts[j], parts[i]
	}
	return bytes.Join(parts, nil)
}
