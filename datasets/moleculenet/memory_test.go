package moleculenet

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/internal/heap"
)

// hostile repeats a text up to a number of bytes.
type hostile struct {
	head, text string
	left, at   int
}

// Read is that of io.Reader.
func (e *hostile) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	if e.head != "" {
		n := copy(p, e.head)
		e.head = e.head[n:]
		return n, nil
	}
	n := min(len(p), e.left)
	for i := range n {
		p[i] = e.text[e.at]
		e.at = (e.at + 1) % len(e.text)
	}
	e.left -= n
	return n, nil
}

// TestHostileTables: rows that are none, however many or long, take no memory to speak of, and are refused
// when there are too many.
func TestHostileTables(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 100 MB of text each")
	}
	for name, c := range map[string]struct{ row, want string }{
		"short rows": {"(,1\n", "1048576 rows are no molecules or have no label, such as line 2 ("},
		"long rows":  {strings.Repeat("C(", 1<<20) + ",1\n", "has no molecule with a label"},
		"one long":   {strings.Repeat("C", 1<<25) + ",1\n", "more than 16 MiB without an end of a row"},
	} {
		t.Run(name, func(t *testing.T) {
			r := &hostile{head: "smiles,label\n", text: c.row, left: 100 << 20}
			var err error
			grown := heap.Peak(func() { _, err = Read(r, "file.csv", usual) })
			require.ErrorContains(t, err, c.want)
			require.Less(t, len(err.Error()), 500)
			t.Logf("%d MB of heap", grown>>20)
			require.Less(t, grown, uint64(300<<20))
		})
	}
}
