package figures

import (
	"math"
	"strconv"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// piece is a part of a symbol, smaller and lower or higher than the rest if
// shift is not 0.
type piece struct {
	text  string
	shift float64 // of the middle line, in sizes
}

// pieceSize returns the size of a piece.
func (f formula) pieceSize(p piece) vg.Length {
	if p.shift != 0 {
		return 0.75 * f.size
	}
	return f.size
}

// put writes pieces from a point to the right and returns where they end.
func (f formula) put(at vg.Point, pieces ...piece) vg.Length {
	for _, p := range pieces {
		size := f.pieceSize(p)
		middle := vg.Point{X: at.X, Y: at.Y + vg.Length(p.shift)*f.size}
		write(f.c, p.text, middle, size, text.XLeft, text.YCenter)
		at.X += textStyle(size).Width(p.text)
	}
	return at.X
}

// pieceWidth returns the width of pieces.
func (f formula) pieceWidth(pieces ...piece) (sum vg.Length) {
	for _, p := range pieces {
		sum += textStyle(f.pieceSize(p)).Width(p.text)
	}
	return sum
}

// atom writes the symbol of an atom, if it has one: in the middle, hydrogens
// on the side with most room, and the charge behind.
func (f formula) atom(m *Molecule, a int32) {
	symbol, hydrogens, charge := m.label(a)
	if symbol == nil {
		return
	}
	at := f.at(m.At[2*a], m.At[2*a+1])
	at.X -= f.pieceWidth(symbol...) / 2
	end := at
	end.X = f.put(at, symbol...)
	switch side := m.room(a); side {
	case toRight:
		end.X = f.put(end, hydrogens...)
	case toLeft:
		f.put(vg.Point{X: at.X - f.pieceWidth(hydrogens...), Y: at.Y}, hydrogens...)
	default:
		up := map[direction]vg.Length{above: f.size, below: -f.size}[side]
		f.put(vg.Point{X: at.X, Y: at.Y + up}, hydrogens...)
	}
	f.put(end, charge...)
}

// direction is where hydrogens go from the symbol of their atom.
type direction int

const (
	toRight direction = iota
	toLeft
	above
	below
)

// room returns the first direction that no bond of an atom is near, or else
// that which is farthest from its bonds.
func (m *Molecule) room(a int32) direction {
	best, least := toRight, math.Inf(1)
	sides := [...][2]float64{toRight: {1, 0}, toLeft: {-1, 0}, above: {0, 1}, below: {0, -1}}
	for side, along := range sides {
		most := 0.3 // cosine of the angle to the nearest bond, or of that which leaves room
		for _, b := range m.Formula.Bonds {
			if b.Begin != a && b.End != a {
				continue
			}
			other := b.Begin + b.End - a
			x, y := m.At[2*other]-m.At[2*a], m.At[2*other+1]-m.At[2*a+1]
			most = math.Max(most, (x*along[0]+y*along[1])/(math.Hypot(x, y)+1e-9))
		}
		if most < least-0.1 {
			best, least = direction(side), most
		}
	}
	return best
}

// written reports whether an atom has a symbol: all have but carbon in company
// and without anything to tell of it.
func (m *Molecule) written(a int32) bool {
	atom := m.Formula.Atoms[a]
	return atom.Number != 6 || atom.Charge != 0 || atom.Isotope != 0 || len(m.Formula.Atoms) == 1
}

// label returns the symbol of an atom, nil if it is not written, and its
// hydrogens and charge.
func (m *Molecule) label(a int32) (symbol, hydrogens, charge []piece) {
	const subscript, superscript = -0.22, 0.32
	if !m.written(a) {
		return nil, nil, nil
	}
	atom := m.Formula.Atoms[a]
	if atom.Isotope > 0 {
		symbol = []piece{{strconv.Itoa(int(atom.Isotope)), superscript}}
	}
	symbol = append(symbol, piece{atom.Symbol(), 0})
	if atom.Hydrogens > 0 {
		hydrogens = []piece{{"H", 0}}
	}
	if atom.Hydrogens > 1 {
		hydrogens = append(hydrogens, piece{strconv.Itoa(int(atom.Hydrogens)), subscript})
	}
	if z := int(atom.Charge); z != 0 {
		sign := map[bool]string{true: "+", false: "−"}[z > 0]
		if z > 1 || z < -1 {
			sign = strconv.Itoa(max(z, -z)) + sign
		}
		charge = []piece{{sign, superscript}}
	}
	return symbol, hydrogens, charge
}
