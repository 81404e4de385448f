// Package text reads users' text files, plain or packed by gzip, in UTF-8 or UTF-16, with any line ends, and
// parses the numbers in them.
package text

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Reader returns the text of a file in UTF-8 without a byte order mark, whose lines end in \n. Files are in
// UTF-8 or UTF-16, plain or packed by gzip; their lines end in \n, \r\n or \r.
//
// A file in another encoding is an error, for its letters would be wrong without a word.
type Reader struct {
	name string
	r    io.Reader
	line int // of the next byte, from 1

	left, bound int // bytes until the bound of Allow, which is 0 for none
	part        string

	afterCR bool
	err     error // with its place
}

// NewReader reads a file; errors call it by the name.
func NewReader(r io.Reader, name string) *Reader {
	t := &Reader{name: name, line: 1}
	unpacked, _, err := Unpack(r)
	if err != nil {
		t.fail(err)
		return t
	}
	head, _ := unpacked.Peek(3)
	decoder := utf16(head)
	if bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) {
		_, _ = unpacked.Discard(3) // Peek has shown that they are there
	}
	if decoder == nil {
		decoder = encoding.UTF8Validator
	}
	t.r = transform.NewReader(unpacked, decoder)
	return t
}

// utf16 returns the decoder of a text that begins so, nil unless it is in UTF-16: by a byte order mark, or by
// an ASCII character, with which tables begin.
func utf16(head []byte) transform.Transformer {
	if len(head) < 2 {
		return nil
	}
	switch a, b := head[0], head[1]; {
	case a == 0xff && b == 0xfe, a == 0xfe && b == 0xff:
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder()
	case a != 0 && b == 0:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewDecoder()
	case a == 0 && b != 0:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewDecoder()
	}
	return nil
}

// Allow bounds the bytes until the next call: those of a part of the text, which errors name. Where a quote
// is missing, a part would fill the memory.
func (t *Reader) Allow(bytes int, part string) { t.left, t.bound, t.part = bytes, bytes, part }

// Err returns the error that ended the text with its place, nil at the end of the file. Parsers hide it
// behind what they make of a text that ends early.
func (t *Reader) Err() error { return t.err }

// fail keeps an error with its place.
func (t *Reader) fail(err error) {
	if errors.Is(err, encoding.ErrInvalidUTF8) {
		err = errors.New("the text is not in UTF-8, but perhaps in Windows-1252: save the file as UTF-8")
	}
	t.err = fmt.Errorf("%s, line %d: %w", t.name, t.line, err)
}

// Read implements io.Reader.
func (t *Reader) Read(p []byte) (int, error) {
	for {
		if t.err != nil {
			return 0, t.err
		}
		if t.bound > 0 && t.left < 0 {
			t.fail(fmt.Errorf("more than %d MiB without an end of %s: look for a quote or bracket that is "+
				"missing", t.bound>>20, t.part))
			continue
		}
		n, err := t.r.Read(p)
		t.left -= n
		n = t.ends(p[:n])
		if err != nil && err != io.EOF {
			if t.fail(err); n == 0 {
				continue
			}
			err = nil
		}
		if n > 0 || err != nil || len(p) == 0 {
			return n, err
		}
	}
}

// Lines are the lines of a text, read one by one.
type Lines struct {
	Number int    // of the line, from 1
	Line   []byte // valid until the next
	text   *Reader
	lines  *bufio.Scanner
	most   int
}

// Lines returns the lines of the text, of which none may have more than the given bytes.
func (t *Reader) Lines(most int) *Lines {
	lines := bufio.NewScanner(t)
	lines.Buffer(make([]byte, 0, 1<<12), most)
	return &Lines{text: t, lines: lines, most: most}
}

// Next goes on to the next line, and reports whether there is one. [Reader.Err] says whether those before
// were all.
func (l *Lines) Next() bool {
	if l.lines.Scan() {
		l.Number, l.Line = l.Number+1, l.lines.Bytes()
		return true
	}
	if errors.Is(l.lines.Err(), bufio.ErrTooLong) {
		l.text.err = fmt.Errorf("%s, line %d: more than %d bytes in a line", l.text.name, l.Number+1, l.most)
	}
	return false
}

// ends ends the lines in \n, and returns the bytes that are left.
func (t *Reader) ends(p []byte) (kept int) {
	for _, b := range p {
		half := b == '\n' && t.afterCR
		t.afterCR = b == '\r'
		if half {
			continue
		}
		if b == '\r' {
			b = '\n'
		}
		if b == '\n' {
			t.line++
		}
		p[kept] = b
		kept++
	}
	return kept
}

// Unpacks returns an error if more bytes come of some that are packed than of data: more than 100 times as
// many, of which tables and meshes as text come to 10, and slack for small files.
func Unpacks(packed, bytes int64) error {
	const most, slack = 100, 1 << 20
	if bytes-slack > most*packed {
		return fmt.Errorf("it unpacks to more than %d times its size, which no data do", most)
	}
	return nil
}

// Unpack returns the content of a file, and whether it was packed by gzip. What unpacks to more than 100
// times its size is an error.
func Unpack(r io.Reader) (content *bufio.Reader, packed bool, err error) {
	const size = 1 << 17
	counted := &counter{r: r}
	plain := bufio.NewReaderSize(counted, size)
	if head, _ := plain.Peek(2); !bytes.Equal(head, []byte{0x1f, 0x8b}) {
		return plain, false, nil
	}
	z, err := gzip.NewReader(plain)
	if err != nil {
		return nil, true, fmt.Errorf("damaged gzip: %w", err)
	}
	return bufio.NewReaderSize(&bounded{r: z, packed: counted}, size), true, nil
}

// counter counts what is read.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// bounded is a packed file that may not unpack to more than the bound.
type bounded struct {
	r      io.Reader
	packed *counter
	n      int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	b.n += int64(n)
	if err == io.ErrUnexpectedEOF {
		err = errors.New("the file ends here: it was cut off, get it again")
	}
	return n, cmp.Or(Unpacks(b.packed.n, b.n), err)
}
