package figures

import (
	"math"
	"slices"

	"github.com/neuralkforms/nkf/datasets/smiles"
)

// fragments returns the atoms of each connected part, in ascending order.
func fragments(m *smiles.Molecule) [][]int32 {
	part := make([]int, len(m.Atoms))
	for i := range part {
		part[i] = i
	}
	for changed := true; changed; {
		changed = false
		for _, b := range m.Bonds {
			low := min(part[b.Begin], part[b.End])
			changed = changed || part[b.Begin] != part[b.End]
			part[b.Begin], part[b.End] = low, low
		}
	}
	var out [][]int32
	place := map[int]int{}
	for a, p := range part {
		if _, ok := place[p]; !ok {
			place[p] = len(out)
			out = append(out, nil)
		}
		out[place[p]] = append(out[place[p]], int32(a))
	}
	return out
}

// fragment is a connected molecular graph to be laid out.
type fragment struct {
	n      int
	bonds  [][2]int
	near   [][]int // neighbours
	linear []bool  // atoms whose two bonds make a straight line
	hops   []int   // [n, n]: bonds between atoms
	rings  [][]int // atoms along the smallest ring through each bond that has one
	ideal  []float64
}

// newFragment returns the graph of these atoms.
func newFragment(m *smiles.Molecule, atoms []int32) *fragment {
	f := &fragment{n: len(atoms), near: make([][]int, len(atoms)), linear: make([]bool, len(atoms))}
	number := map[int32]int{}
	for i, a := range atoms {
		number[a] = i
		f.linear[i] = m.Atoms[a].Hybridization.String() == "SP"
	}
	for _, b := range m.Bonds {
		i, ok := number[b.Begin]
		if !ok {
			continue
		}
		j := number[b.End]
		f.bonds = append(f.bonds, [2]int{i, j})
		f.near[i], f.near[j] = append(f.near[i], j), append(f.near[j], i)
	}
	f.hops = make([]int, f.n*f.n)
	for i := range f.n {
		copy(f.hops[i*f.n:], f.distances(i, -1))
	}
	for _, b := range f.bonds {
		if ring := f.ring(b[0], b[1]); ring != nil && !slices.ContainsFunc(f.rings, func(r []int) bool {
			return sameAtoms(r, ring)
		}) {
			f.rings = append(f.rings, ring)
		}
	}
	f.idealize()
	return f
}

// distances returns the number of bonds from an atom to each, or 0 where no
// way leads that does not begin with a step to the atom without.
func (f *fragment) distances(from, without int) []int {
	out := make([]int, f.n)
	queue := []int{from}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for _, j := range f.near[i] {
			if j == from || out[j] > 0 || i == from && j == without {
				continue
			}
			out[j] = out[i] + 1
			queue = append(queue, j)
		}
	}
	return out
}

// ring returns the atoms along a smallest ring through the bond from i to j,
// or nil if there is none.
func (f *fragment) ring(i, j int) []int {
	steps := f.distances(i, j)
	if steps[j] == 0 {
		return nil
	}
	ring := []int{j}
	for at := j; at != i; {
		next := slices.IndexFunc(f.near[at], func(k int) bool {
			return k == i && steps[at] == 1 || k != i && steps[k] == steps[at]-1 && steps[k] > 0
		})
		at = f.near[at][next]
		ring = append(ring, at)
	}
	return ring
}

// sameAtoms reports whether two rings are of the same atoms.
func sameAtoms(a, b []int) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(i int) bool { return !slices.Contains(b, i) })
}

// idealize finds the distances that atoms have in a formula, 0 where any will
// do: bonds of length 1, regular rings, and angles that share what the rings
// at an atom leave over.
func (f *fragment) idealize() {
	f.ideal = make([]float64, f.n*f.n)
	set := func(i, j int, d float64) { f.ideal[i*f.n+j], f.ideal[j*f.n+i] = d, d }
	for i := range f.n {
		if len(f.near[i]) > 3 {
			continue // opposite and adjacent neighbours are not known apart
		}
		open, free := 2*math.Pi, len(f.near[i])
		for _, ring := range f.rings {
			if slices.Contains(ring, i) {
				open -= inner(len(ring))
				free--
			}
		}
		angle := open / float64(max(1, free))
		switch {
		case len(f.near[i]) == 2 && free == 2 && f.linear[i]:
			angle = math.Pi
		case len(f.near[i]) == 2 && free == 2:
			angle = 2 * math.Pi / 3
		}
		for a, j := range f.near[i] {
			for _, k := range f.near[i][:a] {
				set(j, k, 2*math.Sin(math.Min(angle, math.Pi)/2))
			}
		}
	}
	for _, ring := range f.rings {
		radius := 0.5 / math.Sin(math.Pi/float64(len(ring)))
		for a, i := range ring {
			for b, j := range ring[:a] {
				set(i, j, 2*radius*math.Sin(math.Pi*float64(a-b)/float64(len(ring))))
			}
		}
	}
	for _, b := range f.bonds {
		set(b[0], b[1], 1)
	}
}

// inner returns the angle of a regular polygon.
func inner(corners int) float64 { return math.Pi * (1 - 2/float64(corners)) }
