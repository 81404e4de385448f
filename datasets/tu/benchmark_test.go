package tu

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/published"
	"github.com/stretchr/testify/require"
)

// golden is what a separate reader, written in Python, finds in a data set.
//
// Checksums are of the coordinates as little-endian float32, and of the edges as lines "graph node node".
type golden struct {
	Graphs, Nodes, Edges, Dim, Bare int
	MostNodes                       int `json:"most_nodes"`
	Features                        string
	Classes                         []string
	VerticesSHA256                  string `json:"vertices_sha256"`
	EdgesSHA256                     string `json:"edges_sha256"`
}

func readGolden(t *testing.T) map[string]golden {
	t.Helper()
	data := must(os.ReadFile("testdata/golden.json"))
	var all map[string]golden
	require.NoError(t, json.Unmarshal(data, &all))
	return all
}

func sum(text []byte) string {
	digest := sha256.Sum256(text)
	return hex.EncodeToString(digest[:])
}

func requireGolden(t *testing.T, want golden, a *Archive) *datasets.Collection {
	t.Helper()
	c := must(a.Collection(Automatic))
	require.NoError(t, c.Validate())
	mostNodes, bare := 0, 0
	for g := range c.Len() {
		mostNodes = max(mostNodes, c.Count(0, g))
		if c.Count(1, g) == 0 {
			bare++
		}
	}
	require.Equal(t, want.Graphs, c.Len())
	require.Equal(t, want.Nodes, len(points(c))/c.Dim)
	require.Equal(t, want.Edges, len(c.Simplices[1].Corners)/2)
	require.Equal(t, want.MostNodes, mostNodes)
	require.Equal(t, want.Bare, bare)
	require.Equal(t, want.Dim, c.Dim)
	require.Equal(t, want.Features, c.Features)
	require.Equal(t, want.Classes, c.Classes)
	var vertices, edges bytes.Buffer
	require.NoError(t, binary.Write(&vertices, binary.LittleEndian, datasets.Float32s(points(c))))
	for g := range c.Len() {
		simplices := c.Corners(1, g)
		for i := 0; i < len(simplices); i += 2 {
			fmt.Fprintf(&edges, "%d %d %d\n", g, simplices[i], simplices[i+1])
		}
	}
	require.Equal(t, want.VerticesSHA256, sum(vertices.Bytes()))
	require.Equal(t, want.EdgesSHA256, sum(edges.Bytes()))
	return c
}

// TestBenchmarks reads all seven data sets of the paper and compares them with the golden reader and with
// the tables in the documentation.
func TestBenchmarks(t *testing.T) {
	all := readGolden(t)
	tuDoc := must(os.ReadFile("doc.go"))
	for _, name := range []string{"AIDS", "BZR", "COX2", "DHFR", "Letter-low", "Letter-med", "Letter-high"} {
		t.Run(name, func(t *testing.T) {
			c := requireGolden(t, all[name], must(Read(must(published.Open(t.Context(), name))[0])))
			require.Contains(t, string(tuDoc), "//\t"+c.String()+"\n")
		})
	}
}

// FuzzOpen feeds archives to the reader: whatever it accepts must make a valid collection.
func FuzzOpen(f *testing.F) {
	f.Add(zipOf(f, named(toy(), "TOY_%s.txt")))
	f.Add(zipOf(f, named(map[string]string{
		"A": "1, 2\r\n2, 1", "graph_indicator": "1\n1", "graph_labels": "0",
	}, "X//X_%s.txt")))
	var texts []string
	for _, kind := range kinds {
		texts = append(texts, toy()[kind])
	}
	f.Add([]byte(strings.Join(texts, "\x00")))
	f.Add([]byte("1 2\r2,1\x001\n1\n3\x00-1\n1\n7"))
	f.Fuzz(func(t *testing.T, data []byte) {
		requireValid(t)(Read(datasets.File{Bytes: data}))
		// The checksums of an archive keep most mutations out, so the bytes are also taken as the texts of a
		// data set, separated by zero bytes.
		texts := bytes.Split(data, []byte{0})
		content := fstest.MapFS{}
		for i, kind := range kinds {
			if i < len(texts) && len(texts[i]) > 0 {
				content["X_"+kind+".txt"] = &fstest.MapFile{Data: texts[i]}
			}
		}
		requireValid(t)(read("", content, ""))
	})
}

// requireValid checks that a data set either was refused or makes collections that are valid.
func requireValid(t *testing.T) func(*Archive, error) {
	return func(a *Archive, err error) {
		if err != nil {
			return
		}
		for _, features := range []Features{Automatic, Degree} {
			if c, err := a.Collection(features); err == nil {
				require.NoError(t, c.Validate())
			}
		}
	}
}
