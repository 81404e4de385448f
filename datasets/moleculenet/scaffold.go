package moleculenet

import (
	"math/bits"
	"runtime"
	"slices"
	"sync"

	"github.com/neuralkforms/nkf/datasets/smiles"
)

// Scaffolds returns the number of the scaffold of every molecule, in order of first appearance.
//
// The scaffold (Bemis and Murcko, "The properties of known drugs", 1996) is what remains of a molecule
// without its side chains: rings and the chains between them, and, as in RDKit, atoms with a double bond to
// these. Molecules without a ring have an empty scaffold in common. Elements, charges, hydrogens, and types
// of bonds tell scaffolds apart; stereochemistry and isotopes do not.
//
// Scaffolds are compared by a hash instead of RDKit's canonical SMILES: colours of atoms are refined by those
// of the neighbours (Weisfeiler and Leman, 1968); each atom that shares its colour in the end is marked in
// turn, and colours are refined once more. Decalin and bicyclopentyl need that.
// The groups are RDKit's on BACE (671) and BBBP (1,025). On HIV there are 19,084 instead of 19,082: RDKit
// gives atoms that lost a bond to a metal no hydrogen, and some charged aromatic ones neither.
func (m *Molecules) Scaffolds() []int32 {
	keys := make([]uint64, m.Len())
	var group sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		group.Go(func() {
			var s scaffold
			for g := w; g < len(keys); g += workers {
				keys[g] = s.key(m.molecule(g))
			}
		})
	}
	group.Wait()
	number := map[uint64]int32{}
	out := make([]int32, len(keys))
	for g, key := range keys {
		if _, ok := number[key]; !ok {
			number[key] = int32(len(number))
		}
		out[g] = number[key]
	}
	return out
}

// molecule returns the atoms, bonds and features of bonds of molecule g.
func (m *Molecules) molecule(g int) ([][9]int8, [][2]int32, [][3]int8) {
	bonds := m.Bonds[m.BondStart[g]:m.BondStart[g+1]]
	return m.Atoms[m.AtomStart[g]:m.AtomStart[g+1]], bonds, m.BondFeatures[m.BondStart[g]:m.BondStart[g+1]]
}

// Places of features.
const (
	atomicNumber = 0
	charge       = 3
	hydrogens    = 4
	aromatic     = 7
	inRing       = 8
)

// scaffold finds the scaffolds of one molecule after another, reusing its memory.
type scaffold struct {
	neighbours  [][]bond // of each atom of the molecule, then of the scaffold
	degree      []int
	keep        []bool
	core        []bool
	color, next []uint64
	around      []uint64
}

// bond is a bond as one of its atoms sees it.
type bond struct {
	to   int32
	kind smiles.BondType
}

// mostMarked is the number of atoms of a molecule above which no atom is marked, to bound the work, which
// grows with its third power. The largest molecule of the benchmarks has 222.
const mostMarked = 256

// key returns a hash of the scaffold, 0 for an empty one.
func (s *scaffold) key(atoms [][9]int8, bonds [][2]int32, kinds [][3]int8) uint64 {
	s.prune(atoms, bonds, kinds)
	s.paint(atoms)
	for i, kept := range s.keep {
		if !kept {
			s.neighbours[i] = s.neighbours[i][:0]
			continue
		}
		s.neighbours[i] = slices.DeleteFunc(s.neighbours[i], func(b bond) bool { return !s.keep[b.to] })
	}
	if !slices.Contains(s.keep, true) {
		return 0
	}
	outcomes := []uint64{s.refine()}
	if len(atoms) > mostMarked {
		return max(1, outcomes[0])
	}
	start := slices.Clone(s.color)
	colors := slices.Sorted(slices.Values(start))
	for i, kept := range s.keep {
		if kept && repeated(colors, start[i]) {
			copy(s.color, start)
			s.color[i] = mix(start[i], 1)
			outcomes = append(outcomes, s.refine())
		}
	}
	return max(1, join(outcomes))
}

// repeated reports whether a colour is in a sorted list more than once.
func repeated(sorted []uint64, color uint64) bool {
	at, _ := slices.BinarySearch(sorted, color)
	return at+1 < len(sorted) && sorted[at+1] == color
}

// prune marks the atoms of the scaffold, those of rings and of the chains between them in core.
func (s *scaffold) prune(atoms [][9]int8, bonds [][2]int32, kinds [][3]int8) {
	n := len(atoms)
	s.neighbours = append(s.neighbours, make([][]bond, max(0, n-len(s.neighbours)))...)[:n]
	s.degree, s.core, s.keep = resize(s.degree, n), resize(s.core, n), resize(s.keep, n)
	s.color, s.next = resize(s.color, n), resize(s.next, n)
	for i := range atoms {
		s.neighbours[i] = s.neighbours[i][:0]
	}
	for i, b := range bonds {
		kind := smiles.BondType(kinds[i][0])
		s.neighbours[b[0]] = append(s.neighbours[b[0]], bond{b[1], kind})
		s.neighbours[b[1]] = append(s.neighbours[b[1]], bond{b[0], kind})
	}
	for i := range atoms {
		s.core[i], s.degree[i] = true, len(s.neighbours[i])
	}
	for i := range atoms {
		// What loses its last but one neighbour is an end, too.
		for end := int32(i); end >= 0 && s.core[end] && s.degree[end] < 2 && atoms[end][inRing] == 0; {
			s.core[end] = false
			next := int32(-1)
			for _, b := range s.neighbours[end] {
				if s.core[b.to] {
					s.degree[b.to]--
					next = b.to
				}
			}
			end = next
		}
	}
	for i := range atoms {
		s.keep[i] = s.core[i] || slices.ContainsFunc(s.neighbours[i], func(b bond) bool {
			return s.core[b.to] && b.kind == smiles.Double
		})
	}
}

// paint gives atoms their first colours: element, charge, aromatic, and hydrogens with those that take the
// place of side chains.
func (s *scaffold) paint(atoms [][9]int8) {
	for i, a := range atoms {
		free := int(a[hydrogens])
		for _, b := range s.neighbours[i] {
			if !s.keep[b.to] {
				free += valence(b.kind)
			}
		}
		s.color[i] = mix(mix(mix(mix(0, uint64(a[atomicNumber])), uint64(a[charge])), uint64(a[aromatic])),
			uint64(free))
	}
}

// valence returns how many hydrogens can take the place of a bond.
func valence(kind smiles.BondType) int {
	switch kind {
	case smiles.Double, smiles.Triple, smiles.Quadruple:
		return int(kind)
	case smiles.Dative, smiles.UnspecifiedBond:
		return 0
	}
	return 1
}

// refine replaces the colours of the scaffold until as many are apart as will be, and returns a hash of all.
func (s *scaffold) refine() uint64 {
	apart := -1
	for {
		for i, kept := range s.keep {
			if !kept {
				continue
			}
			s.around = s.around[:0]
			for _, b := range s.neighbours[i] {
				s.around = append(s.around, mix(s.color[b.to], uint64(b.kind)))
			}
			s.next[i] = mix(s.color[i], join(s.around))
		}
		s.color, s.next = s.next, s.color
		s.around = s.around[:0]
		for i, kept := range s.keep {
			if kept {
				s.around = append(s.around, s.color[i])
			}
		}
		hash := join(s.around)
		count := len(slices.Compact(s.around))
		if count == apart {
			return hash
		}
		apart = count
	}
}

// join returns a hash of values in any order; it sorts them.
func join(values []uint64) uint64 {
	slices.Sort(values)
	h := uint64(len(values))
	for _, v := range values {
		h = mix(h, v)
	}
	return h
}

// mix adds a value to a hash, by a wide product of Wyhash's constants.
func mix(h, v uint64) uint64 {
	high, low := bits.Mul64(h^0xa0761d6478bd642f, v^0xe7037ed1a0b428db)
	return high ^ low ^ bits.RotateLeft64(h, 32)
}

// resize returns a slice of n zeros in the memory of s where it suffices.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}
