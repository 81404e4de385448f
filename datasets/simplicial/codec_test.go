package simplicial

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

func encode(t testing.TB, c *Complex) []byte {
	var b bytes.Buffer
	require.NoError(t, c.Encode(&b))
	return b.Bytes()
}

// samples returns complexes of many kinds.
func samples(t testing.TB) []*Complex {
	empty, err := New(0, nil)
	require.NoError(t, err)
	nowhere, err := empty.Embed(3, nil)
	require.NoError(t, err)
	points, err := New(3, nil)
	require.NoError(t, err)
	rips, err := Rips(3, randomPoints(newRand(22), 30, 3), 0.5, 3)
	require.NoError(t, err)
	large, _, err := Grid(70, 70) // tables of several chunks
	require.NoError(t, err)
	return []*Complex{empty, nowhere, points, randomComplex(t, newRand(23), 9, 9, 4), rips, large}
}

func TestEncodeDecode(t *testing.T) {
	var stream bytes.Buffer
	for _, c := range samples(t) {
		got, err := Decode(iotest.OneByteReader(bytes.NewReader(encode(t, c))))
		require.NoError(t, err)
		require.Equal(t, encode(t, c), encode(t, got))
		require.Equal(t, c.Ambient(), got.Ambient())
		requireComplex(t, got)
		require.NoError(t, c.Encode(&stream))
	}
	// Decoding stops at the end of each, so several may follow each other.
	for _, c := range samples(t) {
		got, err := Decode(&stream)
		require.NoError(t, err)
		require.Equal(t, c.Dim(), got.Dim())
		for k := range c.levels {
			require.Equal(t, c.Simplices(k), got.Simplices(k))
		}
	}
	require.Zero(t, stream.Len())
}

func TestDecodeRefusesDamage(t *testing.T) {
	data := encode(t, samples(t)[3])
	for n := range data {
		_, err := Decode(bytes.NewReader(data[:n]))
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, "%d bytes", n)
	}
	for i := range data {
		bad := bytes.Clone(data)
		bad[i] ^= 1 << (i % 8)
		_, err := Decode(bytes.NewReader(bad))
		require.Error(t, err, "byte %d", i)
	}
}

// forge returns the encoding of tables that are no complex, with the right checksum.
func forge(degrees, ambient uint32, parts ...any) []byte {
	b := []byte(magic)
	for _, part := range append([]any{degrees, ambient}, parts...) {
		b, _ = binary.Append(b, binary.LittleEndian, part)
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

func TestDecodeRefusesNonsense(t *testing.T) {
	two := []int32{0, 1}
	for name, test := range map[string]struct {
		data []byte
		want string
	}{
		"other file": {[]byte("PK\x03\x04 and so on"), "not a complex"},
		"version":    {[]byte("nkfsimp\x02"), "version 2 of the format, want 1"},
		"vertices":   {forge(1, 0, uint32(2), []int32{0, 2}), "vertex 1 has the number 2"},
		"huge":       {forge(1, 0, uint32(1<<32-1)), "would hold more than"},
		"degrees":    {forge(1<<32-1, 0, uint32(2), two, uint32(0)), "no simplices in degree 1"},
		"order":      {forge(2, 0, uint32(2), two, uint32(2), []int32{0, 1, 0, 1}), "are not in order"},
		"reversed":   {forge(2, 0, uint32(2), two, uint32(1), []int32{1, 0}), "[1 0] do not increase"},
		"repeated":   {forge(2, 0, uint32(2), two, uint32(1), []int32{1, 1}), "do not increase"},
		"stranger":   {forge(2, 0, uint32(2), two, uint32(1), []int32{0, 5}), "[0 5] lacks its face [5]"},
		"negative":   {forge(2, 0, uint32(2), two, uint32(1), []int32{-1, 0}), "[-1 0] lacks its face [-1]"},
		"coordinate": {forge(1, 1, uint32(2), two, []float64{0, math.NaN()}), "of point 1 is NaN"},
		"dimension":  {forge(1, 1<<31, uint32(2), two), "ambient dimension 2147483648"},
		"wide":       {forge(1, 1<<31-1, uint32(2), two), "unexpected EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Decode(bytes.NewReader(test.data))
			require.ErrorContains(t, err, test.want)
		})
	}
}

type failingWriter struct{ left int }

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, errors.New("disk full")
	}
	return len(p), nil
}

func TestEncodeReportsWriteErrors(t *testing.T) {
	c := samples(t)[5]
	size := len(encode(t, c))
	for _, left := range []int{0, 5000, size - 1} {
		require.ErrorContains(t, c.Encode(&failingWriter{left}), "disk full")
	}
	require.NoError(t, c.Encode(&failingWriter{size}))
}

func TestSaveAndLoad(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.simplicial")
	c := samples(t)[4]
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
	require.NoError(t, c.Save(path))
	got, err := Load(path)
	require.NoError(t, err)
	require.Equal(t, c, got)
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, files, 1, "temporary files stay behind")

	require.ErrorContains(t, c.Save(filepath.Join(folder, "missing", "a")), "saving")
	require.NoError(t, os.Mkdir(filepath.Join(folder, "full"), 0o755))
	require.NoError(t, c.Save(filepath.Join(folder, "full", "a")))
	// A folder with files cannot be replaced; the temporary file must go all the same.
	require.ErrorContains(t, c.Save(filepath.Join(folder, "full")), "saving")
	files, err = os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, files, 2)

	_, err = Load(filepath.Join(folder, "missing"))
	require.ErrorIs(t, err, os.ErrNotExist)
	data := encode(t, c)
	require.NoError(t, os.WriteFile(path, append(data, 0), 0o600))
	_, err = Load(path)
	require.ErrorContains(t, err, "data after the end")
	require.NoError(t, os.WriteFile(path, data[:99], 0o600))
	_, err = Load(path)
	require.ErrorContains(t, err, "a.simplicial: unexpected EOF")
}
