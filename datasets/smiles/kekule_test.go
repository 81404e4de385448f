package smiles

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/internal/modular"
)

// flake returns the bonds of a random flake of graphene of n hexagons, between atoms from 0 to atoms-1.
func flake(r *rand.Rand, n int) (bonds [][2]int, atoms int) {
	type cell [2]int
	around := [6]cell{{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}}
	beside := func(c cell, k int) cell { return cell{c[0] + around[k%6][0], c[1] + around[k%6][1]} }
	cells, edge := []cell{{}}, map[[2]int]bool{}
	for len(cells) < n {
		if c := beside(cells[r.IntN(len(cells))], r.IntN(6)); !slices.Contains(cells, c) {
			cells = append(cells, c)
		}
	}
	number := map[[3]cell]int{} // of the atom where three hexagons meet
	for _, c := range cells {
		var ring [6]int
		for k := range ring {
			corner := []cell{c, beside(c, k), beside(c, k+1)}
			slices.SortFunc(corner, func(a, b cell) int { return slices.Compare(a[:], b[:]) })
			if _, ok := number[[3]cell(corner)]; !ok {
				number[[3]cell(corner)] = len(number)
			}
			ring[k] = number[[3]cell(corner)]
		}
		for k, a := range ring {
			b := ring[(k+1)%6]
			edge[[2]int{min(a, b), max(a, b)}] = true
		}
	}
	bonds = slices.SortedFunc(maps.Keys(edge), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	return bonds, len(number)
}

// perfect reports whether a graph has a perfect matching: whether W. T. Tutte's skew-symmetric matrix of it,
// with random entries, is regular. It errs with a probability of atoms/2^61.
func perfect(r *rand.Rand, bonds [][2]int, atoms int) bool {
	columns := make([][]modular.Entry, atoms)
	for _, b := range bonds {
		x := r.Uint64N(1<<61-2) + 1
		columns[b[0]] = append(columns[b[0]], modular.Entry{Row: int32(b[1]), Value: x})
		columns[b[1]] = append(columns[b[1]], modular.Entry{Row: int32(b[0]), Value: 1<<61 - 1 - x})
	}
	_, rank := modular.Reduce(atoms, func(yield func(int32, []modular.Entry) bool) {
		for j, column := range columns {
			if !yield(int32(j), column) {
				return
			}
		}
	})
	return rank == atoms
}

// carbons returns the SMILES of aromatic carbons with the given bonds, in random order.
func carbons(r *rand.Rand, bonds [][2]int, atoms int) string {
	closures := slices.Repeat([]string{"c"}, atoms)
	for i, b := range bonds {
		for _, a := range b {
			closures[a] += fmt.Sprintf("%%(%d)", i)
		}
	}
	r.Shuffle(atoms, func(i, j int) { closures[i], closures[j] = closures[j], closures[i] })
	return strings.Join(closures, ".")
}

// TestKekuleOfGraphsWithPerfectMatchings: aromatic carbons have a Kekulé structure if and only if they have a
// perfect matching: flakes of graphene, and rings with random chords, whose cycles may be odd.
func TestKekuleOfGraphsWithPerfectMatchings(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	read := map[string]int{}
	check := func(kind string, bonds [][2]int, atoms int) {
		text := carbons(r, bonds, atoms)
		_, err := Parse(text)
		if perfect(r, bonds, atoms) {
			require.NoError(t, err, text)
			read[kind]++
			return
		}
		require.ErrorContains(t, err, "smiles: kekule: ", text)
	}
	for range 400 {
		bonds, atoms := flake(r, 4+r.IntN(57))
		check("flake", bonds, atoms)
		atoms = 4 + r.IntN(40)
		degree := slices.Repeat([]int{2}, atoms)
		bonds = [][2]int{{0, atoms - 1}}
		for a := range atoms - 1 {
			bonds = append(bonds, [2]int{a, a + 1})
		}
		for range r.IntN(atoms) {
			a, b := r.IntN(atoms), r.IntN(atoms)
			if b = max(a, b); b > a+1 && b-a < atoms-1 && degree[a] == 2 && degree[b] == 2 {
				bonds = append(bonds, [2]int{a, b})
				degree[a], degree[b] = 3, 3
			}
		}
		check("ring", bonds, atoms)
	}
	require.Greater(t, read["flake"], 100)
	require.Greater(t, read["ring"], 100)
}

// TestKekuleOfFlakeInHardOrder: an order of atoms in which a search goes wrong more than a hundred times.
// RDKit finds all 42 carbons aromatic.
func TestKekuleOfFlakeInHardOrder(t *testing.T) {
	m, err := Parse("c12c(c3ccc4ccc5c6c7c(cc5)cc5cc8ccccc8c8cc2c(c3c46)c7c58)c2c3c(cccc3ccc2)c1")
	require.NoError(t, err)
	require.Len(t, m.Atoms, 42)
	require.Len(t, m.Bonds, 53)
	for _, a := range m.Atoms {
		require.True(t, a.Aromatic)
	}
}
