package figures

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/neuralkforms/nkf/datasets/smiles"
)

// placeAtoms places the atoms of a molecule in the plane, [atoms, 2], with bonds
// that are about 1 long, and returns its small rings too. Fragments stand side
// by side.
//
// A fragment is laid out in space first, where parts can pass each other, with
// distances that grow with the number of bonds between atoms (classical
// scaling, then the stress of Kamada and Kawai, "An algorithm for drawing
// general undirected graphs", 1989), and is pressed flat; then springs make
// bonds 1 long, angles what they are in formulas and rings regular. Of a few
// starts the one with the fewest crossings and the least energy stays.
func placeAtoms(m *smiles.Molecule) (at []float64, rings [][]int32) {
	at = make([]float64, 2*len(m.Atoms))
	right := 0.0
	for _, atoms := range fragments(m) {
		f := newFragment(m, atoms)
		x := f.place()
		xmin, xmax, ymin, ymax := boundsOf(0, x)
		for i, a := range atoms {
			at[2*a], at[2*a+1] = x[2*i]-xmin+right, x[2*i+1]-(ymin+ymax)/2
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

// place returns the places of the atoms, [n, 2], the longer way across.
func (f *fragment) place() []float64 {
	if f.n == 1 {
		return []float64{0, 0}
	}
	const starts = 4
	var best []float64
	least := math.Inf(1)
	for start := range starts {
		x := f.scaled(start)
		for _, flat := range []float64{0, 0.1, 1, 10} {
			f.relax(x, 50, f.stress, flat)
		}
		for i := range f.n {
			x[3*i+2] = 0
		}
		f.relax(x, 500, f.tension, 0)
		if energy := f.energy(x, f.tension) + float64(f.crossings(x)); energy < least-1e-9 {
			best, least = x, energy
		}
	}
	out := make([]float64, 0, 2*f.n)
	for i := range f.n {
		out = append(out, best[3*i], best[3*i+1])
	}
	f.turn(out)
	return out
}

// length returns the distance that atoms should have when all that counts is
// how many bonds are between them.
func (f *fragment) length(i, j int) float64 {
	if d := f.ideal[i*f.n+j]; d > 0 {
		return d
	}
	return 0.87 * float64(f.hops[i*f.n+j]) // of a zigzag chain: sin 60°
}

// scaled returns places in space, [n, 3], by classical scaling, and a little
// off them, in another way at every start, so that none coincide.
func (f *fragment) scaled(start int) []float64 {
	centred := mat.NewSymDense(f.n, nil)
	mean := make([]float64, f.n)
	total := 0.0
	for i := range f.n {
		for j := range f.n {
			mean[i] += f.length(i, j) * f.length(i, j) / float64(f.n)
		}
		total += mean[i] / float64(f.n)
	}
	for i := range f.n {
		for j := range i + 1 {
			centred.SetSym(i, j, -0.5*(f.length(i, j)*f.length(i, j)-mean[i]-mean[j]+total))
		}
	}
	x := make([]float64, 3*f.n)
	var eigen mat.EigenSym
	if eigen.Factorize(centred, true) {
		var vectors mat.Dense
		eigen.VectorsTo(&vectors)
		values := eigen.Values(nil)
		for k := range min(3, f.n) {
			at := f.n - 1 - k
			for i := range f.n {
				x[3*i+k] = vectors.At(i, at) * math.Sqrt(math.Max(0, values[at]))
			}
		}
	}
	for i := range x {
		x[i] += 0.2 * math.Sin(float64((i+1)*(i+7*start+3)))
	}
	return x
}

// spring says how far apart two atoms should be and how stiffly, given how far
// apart they are; stiffness 0 is no spring.
type spring func(i, j int, distance float64) (length, stiffness float64)

// stress has springs between all atoms, the weaker the longer.
func (f *fragment) stress(i, j int, _ float64) (length, stiffness float64) {
	length = f.length(i, j)
	return length, 1 / (length * length)
}

// tension has springs of the ideal lengths, and between atoms that are too
// close.
func (f *fragment) tension(i, j int, distance float64) (length, stiffness float64) {
	const room = 1.6 // less than between ring atoms two bonds apart, so that rings stay regular
	switch ideal := f.ideal[i*f.n+j]; {
	case ideal > 0:
		return ideal, 2 / ideal
	case distance < room:
		return room, 1
	case distance < 2*room && f.hops[i*f.n+j] > 3:
		return 2 * room, 0.01
	}
	return 0, 0
}

// relax moves one atom after the other to where its springs pull it, which
// never raises the energy (majorization: Gansner, Koren and North, "Graph
// drawing by stress majorization", 2004). flat is the stiffness of springs to
// the plane z = 0.
func (f *fragment) relax(x []float64, sweeps int, springs spring, flat float64) {
	for range sweeps {
		moved := 0.0
		for i := range f.n {
			var sum [3]float64
			total := 0.0
			for j := range f.n {
				distance := f.distance(x, i, j)
				if i == j || distance == 0 {
					continue
				}
				length, stiffness := springs(i, j, distance)
				total += stiffness
				for k := range sum {
					sum[k] += stiffness * (x[3*j+k] + length/distance*(x[3*i+k]-x[3*j+k]))
				}
			}
			if total == 0 {
				continue
			}
			next := [3]float64{sum[0] / total, sum[1] / total, sum[2] / (total + flat)}
			for k, v := range next {
				moved = math.Max(moved, math.Abs(v-x[3*i+k]))
				x[3*i+k] = v
			}
		}
		if moved < 1e-4 {
			return
		}
	}
}

// distance returns the distance between two atoms.
func (f *fragment) distance(x []float64, i, j int) float64 {
	dx, dy, dz := x[3*i]-x[3*j], x[3*i+1]-x[3*j+1], x[3*i+2]-x[3*j+2]
	return math.Sqrt(dx*dx + dy*dy + dz*dz)
}

// energy returns that of the springs.
func (f *fragment) energy(x []float64, springs spring) float64 {
	sum := 0.0
	for i := range f.n {
		for j := range i {
			distance := f.distance(x, i, j)
			length, stiffness := springs(i, j, distance)
			sum += stiffness * (distance - length) * (distance - length)
		}
	}
	return sum
}

// crossings counts the pairs of bonds that cross.
func (f *fragment) crossings(x []float64) int {
	side := func(a, b, c int) float64 {
		return (x[3*b]-x[3*a])*(x[3*c+1]-x[3*a+1]) - (x[3*b+1]-x[3*a+1])*(x[3*c]-x[3*a])
	}
	count := 0
	for i, p := range f.bonds {
		for _, q := range f.bonds[:i] {
			if p[0] == q[0] || p[0] == q[1] || p[1] == q[0] || p[1] == q[1] {
				continue
			}
			if side(p[0], p[1], q[0])*side(p[0], p[1], q[1]) < 0 &&
				side(q[0], q[1], p[0])*side(q[0], q[1], p[1]) < 0 {
				count++
			}
		}
	}
	return count
}

// turn turns the places such that the molecule lies across and bonds point to
// the hours of a clock, as they do in formulas.
func (f *fragment) turn(at []float64) {
	var xx, xy, yy, mx, my float64
	for i := range f.n {
		mx, my = mx+at[2*i]/float64(f.n), my+at[2*i+1]/float64(f.n)
	}
	for i := range f.n {
		x, y := at[2*i]-mx, at[2*i+1]-my
		xx, xy, yy = xx+x*x, xy+x*y, yy+y*y
	}
	f.rotate(at, -0.5*math.Atan2(2*xy, xx-yy))
	var sin, cos float64
	for _, b := range f.bonds {
		angle := 12 * math.Atan2(at[2*b[1]+1]-at[2*b[0]+1], at[2*b[1]]-at[2*b[0]])
		sin, cos = sin+math.Sin(angle), cos+math.Cos(angle)
	}
	f.rotate(at, -math.Atan2(sin, cos)/12)
}

// rotate turns the places about the origin.
func (f *fragment) rotate(at []float64, angle float64) {
	sin, cos := math.Sincos(angle)
	for i := range f.n {
		x, y := at[2*i], at[2*i+1]
		at[2*i], at[2*i+1] = cos*x-sin*y, sin*x+cos*y
	}
}
