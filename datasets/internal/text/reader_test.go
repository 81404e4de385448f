package text

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/unicode"
)

// packed packs a text by gzip.
func packed(t *testing.T, content string) string {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, err := z.Write([]byte(content))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return out.String()
}

// TestEncodings: a text is the same in every encoding, with every line end, packed or not, and byte by byte.
func TestEncodings(t *testing.T) {
	const want = "täxt\nžluť\n\n€ 𝄞\nend"
	utf16 := func(order unicode.Endianness, mark unicode.BOMPolicy, s string) string {
		out, err := unicode.UTF16(order, mark).NewEncoder().String(s)
		require.NoError(t, err)
		return out
	}
	for _, end := range []string{"\n", "\r\n", "\r"} {
		content := strings.ReplaceAll(want, "\n", end)
		for name, file := range map[string]string{
			"UTF-8":                   content,
			"UTF-8, mark":             "\ufeff" + content,
			"UTF-16 little, mark":     utf16(unicode.LittleEndian, unicode.UseBOM, content),
			"UTF-16 big, mark":        utf16(unicode.BigEndian, unicode.UseBOM, content),
			"UTF-16 little":           utf16(unicode.LittleEndian, unicode.IgnoreBOM, content),
			"UTF-16 big":              utf16(unicode.BigEndian, unicode.IgnoreBOM, content),
			"gzip":                    packed(t, content),
			"gzip of UTF-16":          packed(t, utf16(unicode.LittleEndian, unicode.UseBOM, content)),
			"gzip of two, one marked": packed(t, "\ufeff"+content[:5]) + packed(t, content[5:]),
		} {
			for _, r := range []io.Reader{
				strings.NewReader(file), iotest.OneByteReader(strings.NewReader(file)),
				iotest.DataErrReader(strings.NewReader(file)),
			} {
				text := NewReader(r, "a.txt")
				got, err := io.ReadAll(text)
				require.NoError(t, err, name)
				require.Equal(t, want, string(got), "%s, lines end in %q", name, end)
				require.NoError(t, text.Err())
			}
		}
	}
	empty, err := io.ReadAll(NewReader(strings.NewReader(""), "a.txt"))
	require.NoError(t, err)
	require.Empty(t, empty)
}

// TestUnreadable: whatever ends a text early is an error with file and line, which stays.
func TestUnreadable(t *testing.T) {
	broken := errors.New("broken")
	whole := packed(t, strings.Repeat("line\n", 10))
	for name, c := range map[string]struct {
		r    io.Reader
		want string
	}{
		"Windows-1252": {strings.NewReader("one\ntwo caf\xe9\n"), "a.txt, line 2: the text is not in UTF-8"},
		"cut gzip":     {strings.NewReader(whole[:len(whole)-9]), "the file ends here: it was cut off"},
		"no gzip":      {strings.NewReader("\x1f\x8b"), "a.txt, line 1: damaged gzip"},
		"broken": {io.MultiReader(strings.NewReader("a\nb\n"), iotest.ErrReader(broken)),
			"a.txt, line 3: broken"},
		"bomb": {strings.NewReader(packed(t, strings.Repeat("0\n", 4<<20))),
			"unpacks to more than 100 times"},
	} {
		text := NewReader(c.r, "a.txt")
		_, err := io.Copy(io.Discard, text)
		require.ErrorContains(t, err, c.want, name)
		require.Equal(t, err, text.Err(), name)
		_, again := text.Read(make([]byte, 1))
		require.Equal(t, err, again, name)
	}
}

// TestAllow: a part of a text that does not end is an error, and one that does leaves the bound to the next.
func TestAllow(t *testing.T) {
	text := NewReader(strings.NewReader(strings.Repeat("a", 10<<20)), "a.txt")
	part := make([]byte, 1<<20)
	for range 5 {
		text.Allow(1<<20, "a part")
		_, err := io.ReadFull(text, part)
		require.NoError(t, err)
	}
	_, err := io.ReadAll(text)
	require.ErrorContains(t, err, "a.txt, line 1: more than 1 MiB without an end of a part")
}

// TestNumber: numbers are decimal; Go's own spellings are none.
func TestNumber(t *testing.T) {
	x, err := Number("+.5E1")
	require.NoError(t, err)
	require.InDelta(t, 5, x, 0)
	for _, spelled := range []string{"", "1_000.5", "0x1p3", "0X1P3", "0b1", "1,5"} {
		_, err := Number(spelled)
		require.Error(t, err, spelled)
	}
}
