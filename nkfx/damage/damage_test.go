// Package damage_test reads damaged files of all formats of data: each is an error of one sentence, or is
// read as data that hold together, in bounded time and memory.
//
// 200 files are read; with NKF_LONG=1 2,000.
package damage_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
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

	"github.com/neuralkforms/nkf/layers/backendtest"
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
	`Go struct|graphFn|runtime error|<nil>|%!`)

// TestDamaged reads a sound file of each format, and damaged ones.
func TestDamaged(t *testing.T) {
	all, files, refused := formats(t), 200, map[string]int{}
	if backendtest.Long() {
		files = 2000
	}
	for i := range len(all) + files {
		f, r := all[i%len(all)], rand.New(rand.NewPCG(31, uint64(i))) // one file can be read alone
		if i < len(all) {
			r = nil
		}
		t.Run(fmt.Sprintf("%d %s", i, f.name), func(t *testing.T) {
			if err := f.attempt(t, f.write(t, r)); err != nil {
				require.NotNil(t, r, "a sound file: %v", err)
				refused[f.name]++
			}
		})
	}
	sum := 0
	for _, f := range all {
		require.Positive(t, refused[f.name], "no fault of %s is seen", f.name)
		sum += refused[f.name]
	}
	require.Greater(t, sum, files/2)
}

// attempt reads a file, and returns the error of the reader, which is one sentence. What is read without one
// holds together.
func (f format) attempt(t *testing.T, path string) error {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	defer func() {
		if t.Failed() {
			t.Logf("%.2000q", data)
		}
	}()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	var nonsense error
	require.NotPanics(t, func() { err, nonsense = f.read(path) })
	require.Less(t, time.Since(start), patience)
	runtime.ReadMemStats(&after)
	require.NoError(t, nonsense, "it is read")
	require.Less(t, after.TotalAlloc-before.TotalAlloc, overhead+perByte*uint64(len(data)), "memory")
	if err == nil {
		return nil
	}
	text := err.Error()
	require.Contains(t, text, filepath.Base(path))
	require.Less(t, len(text), 800)
	require.NotContains(t, text, "\n")
	require.NotRegexp(t, inGo, text)
	if f.place != nil {
		require.Regexp(t, f.place, text)
	}
	return err
}

// numbers in texts.
var numbers = regexp.MustCompile(`[-+]?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?`)

// odd are texts that stand where a number or a word should.
var odd = []string{"NaN", "nan", "Inf", "-inf", "1e308", "-1e308", "1e999", "-1", "0", "4294967296",
	"9223372036854775807", "99999999999999999999", "1_0", "0x1p3", "1,5", "", "null", "lorem", "\x00", "é"}

// junk is put anywhere.
var junk = []string{"\x00", "\xff\xfe", "\xef\xbb\xbf", "\"", "'", "<", "</trk>", "}", "]", "[[", ":", ",,,",
	"(", ")", "\r", "\n\n", "\n@data\n", "&#x0;", "\u202e", "\nlorem 1e400 nan -1\n", "\\"}

// mutations are faults as files have them: of transfers, disks, editors, and programs that export.
var mutations = []func(r *rand.Rand, data []byte) []byte{
	func(r *rand.Rand, data []byte) []byte { return data[:r.IntN(len(data))] }, // cut off
	func(r *rand.Rand, data []byte) []byte { // some bits are flipped
		for range 1 + r.IntN(4) {
			data[r.IntN(len(data))] ^= 1 << r.IntN(8)
		}
		return data
	},
	func(r *rand.Rand, data []byte) []byte { // a hole
		a, b := span(r, data, len(data))
		return slices.Delete(data, a, b)
	},
	func(r *rand.Rand, data []byte) []byte { // a part twice
		a, b := span(r, data, 200)
		return slices.Insert(data, b, bytes.Clone(data[a:b])...)
	},
	func(r *rand.Rand, data []byte) []byte { // zeros
		a, b := span(r, data, 20)
		clear(data[a:b])
		return data
	},
	func(r *rand.Rand, data []byte) []byte { // noise
		for range 1 + len(data)/20 {
			data[r.IntN(len(data))] = byte(r.Uint32())
		}
		return data
	},
	func(r *rand.Rand, data []byte) []byte { // junk is inserted, or replaces a part
		a, b := span(r, data, 12)
		if r.IntN(2) == 0 {
			b = a
		}
		return slices.Replace(data, a, b, []byte(junk[r.IntN(len(junk))])...)
	},
	func(_ *rand.Rand, data []byte) []byte { return slices.Concat(data[len(data)/2:], data[:len(data)/2]) },
	func(r *rand.Rand, data []byte) []byte { return number(r, data, numbers.FindAllIndex(data, -1)) },
	// The first numbers are counts in many formats.
	func(r *rand.Rand, data []byte) []byte { return number(r, data, numbers.FindAllIndex(data, 6)) },
	func(r *rand.Rand, data []byte) []byte { return lines(r, data, "\n") },
	func(r *rand.Rand, data []byte) []byte { return lines(r, data, []string{",", ";", ":", " "}[r.IntN(4)]) },
	func(r *rand.Rand, data []byte) []byte { // a word of four bytes, often of a head
		at := r.IntN(len(data) - 3)
		if r.IntN(2) == 0 {
			at = min(at, 80+r.IntN(20))
		}
		word := data[at : at+4]
		if r.IntN(2) == 0 {
			slices.Reverse(word)
		} else {
			binary.LittleEndian.PutUint32(word, 1000*binary.LittleEndian.Uint32(word))
		}
		return data
	},
}

// mutate returns data with one fault, or up to three. One is the least likely to be seen.
func mutate(r *rand.Rand, data []byte) []byte {
	data = bytes.Clone(data)
	for range 1 + max(0, r.IntN(5)-2) {
		if len(data) < 8 {
			break
		}
		data = mutations[r.IntN(len(mutations))](r, data)
	}
	return data
}

// span returns a part of at most so many bytes.
func span(r *rand.Rand, data []byte, most int) (from, to int) {
	from = r.IntN(len(data))
	return from, min(len(data), from+1+r.IntN(most))
}

// number replaces a number at one of the places.
func number(r *rand.Rand, data []byte, places [][]int) []byte {
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
