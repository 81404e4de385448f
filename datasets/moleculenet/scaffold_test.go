package moleculenet

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
)

// excerpt reads testdata/excerpt.csv.
func excerpt() *Molecules {
	return must(Open(filepath.Join("testdata", "excerpt.csv"), Published["BBBP"]))
}

// requireSameGroups: scaffolds are equal where the texts of RDKit are.
func requireSameGroups(t *testing.T, want []string, got []int32, names []string) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		for j := range i {
			require.Equal(t, want[i] == want[j], got[i] == got[j], "%s and %s, by RDKit %s and %s",
				names[i], names[j], want[i], want[j])
		}
	}
}

func TestScaffolds(t *testing.T) {
	golden := readScaffolds(t)
	m := excerpt()
	requireSameGroups(t, golden.Excerpt.Scaffolds, m.Scaffolds(), m.SMILES)

	var names, want []string
	for _, c := range golden.Cases {
		names, want = append(names, c[0]), append(want, c[1])
	}
	m = must(read("smiles,label\n" + strings.Join(names, ",1\n") + ",1\n"))
	require.Equal(t, names, m.SMILES)
	requireSameGroups(t, want, m.Scaffolds(), names)
}

// TestScaffoldsOfCages: these two cages have the same numbers of atoms of each kind around every atom; only
// marking one tells them apart.
func TestScaffoldsOfCages(t *testing.T) {
	m := must(read("smiles,label\nO=c1n(-c2ccccc2)c(=O)n2n1C1C3C4C5C1C5C2C43,1\n" +
		"O=c1n(-c2ccccc2)c(=O)n2n1C1C3C4C5C3C2C5C41,1\nC1=CC=CC=C1,1\nC1CCCCCCCCCCC1.[Fe]<-C,1\n"))
	require.Equal(t, []int32{0, 1, 2, 3}, m.Scaffolds())
}

// TestScaffoldsOfLargeMolecules: rings of thousands of atoms take no time, because none is marked.
func TestScaffoldsOfLargeMolecules(t *testing.T) {
	ring := func(n int) string { return "C1" + strings.Repeat("C", n-2) + "C1" }
	m := must(read("smiles,label\n" + ring(2000) + ",1\nC" + ring(2000) + ",1\n" + ring(2001) + ",1\n"))
	require.Equal(t, []int32{0, 0, 1}, m.Scaffolds())
}

func TestScaffoldSplit(t *testing.T) {
	golden := readScaffolds(t).Excerpt
	f, err := excerpt().ScaffoldSplit()
	require.NoError(t, err)
	require.Equal(t, datasets.Fold{Train: golden.Train, Validation: golden.Validation, Test: golden.Test}, f)
}

// goldenScaffolds is testdata/scaffolds.json.
type goldenScaffolds struct {
	Excerpt struct {
		Scaffolds               []string
		Train, Validation, Test []int32
	}
	Cases [][2]string
}

func readScaffolds(t *testing.T) (g goldenScaffolds) {
	t.Helper()
	require.NoError(t, json.Unmarshal(must(os.ReadFile(filepath.Join("testdata", "scaffolds.json"))), &g))
	return g
}
