package series

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/internal/heap"
)

// files returns the content of a file of each format, with as many paths; the rows of the table's paths stand
// together but for a share.
func files(paths int, disorder float64, labels ...string) (ts, table string) {
	r := rand.New(rand.NewPCG(uint64(paths), 1))
	lines, rows := []string{"@classLabel true " + strings.Join(labels, " ") + "\n@data\n"}, []string(nil)
	for g := range paths {
		label := append(labels, "?")[r.IntN(len(labels)+1)]
		var channels [2][]string
		for i := range 1 + r.IntN(9) {
			x, y := fmt.Sprint(r.Float32()), fmt.Sprint(r.Float32())
			if i > 0 && r.IntN(4) == 0 {
				x = "?"
			}
			channels[0], channels[1] = append(channels[0], x), append(channels[1], y)
			rows = append(rows, fmt.Sprintf("p%d,%d,%s,%s,%s\n", g, r.IntN(4), x, y, label))
		}
		x, y := strings.Join(channels[0], ","), strings.Join(channels[1], ",")
		lines = append(lines, x+":"+y+":"+label+"\n")
	}
	for i := range rows {
		if r.Float64() < disorder {
			j := r.IntN(len(rows))
			rows[i], rows[j] = rows[j], rows[i]
		}
	}
	return strings.Join(lines, ""), "path,when,x,y,kind\n" + strings.Join(rows, "")
}

// eachOf returns what each passes on of a file, and its notes.
func eachOf(t *testing.T, path string, most size) (sets []*Set, notes []string) {
	t.Helper()
	r := &reader{}
	if strings.HasSuffix(path, ".csv") {
		r = usual.reader()
	}
	last := 0.0
	notes, err := r.each(path, most, func(part *Set, share float64) error {
		require.Greater(t, share, last)
		last = share
		sets = append(sets, part)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, 1.0, last)
	return sets, notes
}

// TestEach: the parts of a file together are the whole, whatever their size, and where the rows of paths
// stand.
func TestEach(t *testing.T) {
	for _, disorder := range []float64{0, 0.1, 1} {
		ts, table := files(40, disorder, "b", "a")
		for name, text := range map[string]string{"a.ts": ts, "a.csv": table} {
			path := write(t, name, text)
			whole, err := OpenTS("", path)
			if name == "a.csv" {
				whole, err = OpenTable(usual, "", path)
			}
			require.NoError(t, err)
			for _, most := range []size{
				{1, 1000, 0}, {7, 1000, 0}, {7, 1000, 6}, {50, 20, 0}, {50, 1000, 0},
			} {
				sets, notes := eachOf(t, path, most)
				require.Equal(t, most.paths == 50 && most.values == 1000, len(sets) == 1)
				require.Equal(t, whole.Notes, notes[:len(whole.Notes)])
				g := 0
				for _, s := range sets {
					require.Equal(t, []any{whole.Classes, whole.Label, whole.Coordinates, whole.Name},
						[]any{s.Classes, s.Label, s.Coordinates, s.Name})
					for i := range s.Len() {
						require.Equal(t, whole.Points(g), s.Points(i))
						require.Equal(t, whole.Labels[g], s.Labels[i])
						require.Equal(t, whole.Row(g), s.Row(i))
						g++
					}
				}
				require.Equal(t, whole.Len(), g)
			}
			_, notes := eachOf(t, path, size{1, 1000, 0})
			require.Equal(t, name == "a.csv" && disorder > 0,
				strings.Contains(notes[len(notes)-1], "the rows of a path do not stand together"))
		}
	}
}

// TestEachLabels: what labels are depends on all of them, also on those of later parts.
func TestEachLabels(t *testing.T) {
	columns := Columns{ID: "id", Coordinates: []string{"x"}, Label: "y"}
	each := func(text string) (classes []string, err error) {
		_, err = columns.reader().each(write(t, "a.csv", "id,x,y\n"+text), size{1, 9, 0},
			func(part *Set, _ float64) error {
				classes = append(classes, part.Classes[part.Labels[0]])
				return nil
			})
		return classes, err
	}
	require.Equal(t, []string{"1", "2"}, must(each("a,1,1.0\nb,2,2\n")))
	require.Equal(t, []string{"1.0", "x", ""}, must(each("a,1,1.0\nb,2,x\nc,1,\n")))
	_, err := each("a,1,\nb,2,\n")
	require.ErrorContains(t, err, `a.csv: no path has a label in "y"`)
	_, err = each("a,1,1\nb,2,3\na,1,3\n")
	require.ErrorContains(t, err, "a.csv, line 4: column \"y\": the path a is 3 here, but 1 before")
	_, err = each("a,1,1\nb,2,3\nc,z,3\n")
	require.ErrorContains(t, err, "a.csv, line 4: column \"x\"")
	_, err = each("")
	require.ErrorContains(t, err, "a.csv: no series")
}

// TestChanged: a file that is changed between the passes is an error, and one of whoever receives the parts
// is as it was.
func TestChanged(t *testing.T) {
	const head = "id,x\n"
	for _, second := range []string{"a,1\n", "a,1\nb,2\nb,3\n", "a,1\nc,2\n", "a,1\nb,3\n", "b,2\na,1\n"} {
		path := write(t, "a.csv", head+"a,1\nb,2\n")
		r := Columns{ID: "id", Coordinates: []string{"x"}}.reader()
		r.predicted = true
		r.parts = &parts{most: size{1, 9, 0}, do: func(*Set, float64) error { return nil }}
		require.NoError(t, r.survey(path))
		require.NoError(t, os.WriteFile(path, []byte(head+second), 0o600))
		_, err := r.deliver(path)
		require.ErrorContains(t, err, "a.csv was changed while it was read", second)
	}
	failed := errors.New("enough")
	_, err := EachTS(write(t, "a.ts", "@data\n1\n"), func(*Set, float64) error { return failed })
	require.Equal(t, failed, err)
	_, err = (&reader{}).each(t.TempDir(), partSize, nil)
	require.ErrorContains(t, err, "is not a file")
}

// TestEachMemory: what is held of a file does not depend on the number of its values.
func TestEachMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads files of 10 MB")
	}
	peak := func(name string, points int) (bytes uint64) {
		text := "@data\n" + strings.Repeat(strings.Repeat("0.12345,", points)+"1\n", 4000)
		if name == "a.csv" {
			var rows strings.Builder
			fmt.Fprintln(&rows, "path,when,x,y,kind")
			for g := range 1000 {
				rows.WriteString(strings.Repeat(fmt.Sprintf("p%d,1,0.12345,0.12345,a\n", g), points))
			}
			text = rows.String()
		}
		path := write(t, name, text)
		r := &reader{}
		if name == "a.csv" {
			r = usual.reader()
		}
		return heap.Peak(func() {
			must(r.each(path, size{20, 1 << 20, 0}, func(*Set, float64) error { return nil }))
		})
	}
	for _, name := range []string{"a.ts", "a.csv"} {
		few, many := peak(name, 50), peak(name, 300)
		t.Logf("%s: %.1f MB, with six times as many points %.1f", name, float64(few)/1e6, float64(many)/1e6)
		require.Less(t, many, few+5<<20)
	}
}
