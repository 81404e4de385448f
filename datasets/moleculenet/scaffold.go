package moleculenet

import (
	"math/bits"
	"slices"

	"github.com/neuralkforms/nkf/datasets/smiles"
)

// Scaffolds returns the number of the scaffold of every molecule, in order of first appearance.
//
// The scaffold (Bemis and Murcko, "The properties of known drugs", 1996) is what remains of a molecule
// without its side chains: rings and the chains between them, and, as in RDKit, atoms with a double bond to
// these. Molecules without a ring have an empty scaffold in common. Elements, charges, hydrogens, and types
// of bonds distinguish scaffolds; stereochemistry and isotopes do not.
//
// Scaffolds are compared by a hash instead of RDKit's canonical SMILES: colors of atoms are refined by those
// of the neighbors (Weisfeiler and Leman, 1968); each atom that shares its color in the end is marked in
// turn, and colors are refined once more. Decalin and bicyclopentyl need that.
// The groups are RDKit's on BACE (671) and BBBP (1,025). On HIV there are 19,084 instead of 19,082: RDKit
// gives atoms that lost a bond to a metal no hydrogen, and some charged aromatic ones neither.
func (m *Molecules) Scaffolds() []int32 {
	keys := make([]uint64, m.Len())
	each(len(keys), func(g int) { keys[g] = m.scaffoldKey(g) })
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

// scaffold is the graph that remains of a molecule, with colors of its atoms.
type scaffold struct {
	neighbors [][]bond // of each atom of the molecule; nil outside of the scaffold
	keep      []bool   // atoms of the scaffold
	color     []uint64
}

// bond is a bond as one of its atoms sees it.
type bond struct {
	to   int32
	kind smiles.BondType
}

// mostMarked is the number of atoms of a molecule above which no atom is marked, to bound the work, which
// grows with its third power. The largest molecule of the benchmarks has 222.
const mostMarked = 256

// scaffoldKey returns a hash of the scaffold of molecule g, 0 for an empty one.
func (m *Molecules) scaffoldKey(g int) uint64 {
	atoms := m.Graphs[g].Atoms
	neighbors := make([][]bond, len(atoms))
	for _, b := range m.Graphs[g].Bonds {
		neighbors[b.Begin] = append(neighbors[b.Begin], bond{b.End, b.Type})
		neighbors[b.End] = append(neighbors[b.End], bond{b.Begin, b.Type})
	}
	s := &scaffold{neighbors, scaffoldAtoms(atoms, neighbors), make([]uint64, len(atoms))}
	if !slices.Contains(s.keep, true) {
		return 0
	}
	s.paint(atoms)
	outcomes := []uint64{s.refine()}
	if len(atoms) > mostMarked {
		return max(1, outcomes[0])
	}
	start := s.color
	colors := slices.Sorted(slices.Values(start))
	for i, kept := range s.keep {
		at, _ := slices.BinarySearch(colors, start[i])
		if kept && at+1 < len(colors) && colors[at+1] == start[i] {
			s.color = slices.Clone(start)
			s.color[i] = mix(start[i], 1)
			outcomes = append(outcomes, s.refine())
		}
	}
	return max(1, join(outcomes))
}

// scaffoldAtoms marks the atoms of rings and of the chains between them, and those with a double bond to
// these.
func scaffoldAtoms(atoms []smiles.Atom, neighbors [][]bond) []bool {
	core, degree := make([]bool, len(atoms)), make([]int, len(atoms))
	for i := range atoms {
		core[i], degree[i] = true, len(neighbors[i])
	}
	for i := range atoms {
		// What loses its last but one neighbor is an end, too.
		for end := int32(i); end >= 0 && core[end] && degree[end] < 2 && !atoms[end].InRing; {
			core[end] = false
			next := int32(-1)
			for _, b := range neighbors[end] {
				if core[b.to] {
					degree[b.to]--
					next = b.to
				}
			}
			end = next
		}
	}
	keep := make([]bool, len(atoms))
	for i := range atoms {
		keep[i] = core[i] || slices.ContainsFunc(neighbors[i], func(b bond) bool {
			return core[b.to] && b.kind == smiles.Double
		})
	}
	return keep
}

// paint gives atoms their first colors: element, charge, aromatic, and hydrogens with those that take the
// place of side chains, which it cuts off.
func (s *scaffold) paint(atoms []smiles.Atom) {
	for i, a := range atoms {
		free := int(a.Hydrogens)
		s.neighbors[i] = slices.DeleteFunc(s.neighbors[i], func(b bond) bool {
			if s.keep[b.to] {
				return false
			}
			free += valence(b.kind)
			return true
		})
		s.color[i] = mix(mix(mix(0, uint64(a.Number)), uint64(a.Charge)), uint64(free))
		if a.Aromatic {
			s.color[i] = mix(s.color[i], 1)
		}
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

// refine replaces the colors of the scaffold until no more atoms are told apart, and returns a hash of all.
func (s *scaffold) refine() uint64 {
	apart := -1
	next := slices.Clone(s.color)
	var around []uint64
	for {
		for i, kept := range s.keep {
			if !kept {
				continue
			}
			around = around[:0]
			for _, b := range s.neighbors[i] {
				around = append(around, mix(s.color[b.to], uint64(b.kind)))
			}
			next[i] = mix(s.color[i], join(around))
		}
		s.color, next = next, s.color
		around = around[:0]
		for i, kept := range s.keep {
			if kept {
				around = append(around, s.color[i])
			}
		}
		hash := join(around)
		count := len(slices.Compact(around))
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
