package figures

import (
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
// on the side with more room, and the charge behind all.
func (f formula) atom(m *Molecule, a int32) {
	symbol, hydrogens, charge := m.label(a)
	if symbol == nil {
		return
	}
	at := f.at(m.At[2*a], m.At[2*a+1])
	at.X -= f.pieceWidth(symbol...) / 2
	if m.leftward(a) {
		f.put(vg.Point{X: at.X - f.pieceWidth(hydrogens...), Y: at.Y}, hydrogens...)
		hydrogens = nil
	}
	at.X = f.put(at, symbol...)
	at.X = f.put(at, hydrogens...)
	f.put(at, charge...)
}

// leftward reports whether the bonds of an atom lead to the right, so that
// there is room to the left.
func (m *Molecule) leftward(a int32) bool {
	x := 0.0
	for _, b := range m.Formula.Bonds {
		switch a {
		case b.Begin:
			x += m.At[2*b.End] - m.At[2*a]
		case b.End:
			x += m.At[2*b.Begin] - m.At[2*a]
		}
	}
	return x > 0.1
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
	const below, above = -0.22, 0.32
	if !m.written(a) {
		return nil, nil, nil
	}
	atom := m.Formula.Atoms[a]
	if atom.Isotope > 0 {
		symbol = []piece{{strconv.Itoa(int(atom.Isotope)), above}}
	}
	symbol = append(symbol, piece{atom.Symbol(), 0})
	if atom.Hydrogens > 0 {
		hydrogens = []piece{{"H", 0}}
	}
	if atom.Hydrogens > 1 {
		hydrogens = append(hydrogens, piece{strconv.Itoa(int(atom.Hydrogens)), below})
	}
	if z := int(atom.Charge); z != 0 {
		sign := map[bool]string{true: "+", false: "−"}[z > 0]
		if z > 1 || z < -1 {
			sign = strconv.Itoa(max(z, -z)) + sign
		}
		charge = []piece{{sign, above}}
	}
	return symbol, hydrogens, charge
}
