package smiles

import (
	"cmp"
	"slices"
)

// rank ranks the atoms by keys, and equal ones by the ranks of their neighbors again and again,
// until nothing changes or each atom can have felt all others (P. Labute, An efficient algorithm
// for the determination of topological RS chirality, 1996). The rank of atoms that are alike is the
// number of atoms below them.
func (p *parser) rank(keys []int64) {
	n := len(p.Atoms)
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(keys[a], keys[b]) })
	p.ranks = make([]int32, n)
	for k, a := range order {
		p.ranks[a] = int32(k)
		if k > 0 && keys[a] == keys[order[k-1]] {
			p.ranks[a] = p.ranks[order[k-1]]
		}
	}
	lists, next := make([][]int32, n), slices.Clone(p.ranks)
	for range n/2 + 1 {
		changed := false
		for start := 0; start < n; {
			end := start + 1
			for end < n && p.ranks[order[end]] == p.ranks[order[start]] {
				end++
			}
			tied := order[start:end]
			if len(tied) > 1 {
				for _, a := range tied {
					lists[a] = p.listNeighbors(lists[a][:0], a)
					p.spend(8 + len(lists[a]))
				}
				slices.SortFunc(tied, func(a, b int32) int { return slices.Compare(lists[a], lists[b]) })
				for k, a := range tied[1:] {
					before := tied[k]
					next[a] = next[before]
					if !slices.Equal(lists[a], lists[before]) {
						next[a], changed = int32(start+k+1), true
					}
				}
			}
			start = end
		}
		if !changed {
			break
		}
		copy(p.ranks, next)
	}
}

// listNeighbors appends each neighbor's rank (from 1) twice the bond order times, highest first, then
// a 0 for each hydrogen.
func (p *parser) listNeighbors(list []int32, i int32) []int32 {
	for _, arc := range p.around(i) {
		b, n := &p.Bonds[arc.bond], &p.Atoms[arc.atom]
		times := b.Type.twiceOrder()
		if b.Type == Double && n.Number == 15 && (n.degree == 3 || n.degree == 4) {
			times = 1 // d orbitals do not count
		}
		for range times {
			list = append(list, p.ranks[arc.atom]+1)
		}
	}
	slices.SortFunc(list, func(a, b int32) int { return cmp.Compare(b, a) })
	for range p.Atoms[i].Hydrogens {
		list = append(list, 0)
	}
	return list
}

// elementKeys returns the first keys: atomic number, then mass relative to the commonest isotope,
// then atom map.
func (p *parser) elementKeys() []int64 {
	const massBits, mapBits = 10, 10
	keys := make([]int64, len(p.Atoms))
	for i := range p.Atoms {
		a := &p.Atoms[i]
		mass := 0
		if a.Isotope != 0 {
			mass = int(a.Isotope) - elements[a.Number].isotope
			if mass >= 0 {
				mass++ // an isotope that is written ranks above one that is not
			}
		}
		mass = max(mass+1<<(massBits-1), 0) % (1 << massBits)
		keys[i] = (int64(a.Number)<<massBits|int64(mass))<<mapBits | int64(a.atomMap%(1<<mapBits))
	}
	return keys
}

// labelKeys returns keys by the ranks so far, then the labels R over S over none, then the
// double bonds Z over E over none.
func (p *parser) labelKeys() []int64 {
	factor := int64(100)
	for factor < int64(len(p.Atoms)) {
		factor *= 10
	}
	keys := make([]int64, len(p.Atoms))
	for i := range p.Atoms {
		keys[i] = int64(p.ranks[i])*factor + 10*int64(p.labels[i])
		for _, arc := range p.around(int32(i)) {
			switch b := &p.Bonds[arc.bond]; b.stereo {
			case stereoE:
				keys[i]++
			case stereoZ:
				keys[i] += 2
			}
		}
	}
	return keys
}
