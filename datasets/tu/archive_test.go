package tu

import (
	"archive/zip"
	"bytes"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
)

// toy has four graphs: a triangle listed in odd ways with a self-loop, none at all, two nodes without an
// edge, and a path of three nodes.
func toy() map[string]string {
	return map[string]string{
		"A":                "2, 1\n1,2\n3, 2\n1 3\n3, 3\n7, 8\n6, 7\n7, 6\n",
		"graph_indicator":  "1\n1\n1\n3\n3\n4\n4\n4\n",
		"graph_labels":     "-1\n10\n-1\n2\n",
		"graph_attributes": "0.5\n1.5\n2.5\n1e30\n",
		"node_labels":      "3, 0\n5, 0\n3, 1\n6, 0\n5, 0\n5, 0\n3, 0\n3, 0\n",
		"node_attributes":  "0, 1\n2, 3\n4, 5\n6, 7\n8, 9\n10, 11\n12, 13\n14, 1.5e1\n",
		// Not read.
		"edge_labels":     "1\n2\n3\n4\n5\n6\n7\n8\n",
		"edge_attributes": ".1\n.2\n.3\n.4\n.5\n.6\n.7\n.8\n",
	}
}

// zipOf returns a zip archive of the members with their names; the order is that of the names.
func zipOf(t testing.TB, members map[string]string) []byte {
	t.Helper()
	var buffer bytes.Buffer
	w := zip.NewWriter(&buffer)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		must(must(w.Create(name)).Write([]byte(members[name])))
	}
	require.NoError(t, w.Close())
	return buffer.Bytes()
}

// named returns the files of a data set by the names that a layout gives them.
func named(set map[string]string, layout string) map[string]string {
	members := make(map[string]string)
	for kind, content := range set {
		members[fmt.Sprintf(layout, kind)] = content
	}
	return members
}

// openFiles opens a data set in a zip archive with the given layout of names.
func openFiles(t *testing.T, set map[string]string, layout string) (*Archive, error) {
	t.Helper()
	data := zipOf(t, named(set, layout))
	return Read(datasets.File{Name: "toy.zip", Bytes: data, SHA256: sum(data)})
}

func requireToy(t *testing.T, a *Archive) {
	t.Helper()
	require.Equal(t, "TOY", a.name)
	require.Equal(t, 4, a.Len())
	require.Equal(t, 8, a.nodes())
	require.Equal(t, []int32{0, 3, 3, 5, 8}, a.nodeStart)
	require.Equal(t, []int32{0, 3, 3, 3, 5}, a.edgeStart)
	require.Equal(t, []int32{0, 1, 0, 2, 1, 2, 0, 1, 1, 2}, a.edges)
	require.Equal(t, []int{2, 2, 2, 0, 0, 1, 2, 1}, a.degrees())
	require.Equal(t, []int{-1, 10, -1, 2}, a.GraphLabels)
	require.Equal(t, []int{3, 1}, a.nodeLabels.row(2))
	require.Equal(t, []float64{14, 15}, a.nodeAttributes.row(7))
	require.Len(t, a.sha256, 64)
}

// TestLayouts opens the same data set as archives with all customary member names and as a folder, with all
// customary line ends.
func TestLayouts(t *testing.T) {
	for _, layout := range []string{
		"TOY_%s.txt", "TOY/TOY_%s.txt", "TOY//TOY_%s.txt", `TOY\TOY_%s.txt`, "../../etc/TOY_%s.txt",
		"/TOY_%s.txt",
	} {
		a, err := openFiles(t, toy(), layout)
		require.NoError(t, err, layout)
		requireToy(t, a)
	}
	for _, end := range []string{"\r\n", "\r", "\r\n\n", " \t\n", "\n\n"} {
		set := toy()
		for kind, content := range set {
			content = strings.ReplaceAll(content, ",", "\t , ")
			set[kind] = "\xef\xbb\xbf" + strings.ReplaceAll(content, "\n", end)
		}
		a, err := openFiles(t, set, "TOY_%s.txt")
		require.NoError(t, err, "%q", end)
		requireToy(t, a)
	}
	folder := t.TempDir()
	for name, content := range named(toy(), "TOY_%s.txt") {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(content), 0o644))
	}
	for _, other := range []string{"README.txt", "._TOY_A.txt"} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, other), []byte("Hello"), 0o644))
	}
	require.NoError(t, os.Mkdir(filepath.Join(folder, "OTHER_A.txt"), 0o755))
	a := must(Open(folder))
	requireToy(t, a)
	packed := filepath.Join(t.TempDir(), "toy.zip")
	require.NoError(t, os.WriteFile(packed, zipOf(t, named(toy(), "TOY_%s.txt")), 0o644))
	b := must(Open(packed))
	requireToy(t, b)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "TOY_graph_labels.txt"), []byte("1\n1\n2\n2\n"),
		0o644))
	b = must(Open(folder))
	require.NotEqual(t, a.sha256, b.sha256)
}

func TestOptionalFiles(t *testing.T) {
	set := toy()
	for _, kind := range []string{
		"graph_attributes", "node_labels", "node_attributes", "edge_labels", "edge_attributes",
	} {
		delete(set, kind)
	}
	a := must(openFiles(t, set, "TOY_%s.txt"))
	require.Zero(t, a.nodeLabels.columns)
	c := must(a.Collection(Automatic))
	require.NoError(t, c.Validate())
	require.Equal(t, "degree", c.Features)
	require.Equal(t, 3, c.Dim)
	require.Equal(t, []float64{0, 0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 0}, points(c)[:12])
	require.Equal(t, []float64{0, 0, 1, 1, 0, 0, 0, 1, 0}, c.Vertices, "a row for each degree")

	delete(set, "graph_labels")
	_, err := openFiles(t, set, "TOY_%s.txt")
	require.ErrorContains(t, err, "line 4: graph 3 after graph 1: without TOY_graph_labels.txt no graph")
	set["graph_indicator"] = "1\n1\n1\n2\n2\n3\n3\n3\n"
	a = must(openFiles(t, set, "TOY_%s.txt"))
	require.Equal(t, []int32{0, 3, 5, 8}, a.nodeStart)
	_, err = a.Collection(Automatic)
	require.ErrorContains(t, err, "TOY has no file TOY_graph_labels.txt or TOY_graph_attributes.txt")
	set["graph_attributes"] = "1\n2\n3\n4\n"
	a = must(openFiles(t, set, "TOY_%s.txt"))
	require.Equal(t, 4, a.Len(), "graph attributes tell the number of graphs, too")

	// They are the targets of a regression, in one or several columns.
	set["graph_attributes"] = "1, 0.5\n2, -3\n3, 0\n4, 1e3\n"
	c = must(must(openFiles(t, set, "TOY_%s.txt")).Collection(Automatic))
	require.NoError(t, c.Validate())
	require.True(t, c.Regression)
	require.Nil(t, c.Classes)
	require.Equal(t, []string{"attribute 1", "attribute 2"}, c.Tasks)
	require.Equal(t, []float32{1, 0.5, 2, -3, 3, 0, 4, 1e3}, c.Targets)
}

func TestCollectionOfToy(t *testing.T) {
	a := must(openFiles(t, toy(), "TOY_%s.txt"))
	for text, dim := range map[string]int{
		"attributes": 2, "labels": 6, "degree": 3, "attributes+labels": 8, "labels+degree": 9, "automatic": 8,
	} {
		features := must(parseFeatures(text))
		c := must(a.Collection(features))
		require.NoError(t, c.Validate())
		require.Equal(t, dim, c.Dim, text)
		require.Equal(t, text, features.String())
		if features != Automatic {
			require.Equal(t, text, c.Features)
		}
		require.Equal(t, []int32{0, 2, 0, 1}, c.Labels)
		require.Equal(t, []string{"-1", "2", "10"}, c.Classes)
		require.Equal(t, 1, c.Degree())
		require.Equal(t, a.sha256, c.SHA256)
	}
	for _, text := range []string{"attribute", "labels+", "automatic+labels"} {
		_, err := a.Encoder(text, nil)
		require.ErrorContains(t, err, "take automatic")
	}
	c := must(a.Collection(Attributes | Labels | Degree))
	// Node 3: attributes 4, 5; label 3 out of 3 to 6; label 1 out of 0 to 1; degree 2 out of 0 to 2.
	require.Equal(t, []float64{4, 5, 1, 0, 0, 0, 0, 1, 0, 0, 1}, c.Vertices[2*c.Dim:3*c.Dim])

	set := toy()
	delete(set, "node_labels")
	a = must(openFiles(t, set, "TOY_%s.txt"))
	_, err := a.Collection(Attributes | Labels)
	require.EqualError(t, err, "TOY has no node labels: take the features attributes+degree")

	set = toy()
	set["node_attributes"] = ""
	for v := range 8 {
		set["node_attributes"] += fmt.Sprintf("3, %d, %d\n", 1_700_000_000+v, 1_700_000_000+1_000_000*v)
	}
	a = must(openFiles(t, set, "TOY_%s.txt"))
	_, err = a.Encoder("attributes", nil)
	require.EqualError(t, err, "TOY_node_attributes.txt, column 2: 1700000001 of node 2 differs from the "+
		"others by too little for 32 bits: take a constant from all")

	const many = 17_000 // with as many columns more than 1 GiB
	set = map[string]string{"A": "1, 2\n", "graph_labels": "1\n",
		"graph_indicator": strings.Repeat("1\n", many)}
	for v := range many {
		set["node_labels"] += strconv.Itoa(v) + "\n"
	}
	a = must(openFiles(t, set, "TOY_%s.txt"))
	_, err = a.Collection(Labels)
	require.ErrorContains(t, err, "17000 columns of labels for 17000 nodes take more than 1 GiB")
}

func ExampleOpen() {
	a, err := Open("testdata/Letter-high") // a folder; a zip archive is opened the same way
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := a.Collection(Automatic)
	if err != nil {
		fmt.Println(err)
		return
	}
	edges := c.Corners(1, 0)
	fmt.Println(a.Len(), "graphs,", c.Features, "of dimension", c.Dim)
	fmt.Println("edges of the first:", edges)
	// Output:
	// 40 graphs, attributes of dimension 2
	// edges of the first: [0 1 0 2 0 3 1 2]
}

// points returns the coordinates of all vertices.
func points(c *datasets.Collection) (all []float64) {
	for g := range c.Len() {
		all = append(all, c.Points(g)...)
	}
	return all
}

// TestFarLabels: labels far apart have a column for each that occurs, wherever they lie; near ones have a
// column for every integer between them, as the benchmarks do.
func TestFarLabels(t *testing.T) {
	const least, most = math.MinInt, math.MaxInt
	for want, labels := range map[int][]int{
		3: {467221, 1, 467221, 77}, 4: {most, least, 0, -5}, 256: {0, 255}, 2: {1, 257}, 1: {least, least},
	} {
		set := map[string]string{"A": "1, 2\n", "graph_labels": "0\n"}
		for _, label := range labels {
			set["graph_indicator"] += "1\n"
			set["node_labels"] += strconv.Itoa(label) + "\n"
		}
		a := must(openFiles(t, set, "FAR_%s.txt"))
		e := must(a.encoder(Labels))
		c := must(e.Encode(a))
		require.NoError(t, c.Validate())
		require.Equal(t, want, c.Dim, labels)
		rows := map[string]int{}
		for v, label := range labels {
			row := points(c)[v*want : (v+1)*want]
			sum := 0.0
			for _, x := range row {
				sum += x
			}
			require.InDelta(t, 1, sum, 0)
			key := fmt.Sprint(row)
			if other, ok := rows[key]; ok {
				require.Equal(t, other, label)
			}
			rows[key] = label
		}
		require.Empty(t, must(e.Compare(a)).Notes)
	}
}

// TestAvailable: those of the features asked for that there are, else the automatic ones.
func TestAvailable(t *testing.T) {
	for _, c := range []struct {
		attributes, labels int
		asked, want        Features
	}{
		{3, 1, Attributes | Labels, Attributes | Labels},
		{3, 1, Labels, Labels},
		{3, 1, Automatic, Automatic},
		{3, 0, Attributes | Labels, Attributes},
		{3, 0, Labels, Attributes},
		{0, 1, Attributes, Labels},
		{0, 0, Attributes | Labels, Degree},
		{0, 0, Degree, Degree},
	} {
		var a Archive
		a.nodeAttributes.columns, a.nodeLabels.columns = c.attributes, c.labels
		require.Equal(t, c.want.String(), must(a.Available(c.asked.String())), "%v", c)
	}
}

// TestPointsWithoutEdges: no edge anywhere is a data set of points.
func TestPointsWithoutEdges(t *testing.T) {
	a := must(openFiles(t, map[string]string{
		"A": "", "graph_indicator": "1\n1\n2\n", "graph_labels": "0\n1\n", "node_attributes": "1\n2\n3\n",
	}, "POINTS_%s.txt"))
	require.Empty(t, a.edges)
	require.Equal(t, []float64{1, 2, 3}, must(a.Collection(Automatic)).Vertices)

	a = must(openFiles(t, map[string]string{"A": "1, 2\n", "graph_indicator": "1\n1\n"}, "EDGE_%s.txt"))
	e := must(a.encoder(Automatic))
	require.Equal(t, encoder{Features: Degree, Degrees: span{0, 1, []int{1}}}, e, "degrees count from 0")
}

// TestEncodeLikeAnotherArchive: columns of the first archive, whatever labels
// and classes the second has.
func TestEncodeLikeAnotherArchive(t *testing.T) {
	archive := func(labels, classes string) *Archive {
		a := must(openFiles(t, map[string]string{
			"A": "1, 2\n", "graph_indicator": "1\n1\n2\n", "graph_labels": classes, "node_labels": labels,
		}, "OWN_%s.txt"))
		return a
	}
	e := must(archive("1\n2\n3\n", "5\n6\n").encoder(Labels | Degree))
	require.Equal(t, encoder{Features: Labels | Degree, Labels: []span{{1, 3, []int{1, 2, 3}}},
		Degrees: span{0, 1, []int{0, 1}}}, e)
	other := archive("3\n9\n0\n", "6\n7\n")
	c := must(e.Encode(other))
	require.Equal(t, []float64{0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0}, points(c), "no column, no one")
	require.Equal(t, []string{"6", "7"}, c.Classes)
	n := must(e.Compare(other))
	require.Equal(t, []int{1, 1}, n.Vertices)
	require.Equal(t, []string{"2 of 3 nodes have node labels that no graph in training had (0, 9)"},
		n.Sentences())
	degrees := encoder{Features: Degree, Degrees: e.Degrees}
	n = must(degrees.Compare(other))
	require.Equal(t, []string{"there is node labels, which the model does not read"}, n.Sentences())
	// A label in a gap has a column, but one whose weights nothing was learned for.
	gap := must(archive("1\n3\n3\n", "5\n6\n").encoder(Labels))
	c = must(gap.Encode(archive("2\n1\n3\n", "5\n6\n")))
	require.Equal(t, []float64{0, 0, 0, 1, 0, 0, 0, 0, 1}, points(c))
	n = must(gap.Compare(archive("2\n1\n3\n", "5\n6\n")))
	require.Equal(t, []int{1, 0}, n.Vertices)
	require.Equal(t, []string{"1 of 3 nodes have node labels that no graph in training had (2)"},
		n.Sentences())

	e.Labels = append(e.Labels, span{0, 1, []int{0, 1}})
	_, err := e.Encode(archive("1\n2\n3\n", "5\n6\n"))
	require.ErrorContains(t, err, "another kind of data")
	_, err = e.Compare(archive("1\n2\n3\n", "5\n6\n"))
	require.ErrorContains(t, err, "another kind of data")
}

// must returns the result of a call that cannot fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
