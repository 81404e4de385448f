package figures

import (
	"math"
	"math/cmplx"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r3"
	"gonum.org/v1/gonum/stat/mds"

	"github.com/neuralkforms/nkf/datasets/smiles"
)

// placeAtoms places the atoms of a molecule in the plane, [atoms, 2], with bonds about 1 long, and
// returns its small rings too. Fragments stand side by side.
//
// A fragment is first laid out in space, where parts can pass each other, with distances that grow
// with the number of bonds between atoms (classical scaling, then the stress of Kamada and Kawai,
// "An algorithm for drawing general undirected graphs", 1989), and is pressed flat. Springs then make
// bonds 1 long, angles those of formulas and rings regular. Of a few starts the one with the fewest
// crossings and the least energy is kept.
func placeAtoms(m *smiles.Molecule) (at []float64, rings [][]int32) {
	at = make([]float64, 2*len(m.Atoms))
	right := 0.0
	for _, atoms := range fragments(m) {
		f := newFragment(m, atoms)
		var flat []float64
		for _, z := range f.place() {
			flat = append(flat, real(z), imag(z))
		}
		xmin, xmax, ymin, ymax := boundsOf(0, flat)
		for i, a := range atoms {
			at[2*a], at[2*a+1] = flat[2*i]-xmin+right, flat[2*i+1]-(ymin+ymax)/2
		}
		right += xmax - xmin + 1.5
		for _, ring := range f.rings {
			var whole []int32
			for _, i := range ring {
				whole = append(whole, atoms[i])
			}
			rings = append(rings, whole)
		}
	}
	return at, rings
}

// fragments returns the atoms of each connected part in ascending order.
func fragments(m *smiles.Molecule) (out [][]int32) {
	part := make([]int32, len(m.Atoms)) // the lowest atom known to be connected
	for a := range part {
		part[a] = int32(a)
	}
	for range part {
		for _, b := range m.Bonds {
			low := min(part[b.Begin], part[b.End])
			part[b.Begin], part[b.End] = low, low
		}
	}
	for lowest := range part {
		var atoms []int32
		for a, p := range part {
			if p == int32(lowest) {
				atoms = append(atoms, int32(a))
			}
		}
		if atoms != nil {
			out = append(out, atoms)
		}
	}
	return out
}

// fragment is a connected molecular graph to be laid out.
type fragment struct {
	bonds [][2]int
	near  [][]int     // neighbors
	hops  [][]int     // bonds between atoms
	rings [][]int     // atoms along a smallest ring through each bond that has one
	ideal [][]float64 // distances in a formula; 0 where any will do
}

// newFragment returns the graph of these atoms.
func newFragment(m *smiles.Molecule, atoms []int32) *fragment {
	f := &fragment{near: make([][]int, len(atoms))}
	for _, b := range m.Bonds {
		if i := slices.Index(atoms, b.Begin); i >= 0 {
			j := slices.Index(atoms, b.End)
			f.bonds = append(f.bonds, [2]int{i, j})
			f.near[i], f.near[j] = append(f.near[i], j), append(f.near[j], i)
		}
	}
	for i := range atoms {
		hops, _ := f.walk(i, -1)
		f.hops, f.ideal = append(f.hops, hops), append(f.ideal, make([]float64, len(atoms)))
	}
	for _, b := range f.bonds {
		_, back := f.walk(b[0], b[1])
		if back[b[1]] < 0 {
			continue
		}
		ring := []int{b[1]}
		for ring[len(ring)-1] != b[0] {
			ring = append(ring, back[ring[len(ring)-1]])
		}
		if !slices.ContainsFunc(f.rings, func(r []int) bool {
			return len(r) == len(ring) && !slices.ContainsFunc(r, func(i int) bool {
				return !slices.Contains(ring, i)
			})
		}) {
			f.rings = append(f.rings, ring)
		}
	}
	for i, a := range atoms {
		f.angles(i, m.Atoms[a].Hybridization.String() == "SP")
	}
	for _, ring := range f.rings {
		for a, i := range ring {
			for b, j := range ring[:a] {
				n := float64(len(ring))
				f.set(i, j, math.Sin(math.Pi*float64(a-b)/n)/math.Sin(math.Pi/n))
			}
		}
	}
	for _, b := range f.bonds {
		f.set(b[0], b[1], 1)
	}
	return f
}

// walk returns how many bonds each atom is from the first, and the atom before it on the way, -1 where
// no way leads there that does not begin with a step to the atom without.
func (f *fragment) walk(from, without int) (hops, back []int) {
	hops, back = make([]int, len(f.near)), slices.Repeat([]int{-1}, len(f.near))
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		i := queue[0]
		for _, j := range f.near[i] {
			if j != from && back[j] < 0 && !(i == from && j == without) {
				hops[j], back[j] = hops[i]+1, i
				queue = append(queue, j)
			}
		}
	}
	return hops, back
}

// angles sets the ideal distances of the neighbors of an atom: their angles share what the rings at
// the atom leave over.
func (f *fragment) angles(i int, linear bool) {
	if len(f.near[i]) > 3 {
		return // opposite and adjacent neighbors cannot be told apart
	}
	open, free := 2*math.Pi, len(f.near[i])
	for _, ring := range f.rings {
		if slices.Contains(ring, i) {
			open -= inner(len(ring))
			free--
		}
	}
	angle := math.Min(math.Pi, open/float64(max(1, free)))
	if len(f.near[i]) == 2 && free == 2 && !linear {
		angle = 2 * math.Pi / 3
	}
	for a, j := range f.near[i] {
		for _, k := range f.near[i][:a] {
			f.set(j, k, 2*math.Sin(angle/2))
		}
	}
}

// set sets the ideal distance of two atoms.
func (f *fragment) set(i, j int, distance float64) { f.ideal[i][j], f.ideal[j][i] = distance, distance }

// inner returns the angle of a regular polygon.
func inner(corners int) float64 { return math.Pi * (1 - 2/float64(corners)) }

// place returns the places of the atoms, the longer way across.
func (f *fragment) place() []complex128 {
	if len(f.near) == 1 {
		return []complex128{0}
	}
	const starts = 4
	var best []complex128
	least := math.Inf(1)
	for start := range starts {
		x := f.scaled(start)
		for _, flat := range []float64{0, 0.1, 1, 10} {
			f.relax(x, 50, f.stress, flat)
		}
		for i := range x {
			x[i].Z = 0
		}
		f.relax(x, 500, f.tension, 0)
		z := make([]complex128, len(x))
		for i := range x {
			z[i] = complex(x[i].X, x[i].Y)
		}
		if energy := f.energy(x) + float64(f.crossings(z)); energy < least-1e-9 {
			best, least = z, energy
		}
	}
	f.turn(best)
	return best
}

// length returns the distance of atoms for which only the number of bonds between them counts.
func (f *fragment) length(i, j int) float64 {
	if d := f.ideal[i][j]; d > 0 {
		return d
	}
	return 0.87 * float64(f.hops[i][j]) // of a zigzag chain: sin 60°
}

// scaled returns places in space by classical scaling, moved a little, differently at every start, so
// that no two coincide.
func (f *fragment) scaled(start int) []r3.Vec {
	n := len(f.near)
	lengths := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i {
			lengths.SetSym(i, j, f.length(i, j))
		}
	}
	var at mat.Dense
	dim, _ := mds.TorgersonScaling(&at, nil, lengths)
	coordinate := func(i, axis int) float64 {
		x := 0.2 * math.Sin(float64((3*i+axis+1)*(3*i+axis+7*start+3)))
		if axis < dim {
			x += at.At(i, axis)
		}
		return x
	}
	x := make([]r3.Vec, n)
	for i := range x {
		x[i] = r3.Vec{X: coordinate(i, 0), Y: coordinate(i, 1), Z: coordinate(i, 2)}
	}
	return x
}

// spring returns the length and the stiffness of the spring between two atoms at a distance, 0 and 0
// where there is none.
type spring func(i, j int, distance float64) (length, stiffness float64)

// stress has springs between all atoms, the weaker the longer.
func (f *fragment) stress(i, j int, _ float64) (length, stiffness float64) {
	length = f.length(i, j)
	return length, 1 / (length * length)
}

// tension has springs of the ideal lengths, and between atoms that are too close.
func (f *fragment) tension(i, j int, distance float64) (length, stiffness float64) {
	const room = 1.6 // less than between ring atoms two bonds apart, so that rings stay regular
	switch ideal := f.ideal[i][j]; {
	case ideal > 0:
		return ideal, 2 / ideal
	case distance < room:
		return room, 1
	case distance < 2*room && f.hops[i][j] > 3:
		return 2 * room, 0.01
	}
	return 0, 0
}

// relax moves one atom after the other to where its springs pull it, which never raises the energy
// (majorization: Gansner, Koren and North, "Graph drawing by stress majorization", 2004). flat is the
// stiffness of springs to the plane z = 0.
func (f *fragment) relax(x []r3.Vec, sweeps int, springs spring, flat float64) {
	for moved := math.Inf(1); sweeps > 0 && moved >= 1e-4; sweeps-- {
		moved = 0
		for i := range x {
			var sum r3.Vec
			total := 0.0
			for j := range x {
				apart := r3.Sub(x[i], x[j])
				distance := r3.Norm(apart)
				if distance == 0 {
					continue
				}
				length, stiffness := springs(i, j, distance)
				total += stiffness
				sum = r3.Add(sum, r3.Scale(stiffness, r3.Add(x[j], r3.Scale(length/distance, apart))))
			}
			if total > 0 {
				next := r3.Vec{X: sum.X / total, Y: sum.Y / total, Z: sum.Z / (total + flat)}
				moved = math.Max(moved, r3.Norm(r3.Sub(next, x[i])))
				x[i] = next
			}
		}
	}
}

// energy returns that of [fragment.tension].
func (f *fragment) energy(x []r3.Vec) (sum float64) {
	for i := range x {
		for j := range i {
			distance := r3.Norm(r3.Sub(x[i], x[j]))
			length, stiffness := f.tension(i, j, distance)
			sum += stiffness * (distance - length) * (distance - length)
		}
	}
	return sum
}

// crossings counts the pairs of bonds that cross.
func (f *fragment) crossings(z []complex128) (count int) {
	// side is positive where c is to the left of the way from a to b.
	side := func(a, b, c int) float64 { return imag(cmplx.Conj(z[b]-z[a]) * (z[c] - z[a])) }
	for i, p := range f.bonds {
		for _, q := range f.bonds[:i] {
			// Bonds with a common atom have a side of 0.
			if side(p[0], p[1], q[0])*side(p[0], p[1], q[1]) < 0 &&
				side(q[0], q[1], p[0])*side(q[0], q[1], p[1]) < 0 {
				count++
			}
		}
	}
	return count
}

// turn turns the places such that the molecule lies across and bonds point to the hours of a clock, as
// they do in formulas.
func (f *fragment) turn(z []complex128) {
	var mean, spread, hours complex128
	for _, p := range z {
		mean += p / complex(float64(len(z)), 0)
	}
	for _, p := range z {
		spread += (p - mean) * (p - mean)
	}
	across := cmplx.Rect(1, -cmplx.Phase(spread)/2)
	for _, b := range f.bonds {
		hours += cmplx.Rect(1, 12*cmplx.Phase(across*(z[b[1]]-z[b[0]])))
	}
	for i := range z {
		z[i] *= across * cmplx.Rect(1, -cmplx.Phase(hours)/12)
	}
}
