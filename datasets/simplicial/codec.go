package simplicial

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"
)

// magic opens every encoded complex; its last byte is the version of the format.
//
// After it come, little-endian: the number of degrees and the ambient dimension n (uint32 each);
// for each degree k the number of k-simplices (uint32) and the table Simplices(k) (int32); the
// table Coords (float64); and the CRC-32 (Castagnoli) of everything from magic on (uint32).
const magic = "nkfsimp\x01"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Encode writes the complex and its coordinates in a compact binary format with a checksum, for
// Decode to read.
func (c *Complex) Encode(w io.Writer) error {
	sum := crc32.New(castagnoli)
	buffer := bufio.NewWriter(w)
	// A bufio.Writer keeps its first error, and Flush returns it.
	out := io.MultiWriter(buffer, sum)
	io.WriteString(out, magic)
	writeTable(out, []uint32{uint32(len(c.levels)), uint32(c.ambient)})
	for k, level := range c.levels {
		writeTable(out, []uint32{uint32(c.Count(k))})
		writeTable(out, level)
	}
	writeTable(out, c.coords)
	writeTable(buffer, []uint32{sum.Sum32()})
	if err := buffer.Flush(); err != nil {
		return fmt.Errorf("simplicial: encoding: %w", err)
	}
	return nil
}

// Decode reads a complex that Encode wrote, and nothing beyond its end.
//
// It is an error if the data end early, have another version or a wrong checksum, or do not
// describe a complex. However hostile the data, Decode allocates no more than a small multiple of
// what it has read.
func Decode(r io.Reader) (*Complex, error) {
	c, err := decode(r)
	if err != nil {
		return nil, fmt.Errorf("simplicial: decoding: %w", err)
	}
	return c, nil
}

func decode(r io.Reader) (*Complex, error) {
	sum := crc32.New(castagnoli)
	in := io.TeeReader(r, sum)
	opening, err := readTable[byte](in, len(magic))
	if err != nil {
		return nil, err
	}
	if string(opening[:len(magic)-1]) != magic[:len(magic)-1] {
		return nil, fmt.Errorf("not a complex: it begins with %q, want %q", opening, magic)
	}
	if version := opening[len(magic)-1]; version != magic[len(magic)-1] {
		return nil, fmt.Errorf("version %d of the format, want %d", version, magic[len(magic)-1])
	}
	header, err := readTable[uint32](in, 2)
	if err != nil {
		return nil, err
	}
	c := &Complex{}
	size := uint64(0)
	for k := range int(header[0]) {
		count, err := readTable[uint32](in, 1)
		if err != nil {
			return nil, err
		}
		if size += uint64(count[0]) * uint64(k+1); size > MaxSize {
			return nil, errSize("the complex")
		}
		level, err := readTable[int32](in, int(count[0])*(k+1))
		if err != nil {
			return nil, err
		}
		c.levels = append(c.levels, level)
		if err := c.checkTop(); err != nil {
			return nil, err
		}
	}
	if header[1] > math.MaxInt32 {
		return nil, fmt.Errorf("ambient dimension %d, want at most %d", header[1], math.MaxInt32)
	}
	c.ambient = int(header[1])
	if c.coords, err = readTable[float64](in, c.Count(0)*c.ambient); err != nil {
		return nil, err
	}
	if err := checkPoints(c.ambient, c.coords); err != nil {
		return nil, err
	}
	want := sum.Sum32()
	got, err := readTable[uint32](r, 1)
	if err != nil {
		return nil, err
	}
	if got[0] != want {
		return nil, fmt.Errorf("checksum %08x, want %08x: the data are damaged", got[0], want)
	}
	return c, nil
}

// checkTop reports a highest level that does not make a complex with those below.
func (c *Complex) checkTop() error {
	k := c.Dim()
	level := c.levels[k]
	if len(level) == 0 {
		return fmt.Errorf("no simplices in degree %d of %d", k, c.Dim())
	}
	for i := range c.Count(k) {
		simplex := c.at(k, i)
		if k == 0 && simplex[0] != int32(i) {
			return fmt.Errorf("vertex %d has the number %d", i, simplex[0])
		}
		for j := 1; j <= k; j++ {
			if simplex[j] <= simplex[j-1] {
				return fmt.Errorf("the vertices of simplex %v do not increase", simplex)
			}
		}
		if i > 0 && slices.Compare(c.at(k, i-1), simplex) >= 0 {
			return fmt.Errorf("simplices %v, %v are not in order", c.at(k, i-1), simplex)
		}
		face := make([]int32, k)
		for drop := 0; k > 0 && drop <= k; drop++ {
			copy(face, simplex[:drop])
			copy(face[drop:], simplex[drop+1:])
			if find(c.levels[k-1], face) < 0 {
				return fmt.Errorf("simplex %v lacks its face %v", simplex, face)
			}
		}
	}
	return nil
}

// chunk is the number of table entries that are converted at once.
const chunk = 1 << 13

// writeTable writes numbers little-endian.
func writeTable[T uint32 | int32 | float64](w io.Writer, table []T) {
	for part := range slices.Chunk(table, chunk) {
		binary.Write(w, binary.LittleEndian, part)
	}
}

// readTable reads count numbers, allocating memory as they arrive.
func readTable[T byte | uint32 | int32 | float64](r io.Reader, count int) ([]T, error) {
	var table []T
	for len(table) < count {
		part := make([]T, min(count-len(table), chunk))
		if err := binary.Read(r, binary.LittleEndian, part); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		table = append(table, part...)
	}
	return table, nil
}
