package figures

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r3"
	"gonum.org/v1/gonum/stat/mds"

	"github.com/neuralkforms/nkf/datasets/smiles"
)

// layout places the atoms of a molecule in the plane, with bonds about 1 long.
type layout struct {
	bonds []smiles.Bond
	near  [][]int32   // neighbors
	hops  [][]int     // bonds between atoms; 0 where none connect them
	rings [][]int32   // atoms along a smallest ring through each bond that has one
	ideal [][]float64 // distances in a formula; 0 where any will do
}

// newLayout returns the graph of a molecule.
func newLayout(m *smiles.Molecule) *layout {
	n := len(m.Atoms)
	f := &layout{bonds: m.Bonds, near: make([][]int32, n)}
	for _, b := range m.Bonds {
		f.near[b.Begin], f.near[b.End] = append(f.near[b.Begin], b.End), append(f.near[b.End], b.Begin)
	}
	for a := range n {
		hops, _ := f.walk(int32(a), -1)
		f.hops, f.ideal = append(f.hops, hops), append(f.ideal, make([]float64, n))
	}
	known := map[string]bool{}
	for _, b := range m.Bonds {
		_, back := f.walk(b.Begin, b.End)
		if back[b.End] < 0 {
			continue
		}
		ring := []int32{b.End}
		for a := b.End; a != b.Begin; ring = append(ring, a) {
			a = back[a]
		}
		if members := fmt.Sprint(slices.Sorted(slices.Values(ring))); !known[members] {
			known[members] = true
			f.rings = append(f.rings, ring)
		}
	}
	for a, atom := range m.Atoms {
		f.angles(int32(a), atom.Hybridization.String() == "SP")
	}
	for _, ring := range f.rings {
		side := math.Sin(math.Pi / float64(len(ring)))
		for i, a := range ring {
			for j, b := range ring[:i] {
				f.set(a, b, math.Sin(math.Pi*float64(i-j)/float64(len(ring)))/side)
			}
		}
	}
	for _, b := range m.Bonds {
		f.set(b.Begin, b.End, 1)
	}
	return f
}

// walk returns how many bonds each atom is from the first, and the atom before it on the way, -1 where
// no way leads there that does not begin with a step to the atom without.
func (f *layout) walk(from, without int32) (hops []int, back []int32) {
	hops, back = make([]int, len(f.near)), slices.Repeat([]int32{-1}, len(f.near))
	for queue := []int32{from}; len(queue) > 0; queue = queue[1:] {
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
func (f *layout) angles(i int32, linear bool) {
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
func (f *layout) set(i, j int32, distance float64) { f.ideal[i][j], f.ideal[j][i] = distance, distance }

// inner returns the angle of a regular polygon.
func inner(corners int) float64 { return math.Pi * (1 - 2/float64(corners)) }

// place returns the places of the atoms. The connected parts of the molecule, such as ions, stand side
// by side, each with its longer way across.
//
// A molecule is first laid out in space, where parts can pass each other, with distances that grow with
// the number of bonds between atoms (classical scaling, then the stress of Kamada and Kawai, "An
// algorithm for drawing general undirected graphs", 1989), and is pressed flat. Springs then make bonds
// 1 long, angles those of formulas and rings regular. Of a few starts the one with the fewest crossings
// and the least energy is kept.
func (f *layout) place() (best []complex128) {
	const starts = 4
	least := math.Inf(1)
	for start := range starts {
		x := f.scaled(start)
		for _, flat := range []float64{0, 0.1, 1, 10} {
			f.relax(x, 50, f.stress, flat)
		}
		for i := range x {
			x[i].Z = 0
		}
		energy := f.relax(x, 500, f.tension, 0)
		z := make([]complex128, len(x))
		for i := range x {
			z[i] = complex(x[i].X, x[i].Y)
		}
		if energy += float64(f.crossings(z)); energy < least-1e-9 {
			best, least = z, energy
		}
	}
	right := 0.0
	for first := range best {
		var part []int
		for a, hops := range f.hops[first] {
			if hops > 0 || a == first {
				part = append(part, a)
			}
		}
		if part[0] == first {
			right = f.turn(best, part, right) + 1.5
		}
	}
	return best
}

// length returns the distance of atoms for which only the number of bonds between them counts.
func (f *layout) length(i, j int) float64 {
	if d := f.ideal[i][j]; d > 0 {
		return d
	}
	if f.hops[i][j] == 0 {
		return float64(len(f.near)) // of two parts
	}
	return 0.87 * float64(f.hops[i][j]) // of a zigzag chain: sin 60°
}

// scaled returns places in space by classical scaling, moved a little, differently at every start, so
// that no two coincide.
func (f *layout) scaled(start int) []r3.Vec {
	n := len(f.near)
	lengths := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i {
			lengths.SetSym(i, j, f.length(i, j))
		}
	}
	var at mat.Dense
	dim, _ := mds.TorgersonScaling(&at, nil, lengths)
	x := make([]r3.Vec, n)
	for i := range x {
		for axis, place := range []*float64{&x[i].X, &x[i].Y, &x[i].Z} {
			if axis < dim {
				*place = at.At(i, axis)
			}
			*place += 0.2 * math.Sin(float64((3*i+axis+1)*(3*i+axis+7*start+3)))
		}
	}
	return x
}

// spring returns the length and the stiffness of the spring between two atoms at a distance, 0 and 0
// where there is none.
type spring func(i, j int, distance float64) (length, stiffness float64)

// stress has springs between all atoms of a part, the weaker the longer.
func (f *layout) stress(i, j int, _ float64) (length, stiffness float64) {
	length = f.length(i, j)
	return length, 1 / (length * length)
}

// tension has springs of the ideal lengths, and between atoms that are too close.
func (f *layout) tension(i, j int, distance float64) (length, stiffness float64) {
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
// (majorization: Gansner, Koren and North, "Graph drawing by stress majorization", 2004), and returns
// the energy. flat is the stiffness of springs to the plane z = 0.
func (f *layout) relax(x []r3.Vec, sweeps int, springs spring, flat float64) (energy float64) {
	for moved := math.Inf(1); sweeps > 0 && moved >= 1e-4; sweeps-- {
		moved, energy = 0, 0
		for i := range x {
			var sum r3.Vec
			total := 0.0
			for j := range x {
				apart := r3.Sub(x[i], x[j])
				distance := math.Sqrt(r3.Norm2(apart)) // r3.Norm takes long: it guards against overflow
				if distance == 0 || f.hops[i][j] == 0 {
					continue // the atom itself, or one of another part
				}
				length, stiffness := springs(i, j, distance)
				total += stiffness
				energy += stiffness * (distance - length) * (distance - length) / 2 // of two ends
				sum = r3.Add(sum, r3.Scale(stiffness, r3.Add(x[j], r3.Scale(length/distance, apart))))
			}
			if total > 0 {
				next := r3.Vec{X: sum.X / total, Y: sum.Y / total, Z: sum.Z / (total + flat)}
				moved = math.Max(moved, math.Sqrt(r3.Norm2(r3.Sub(next, x[i]))))
				x[i] = next
			}
		}
	}
	return energy
}

// crossings counts the pairs of bonds that cross.
func (f *layout) crossings(z []complex128) (count int) {
	// apart reports whether two atoms are on different sides of a bond; atoms of the bond are on none.
	apart := func(b smiles.Bond, c, d int32) bool {
		way := cmplx.Conj(z[b.End] - z[b.Begin])
		return imag(way*(z[c]-z[b.Begin]))*imag(way*(z[d]-z[b.Begin])) < 0
	}
	for i, p := range f.bonds {
		for _, q := range f.bonds[:i] {
			if apart(p, q.Begin, q.End) && apart(q, p.Begin, p.End) {
				count++
			}
		}
	}
	return count
}

// turn turns a part of a molecule such that it lies across and bonds point to the hours of a clock, as
// they do in formulas, puts it to the right of a line, and returns where it ends.
func (f *layout) turn(z []complex128, part []int, left float64) (right float64) {
	var mean, spread, hours complex128
	for _, a := range part {
		mean += z[a] / complex(float64(len(part)), 0)
	}
	for _, a := range part {
		spread += (z[a] - mean) * (z[a] - mean)
	}
	across := cmplx.Rect(1, -cmplx.Phase(spread)/2)
	for _, b := range f.bonds {
		if slices.Contains(part, int(b.Begin)) {
			hours += cmplx.Rect(1, 12*cmplx.Phase(across*(z[b.End]-z[b.Begin])))
		}
	}
	var turned []float64
	for _, a := range part {
		z[a] *= across * cmplx.Rect(1, -cmplx.Phase(hours)/12)
		turned = append(turned, real(z[a]), imag(z[a]))
	}
	xmin, xmax, ymin, ymax := boundsOf(0, turned)
	for _, a := range part {
		z[a] += complex(left-xmin, -(ymin+ymax)/2)
	}
	return left + xmax - xmin
}
