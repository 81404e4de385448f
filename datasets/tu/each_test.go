package tu

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/internal/heap"
)

// random returns the files of a data set of random graphs, some without nodes, with that share of edges
// exchanged with others in their file.
func random(graphs, nodes int, disorder float64) map[string]string {
	r := rand.New(rand.NewPCG(uint64(graphs), 1))
	var edges []string
	text := map[string]*strings.Builder{}
	for _, kind := range kinds[1:] {
		text[kind] = &strings.Builder{}
	}
	first := 1
	for g := range graphs {
		fmt.Fprintln(text["graph_labels"], r.IntN(3)-1)
		fmt.Fprintln(text["graph_attributes"], r.Float32(), ",", r.Float32())
		count := nodes
		if g%5 == 3 && g < graphs-1 {
			count = 0
		}
		for range count {
			fmt.Fprintln(text["graph_indicator"], g+1)
			fmt.Fprintln(text["node_labels"], r.IntN(4))
			fmt.Fprintln(text["node_attributes"], r.Float32(), ",", r.Float32())
			u, v := first+r.IntN(count), first+r.IntN(count)
			edges = append(edges, fmt.Sprintln(u, ",", v), fmt.Sprintln(v, ",", u))
		}
		first += count
	}
	for i := range edges {
		if r.Float64() < disorder {
			j := r.IntN(len(edges))
			edges[i], edges[j] = edges[j], edges[i]
		}
	}
	set := map[string]string{"A": strings.Join(edges, "")}
	for kind, b := range text {
		set[kind] = b.String()
	}
	return set
}

// folderOf writes a data set into a folder.
func folderOf(t testing.TB, set map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, content := range named(set, "R_%s.txt") {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600))
	}
	return folder
}

// eachOf calls do with the parts of a folder.
func eachOf(t testing.TB, folder string, most size, do func(*Archive, float64) error) (notes []string,
	err error) {
	t.Helper()
	f := must(find(os.DirFS(folder), bounds{maxBytes, maxCount}))
	return f.each(most, do)
}

// TestEach: the parts of a data set together are the whole, whatever the order of its edges and the size of
// the parts; each has a node.
func TestEach(t *testing.T) {
	for _, c := range []struct {
		graphs   int
		disorder float64
		lacking  []string
	}{
		{40, 0, nil}, {40, 0.5, []string{"graph_labels"}}, {1, 0, []string{"node_labels"}},
		{43, 0, []string{"node_attributes", "graph_attributes"}}, {43, 1, kinds[2:]},
	} {
		set := random(c.graphs, 6, c.disorder)
		if len(c.lacking) == 4 { // no graph may be left out
			set["graph_indicator"] = strings.Repeat("1\n", strings.Count(set["graph_indicator"], "\n"))
		}
		for _, kind := range c.lacking {
			delete(set, kind)
		}
		folder := folderOf(t, set)
		whole := must(Open(folder))
		e := must(whole.encoder(Automatic))
		want := must(e.Encode(whole))
		for _, most := range []size{
			{1, 1000, 0}, {3, 1000, 0}, {3, 1000, 2}, {1000, 20, 0}, {1000, 1000, 0},
		} {
			var x []float64
			var edges []int32
			count, last := 0, 0.0
			notes, err := eachOf(t, folder, most, func(part *Archive, share float64) error {
				require.NotZero(t, part.nodes())
				require.Greater(t, share, last)
				last = share
				data := must(e.Encode(part))
				for g := range part.Len() {
					require.Equal(t, count, part.Row(g)[0].Value)
					require.Equal(t, want.Points(count), data.Points(g))
					require.Equal(t, want.Corners(1, count), data.Corners(1, g))
					if whole.GraphLabels != nil {
						require.Equal(t, whole.GraphLabels[count], part.GraphLabels[g])
					} else {
						require.Equal(t, whole.graphAttributes.row(count), part.graphAttributes.row(g))
					}
					count++
				}
				x, edges = append(x, points(data)...), append(edges, data.Simplices[1].Corners...)
				return nil
			})
			require.NoError(t, err)
			require.Equal(t, 1.0, last)
			require.Equal(t, whole.Len(), count)
			require.Equal(t, points(want), x)
			require.Equal(t, want.Simplices[1].Corners, edges)
			if one := most.graphs == 1000 && most.nodes == 1000 || whole.Len() == 1; one || c.disorder == 0 {
				require.Empty(t, notes)
			} else {
				require.Equal(t, []string{"the edges in R_A.txt are not in the order of the graphs: all of " +
					"them are held in memory"}, notes)
			}
		}
	}
}

// TestEachError: an error in the last line of any file is one, also where parts before it were good; that of
// a part is as it was.
func TestEachError(t *testing.T) {
	for kind, want := range map[string]string{
		"A": "R_A.txt, line 385: column 1", "graph_indicator": "R_graph_indicator.txt, line 193: column 1",
		"node_labels": "R_node_labels.txt, line 193", "node_attributes": "R_node_attributes.txt, line 193",
		"graph_labels": "R_graph_labels.txt, line 41", "graph_attributes": "R_graph_attributes.txt, line 41",
	} {
		set := random(40, 6, 0)
		set[kind] += "x, 1\n"
		parts := 0
		_, err := eachOf(t, folderOf(t, set), size{3, 1000, 0}, func(*Archive, float64) error {
			parts++
			return nil
		})
		require.ErrorContains(t, err, want)
		require.Equal(t, strings.HasPrefix(kind, "node"), parts > 0, kind)
		set[kind] = set[kind][:len(set[kind])/2]
		set[kind] = set[kind][:strings.LastIndex(set[kind], "\n")+1]
		_, err = eachOf(t, folderOf(t, set), size{3, 1000, 0}, func(*Archive, float64) error { return nil })
		require.Equal(t, kind != "A", err != nil, kind)
	}
	failed := errors.New("enough")
	_, err := Each(folderOf(t, random(40, 6, 0)), func(*Archive, float64) error { return failed })
	require.Equal(t, failed, err)
	empty := t.TempDir()
	_, err = Each(empty, nil)
	require.ErrorContains(t, err, empty+": no file name ends in _A.txt")
}

// TestEachMemory: three times as many graphs take as much memory, but for four bytes of each; where edges are
// not in order, they take eight bytes each.
func TestEachMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 10 MB")
	}
	peak := func(graphs int, disorder float64) (bytes uint64) {
		folder := folderOf(t, random(graphs, 25, disorder))
		return heap.Peak(func() {
			must(eachOf(t, folder, size{125, 1 << 16, 0}, func(*Archive, float64) error { return nil }))
		})
	}
	few, many, loose := peak(2_500, 0), peak(7_500, 0), peak(7_500, 0.01)
	t.Logf("%.1f MB, of three times as many %.1f, out of order %.1f", float64(few)/1e6, float64(many)/1e6,
		float64(loose)/1e6)
	require.Less(t, many, few+2<<20)
	require.Less(t, loose, many+10<<20)
}

// TestLongFirstLine: what one line has does not make room for all lines that may follow.
func TestLongFirstLine(t *testing.T) {
	set := random(100, 25, 0)
	set["node_attributes"] = strings.Repeat("1,", 400_000) + "1\n"
	folder := folderOf(t, set)
	peak := heap.Peak(func() {
		_, err := Open(folder)
		require.ErrorContains(t, err, "R_node_attributes.txt has 1 line for")
	})
	require.Less(t, peak, uint64(100<<20))
}

// TestEachZip: a zip archive is read as a folder is.
func TestEachZip(t *testing.T) {
	set := random(9000, 3, 0)
	path := filepath.Join(t.TempDir(), "r.zip")
	require.NoError(t, os.WriteFile(path, zipOf(t, named(set, "R_%s.txt")), 0o600))
	var sizes, labels []int
	must(Each(path, func(part *Archive, _ float64) error {
		sizes, labels = append(sizes, part.Len()), append(labels, part.GraphLabels...)
		return nil
	}))
	require.Equal(t, []int{4096, 4096, 808}, sizes)
	require.True(t, slices.Equal(must(Open(path)).GraphLabels, labels))
}
