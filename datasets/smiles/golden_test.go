package smiles

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// shared returns the folder of whole data sets, or skips the test.
func shared(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("NKF_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	if _, err := os.Stat(filepath.Join(dir, "golden", "molecules")); err != nil {
		t.Skip("no whole data sets: neither $NKF_SHARED nor the folder shared beside the checkout has them")
	}
	return dir
}

// column reads one column of a CSV file with a header.
func column(t testing.TB, path, name string) []string {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	r := csv.NewReader(f)
	r.ReuseRecord = true
	head, err := r.Read()
	require.NoError(t, err)
	at := -1
	for i, h := range head {
		if h == name {
			at = i
		}
	}
	require.GreaterOrEqual(t, at, 0, "no column %s", name)
	var out []string
	for {
		row, err := r.Read()
		if err == io.EOF {
			return out
		}
		require.NoError(t, err)
		out = append(out, row[at])
	}
}

// golden reads the lines of a gzip file.
func golden(t testing.TB, path string) [][]byte {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	var out [][]byte
	s := bufio.NewScanner(z)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		out = append(out, bytes.Clone(s.Bytes()))
	}
	require.NoError(t, s.Err())
	return out
}

var collections = []struct {
	file, column string
	rows         int
}{
	{"bace", "mol", 1513},
	{"BBBP", "smiles", 2050},
	{"HIV", "smiles", 41127},
}

func TestWholeCollections(t *testing.T) {
	dir := shared(t)
	var p Parser
	var line []byte
	for _, c := range collections {
		t.Run(c.file, func(t *testing.T) {
			smiles := column(t, filepath.Join(dir, "datasets", "moleculenet", c.file+".csv"), c.column)
			want := golden(t, filepath.Join(dir, "golden", "molecules", c.file+".features.csv.gz"))
			require.Len(t, smiles, c.rows)
			require.Len(t, want, c.rows)
			differ, refused := 0, 0
			for i, s := range smiles {
				m, err := p.Parse(s)
				if err != nil {
					refused++
				}
				line = AppendRow(line[:0], i, m, err)
				if !bytes.Equal(line, want[i]) {
					if differ++; differ <= 10 {
						t.Errorf("row %d %s\n got %s\nwant %s", i, s, line, want[i])
					}
				}
			}
			t.Logf("%s: %d rows, %d differ, %d refused", c.file, len(smiles), differ, refused)
			require.Zero(t, differ)
		})
	}
}
