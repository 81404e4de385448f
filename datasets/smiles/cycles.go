package smiles

import (
	"cmp"
	"math/bits"
	"slices"
)

// A cycle is a relevant cycle: one that is no sum of shorter ones. The relevant cycles are the
// union of all minimum cycle bases, so unlike a smallest set of smallest rings they do not depend
// on a choice: cubane has all its six faces.
type cycle struct {
	atoms, bonds []int32
	bits         []uint64 // bonds, as positions in the bonds of the block
}

// relevant is the scratch of P. Vismara, Union of all the minimum cycle bases of a graph,
// Electron. J. Combin. 4 (1997) R9.
//
// Within a block atoms and bonds are numbered from 0. Each cycle is looked for from its highest
// atom, the root r: an atom opposite to r (even cycles) or a bond opposite to r (odd cycles),
// whose two shortest ways to r pass through lower atoms and meet in r alone.
type relevant struct {
	cycleAtoms, cycleBonds []int32
	cycleBits              []uint64
	cycleSpans             []span
	words                  int // of a bond set of the present block

	local      []int32 // number of an atom in its block
	localFirst []int32
	localArcs  []arc
	seen       []int32 // stamp of an atom on the cycle being stored
	stamp      int32

	distance []int32 // to the root
	branch   []int32 // first atom of the way from the root
	back     []arc   // last step of the way
	ways     []int8  // number of shortest ways through lower atoms, at most 2
	queue    []int32

	candidates    []candidate
	candidateBits []uint64
	basis         []uint64
	pivot         []int32 // row of the basis with this lowest bond, -1 if none
	sum           []uint64
}

// storeCost is what storing a bond of a cycle costs of the work that is allowed, so that memory is
// bounded too: to about 1 byte for each step.
const storeCost = 16

// span tells where a cycle is stored; both ends are offsets.
type span struct{ bonds, size, bits, words int }

// A candidate is a prototype of a family of cycles, through root, p and q, and the bond p-q or the
// atom y between p and q.
type candidate struct {
	size       int
	root, p, q int32
	y          int32 // -1 if p and q are bonded
	bits       int   // offset in candidateBits
	several    bool  // more cycles of the same family exist
	relevant   bool
}

// resetCycles forgets the cycles of the molecule before.
func (r *relevant) resetCycles() {
	r.cycleAtoms, r.cycleBonds = r.cycleAtoms[:0], r.cycleBonds[:0]
	r.cycleBits, r.cycleSpans = r.cycleBits[:0], r.cycleSpans[:0]
}

// cycle returns the k-th cycle, valid until more are perceived.
func (r *relevant) cycle(k int) cycle {
	s := r.cycleSpans[k]
	return cycle{
		atoms: r.cycleAtoms[s.bonds : s.bonds+s.size],
		bonds: r.cycleBonds[s.bonds : s.bonds+s.size],
		bits:  r.cycleBits[s.bits : s.bits+s.words],
	}
}

// sharedBonds counts the bonds that two cycles of a block have in common.
func sharedBonds(c, d cycle) int {
	n := 0
	for w, word := range c.bits {
		n += bits.OnesCount64(word & d.bits[w])
	}
	return n
}

// perceive finds the relevant cycles of a block, once.
func (p *Parser) perceive(b *block) error {
	if b.perceived {
		return nil
	}
	b.perceived = true
	b.cycles[0] = len(p.cycleSpans)
	p.words = (len(b.bonds) + 63) / 64
	var err error
	if len(b.bonds) == len(b.atoms) {
		p.sum = zeroed(p.sum, p.words)
		for i := range b.bonds {
			p.sum[i/64] |= 1 << (i % 64)
		}
		p.local = resized(p.local, len(p.m.Atoms))
		p.seen = zeroed(p.seen, len(b.atoms))
		p.stamp = 0
		for i, a := range b.atoms {
			p.local[a] = int32(i)
		}
		p.store(b, p.sum)
	} else {
		p.enumerate(b)
		p.candidates, p.candidateBits = p.candidates[:0], p.candidateBits[:0]
		for root := range b.atoms {
			if p.closesCycle(int32(root)) {
				p.measure(int32(root))
				p.propose(int32(root))
			}
			if p.work < 0 {
				return complexity("rings")
			}
		}
		err = p.selectRelevant(b)
	}
	b.cycles[1] = len(p.cycleSpans)
	return err
}

// enumerate numbers the atoms and bonds of the block from 0.
func (p *Parser) enumerate(b *block) {
	n := len(b.atoms)
	p.local = resized(p.local, len(p.m.Atoms))
	p.localFirst = zeroed(p.localFirst, n+1)
	p.localArcs = resized(p.localArcs, 2*len(b.bonds))
	p.seen = zeroed(p.seen, n)
	p.stamp = 0
	for i, a := range b.atoms {
		p.local[a] = int32(i)
	}
	for _, i := range b.bonds {
		bond := &p.m.Bonds[i]
		p.localFirst[p.local[bond.Begin]+1]++
		p.localFirst[p.local[bond.End]+1]++
	}
	for i := range n {
		p.localFirst[i+1] += p.localFirst[i]
	}
	p.queue = append(p.queue[:0], p.localFirst[:n]...)
	for i, k := range b.bonds {
		bond := &p.m.Bonds[k]
		begin, end := p.local[bond.Begin], p.local[bond.End]
		p.localArcs[p.queue[begin]] = arc{end, int32(i)}
		p.queue[begin]++
		p.localArcs[p.queue[end]] = arc{begin, int32(i)}
		p.queue[end]++
	}
	p.distance = resized(p.distance, n)
	p.branch = resized(p.branch, n)
	p.back = resized(p.back, n)
	p.ways = resized(p.ways, n)
}

// localAround returns the arcs of an atom within its block.
func (r *relevant) localAround(a int32) []arc {
	return r.localArcs[r.localFirst[a]:r.localFirst[a+1]]
}

// closesCycle reports whether an atom has two lower neighbours, as the highest atom of a cycle must.
// In the order of a SMILES few have.
func (r *relevant) closesCycle(root int32) bool {
	lower := 0
	for _, arc := range r.localAround(root) {
		if arc.atom < root {
			lower++
		}
	}
	return lower >= 2
}

// measure finds the distances to the root and one shortest way for each atom that has one through
// atoms lower than the root.
func (r *relevant) measure(root int32) {
	for i := range r.distance {
		r.distance[i] = -1
		r.ways[i] = 0
	}
	r.distance[root], r.ways[root] = 0, 1
	r.queue = append(r.queue[:0], root)
	for head := 0; head < len(r.queue); head++ {
		a := r.queue[head]
		for _, arc := range r.localAround(a) {
			b := arc.atom
			if r.distance[b] < 0 {
				r.distance[b] = r.distance[a] + 1
				r.queue = append(r.queue, b)
			}
			if r.distance[b] != r.distance[a]+1 || b > root || r.ways[a] == 0 {
				continue
			}
			if r.ways[b] == 0 {
				r.back[b] = struct{ atom, bond int32 }{a, arc.bond}
				r.branch[b] = r.branch[a]
				if a == root {
					r.branch[b] = b
				}
			}
			r.ways[b] = min(r.ways[b]+r.ways[a], 2)
		}
	}
}

// propose appends the candidates of a root, after measure.
func (p *Parser) propose(root int32) {
	p.work -= len(p.localArcs)
	for _, y := range p.queue[1:] {
		if p.work < 0 {
			return
		}
		if p.ways[y] == 0 {
			continue
		}
		around := p.localAround(y)
		for i, e := range around {
			a := e.atom
			if p.ways[a] == 0 || a == root {
				continue
			}
			if p.distance[a] == p.distance[y] && a < y && p.branch[a] != p.branch[y] {
				p.proposeOne(candidate{size: int(2*p.distance[y] + 1), root: root, p: a, q: y, y: -1}, e, e)
			}
			if p.distance[a] != p.distance[y]-1 {
				continue
			}
			for _, f := range around[:i] {
				if p.work < 0 {
					return
				}
				b := f.atom
				if p.ways[b] == 0 || b == root || p.branch[b] == p.branch[a] {
					continue
				}
				if p.distance[b] == p.distance[a] {
					p.proposeOne(candidate{size: int(2 * p.distance[y]), root: root, p: a, q: b, y: y}, e, f)
				}
			}
		}
	}
}

// proposeOne appends a candidate, closed by the bonds e and f (or e alone if they are the same).
func (p *Parser) proposeOne(c candidate, e, f arc) {
	c.several = p.ways[c.p] > 1 || p.ways[c.q] > 1
	c.bits = len(p.candidateBits)
	for range p.words {
		p.candidateBits = append(p.candidateBits, 0)
	}
	set := p.candidateBits[c.bits:]
	set[e.bond/64] |= 1 << (e.bond % 64)
	set[f.bond/64] |= 1 << (f.bond % 64)
	for _, end := range [2]int32{c.p, c.q} {
		for a := end; a != c.root; a = p.back[a].atom {
			bond := p.back[a].bond
			set[bond/64] |= 1 << (bond % 64)
		}
	}
	p.candidates = append(p.candidates, c)
	p.work -= storeCost * (c.size + p.words)
}

// selectRelevant stores the cycles of those candidates that are no sum of shorter cycles.
func (p *Parser) selectRelevant(b *block) error {
	slices.SortFunc(p.candidates, func(c, d candidate) int {
		return cmp.Or(cmp.Compare(c.size, d.size), cmp.Compare(c.bits, d.bits))
	})
	p.basis = p.basis[:0]
	p.pivot = resized(p.pivot, len(b.bonds))
	for i := range p.pivot {
		p.pivot[i] = -1
	}
	rank, dimension := 0, len(b.bonds)-len(b.atoms)+1
	for begin := 0; begin < len(p.candidates) && rank < dimension; {
		end := begin
		for end < len(p.candidates) && p.candidates[end].size == p.candidates[begin].size {
			c := &p.candidates[end]
			p.sum = append(p.sum[:0], p.candidateBits[c.bits:c.bits+p.words]...)
			c.relevant = p.reduce(p.sum) >= 0
			end++
		}
		for i := begin; i < end; i++ {
			c := &p.candidates[i]
			if !c.relevant {
				continue
			}
			bits := p.candidateBits[c.bits : c.bits+p.words]
			if c.several {
				if err := p.storeFamily(b, c); err != nil {
					return err
				}
			} else {
				p.store(b, bits)
			}
			if lowest := p.reduce(bits); lowest >= 0 {
				p.pivot[lowest] = int32(len(p.basis) / p.words)
				p.basis = append(p.basis, bits...)
				rank++
			}
			if p.work < 0 {
				return complexity("rings")
			}
		}
		begin = end
	}
	return nil
}

// reduce subtracts rows of the basis from a bond set until no pivot is left in it and returns its
// lowest bond, or -1 if nothing remains: the set is a sum of rows.
func (p *Parser) reduce(set []uint64) int {
	lowest := -1
	for w := 0; w < len(set); w++ {
		for rest := set[w]; rest != 0; {
			bit := 64*w + bits.TrailingZeros64(rest)
			row := p.pivot[bit]
			if row < 0 {
				if lowest < 0 {
					lowest = bit
				}
				rest &= rest - 1
				continue
			}
			p.work -= len(set)
			for k, word := range p.basis[int(row)*p.words : int(row+1)*p.words] {
				set[k] ^= word
			}
			rest = set[w] &^ (1<<(bit%64)<<1 - 1)
		}
	}
	return lowest
}

// store appends the cycle of a bond set.
func (p *Parser) store(b *block, set []uint64) {
	s := span{bonds: len(p.cycleBonds), bits: len(p.cycleBits), words: p.words}
	p.stamp++
	for w, word := range set {
		for ; word != 0; word &= word - 1 {
			i := b.bonds[64*w+bits.TrailingZeros64(word)]
			p.cycleBonds = append(p.cycleBonds, i)
			s.size++
			for _, a := range [2]int32{p.m.Bonds[i].Begin, p.m.Bonds[i].End} {
				if k := p.local[a]; p.seen[k] != p.stamp {
					p.seen[k] = p.stamp
					p.cycleAtoms = append(p.cycleAtoms, a)
				}
			}
		}
	}
	p.cycleBits = append(p.cycleBits, set...)
	p.cycleSpans = append(p.cycleSpans, s)
	p.work -= storeCost * (s.size + p.words)
}

// storeFamily appends all cycles of a candidate's family: every shortest way from p to the root
// with every one from q.
func (p *Parser) storeFamily(b *block, c *candidate) error {
	p.measure(c.root)
	p.work -= len(b.bonds)
	middle := make([]uint64, p.words)
	link := func(x, y int32) {
		for _, arc := range p.localAround(x) {
			if arc.atom == y {
				middle[arc.bond/64] |= 1 << (arc.bond % 64)
			}
		}
	}
	if c.y < 0 {
		link(c.p, c.q)
	} else {
		link(c.y, c.p)
		link(c.y, c.q)
	}
	fromP, err := p.waysToRoot(nil, middle, c.p)
	if err != nil {
		return err
	}
	for ; len(fromP) > 0; fromP = fromP[p.words:] {
		fromBoth, err := p.waysToRoot(nil, fromP[:p.words], c.q)
		if err != nil {
			return err
		}
		for ; len(fromBoth) > 0; fromBoth = fromBoth[p.words:] {
			p.store(b, fromBoth[:p.words])
		}
	}
	return nil
}

// waysToRoot appends a bond set for each shortest way from a to the root: the bonds of the way
// and those of set.
func (p *Parser) waysToRoot(ways, set []uint64, a int32) ([]uint64, error) {
	if p.distance[a] == 0 {
		return append(ways, set...), nil
	}
	if !p.spend(storeCost * len(set)) {
		return nil, complexity("rings")
	}
	for _, arc := range p.localAround(a) {
		if p.distance[arc.atom] != p.distance[a]-1 || p.ways[arc.atom] == 0 {
			continue
		}
		longer := slices.Clone(set)
		longer[arc.bond/64] |= 1 << (arc.bond % 64)
		var err error
		if ways, err = p.waysToRoot(ways, longer, arc.atom); err != nil {
			return nil, err
		}
	}
	return ways, nil
}
