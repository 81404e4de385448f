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
	for name, c := range map[string]struct {
		row, want string
		most      uint64 // MB
	}{
		"long rows": {strings.Repeat("C(", 1<<15) + ",1\n", "has no molecule with a label", 24},
		"one long":  {strings.Repeat("C", 1<<25) + ",1\n", "more than 16 MiB without an end of a row", 100},
	} {
		r := &hostile{head: "smiles,label\n", text: c.row, left: 24 << 20}
		var err error
		grown := heap.Peak(func() { _, err = Read(r, "file.csv", usual) })
		require.ErrorContains(t, err, c.want)
		require.Less(t, len(err.Error()), 500)
		t.Logf("%s: %d MB of heap", name, grown>>20)
		require.Less(t, grown, c.most<<20, name)
	}
	m := &Molecules{Refused: []Skipped{{Line: 2, SMILES: "(", Reason: "odd"}},
		Unlabeled: make([]Skipped, maxSkipped-1)}
	require.ErrorContains(t, m.skip(row{}, "", &m.Refused), `1048576 rows are no molecules or have no `+
		`label, such as line 2 ("(": odd)`)
}
