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
	cutOff, flipBits, hole, twice, zeros, noise, insert, replace, halves, // of bytes
	oddNumber, headNumber, lineTwice, lineLost, linesSwapped, fieldsSwapped, // of texts
	wordReversed, wordScaled, // of binary files
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

func cutOff(r *rand.Rand, data []byte) []byte { return data[:r.IntN(len(data))] }

func flipBits(r *rand.Rand, data []byte) []byte {
	for range 1 + r.IntN(4) {
		data[r.IntN(len(data))] ^= 1 << r.IntN(8)
	}
	return data
}

// span returns a part of at most so many bytes.
func span(r *rand.Rand, data []byte, most int) (from, to int) {
	from = r.IntN(len(data))
	return from, min(len(data), from+1+r.IntN(most))
}

func hole(r *rand.Rand, data []byte) []byte {
	a, b := span(r, data, len(data))
	return slices.Delete(data, a, b)
}

func twice(r *rand.Rand, data []byte) []byte {
	a, b := span(r, data, 200)
	return slices.Insert(data, b, bytes.Clone(data[a:b])...)
}

func zeros(r *rand.Rand, data []byte) []byte {
	a, b := span(r, data, 20)
	clear(data[a:b])
	return data
}

func noise(r *rand.Rand, data []byte) []byte {
	for range 1 + len(data)/20 {
		data[r.IntN(len(data))] = byte(r.Uint32())
	}
	return data
}

func insert(r *rand.Rand, data []byte) []byte {
	return slices.Insert(data, r.IntN(len(data)+1)*r.IntN(2), []byte(junk[r.IntN(len(junk))])...)
}

func replace(r *rand.Rand, data []byte) []byte {
	a, b := span(r, data, 12)
	return slices.Replace(data, a, b, []byte(junk[r.IntN(len(junk))])...)
}

func halves(_ *rand.Rand, data []byte) []byte {
	return slices.Concat(data[len(data)/2:], data[:len(data)/2])
}

func oddNumber(r *rand.Rand, data []byte) []byte {
	places := numbers.FindAllIndex(data, -1)
	if len(places) == 0 {
		return data
	}
	at := places[r.IntN(len(places))]
	return slices.Replace(data, at[0], at[1], []byte(odd[r.IntN(len(odd))])...)
}

// headNumber changes one of the first numbers, which are counts in many formats, or makes it 1000 times as
// large.
func headNumber(r *rand.Rand, data []byte) []byte {
	places := numbers.FindAllIndex(data, 6)
	if len(places) == 0 {
		return data
	}
	at := places[r.IntN(len(places))]
	if n, err := strconv.Atoi(string(data[at[0]:at[1]])); err == nil && r.IntN(3) > 0 {
		changed := []int{n - 1, n + 1, 1000 * n, -n}[r.IntN(4)]
		return slices.Replace(data, at[0], at[1], []byte(strconv.Itoa(changed))...)
	}
	return slices.Replace(data, at[0], at[1], []byte(odd[r.IntN(len(odd))])...)
}

// lines calls change with the lines of a text, with their ends.
func lines(r *rand.Rand, data []byte, change func(lines [][]byte, i, j int) [][]byte) []byte {
	all := bytes.SplitAfter(data, []byte("\n"))
	return bytes.Join(change(all, r.IntN(len(all)), r.IntN(len(all))), nil)
}

func lineTwice(r *rand.Rand, data []byte) []byte {
	return lines(r, data, func(l [][]byte, i, j int) [][]byte { return slices.Insert(l, j, l[i]) })
}

func lineLost(r *rand.Rand, data []byte) []byte {
	return lines(r, data, func(l [][]byte, i, _ int) [][]byte { return slices.Delete(l, i, i+1) })
}

func linesSwapped(r *rand.Rand, data []byte) []byte {
	return lines(r, data, func(l [][]byte, i, j int) [][]byte {
		l[i], l[j] = l[j], l[i]
		return l
	})
}

func fieldsSwapped(r *rand.Rand, data []byte) []byte {
	return lines(r, data, func(l [][]byte, i, _ int) [][]byte {
		for _, separator := range []string{",", ";", ":", " "} {
			if f := bytes.Split(l[i], []byte(separator)); len(f) > 1 {
				a, b := r.IntN(len(f)), r.IntN(len(f))
				f[a], f[b] = f[b], f[a]
				l[i] = bytes.Join(f, []byte(separator))
				break
			}
		}
		return l
	})
}

// word returns four bytes, often of the first hundred, where binary files have counts.
func word(r *rand.Rand, data []byte) []byte {
	at := r.IntN(len(data) - 3)
	if r.IntN(2) == 0 {
		at = min(at, 80+r.IntN(20))
	}
	return data[at : at+4]
}

func wordReversed(r *rand.Rand, data []byte) []byte {
	if len(data) >= 4 {
		slices.Reverse(word(r, data))
	}
	return data
}

func wordScaled(r *rand.Rand, data []byte) []byte {
	if len(data) >= 4 {
		w := word(r, data)
		binary.LittleEndian.PutUint32(w, 1000*binary.LittleEndian.Uint32(w))
	}
	return data
}
