package damage_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
)

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
