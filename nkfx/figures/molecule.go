package figures

import (
	"fmt"
	"image/color"
	"math"
	"math/cmplx"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/neuralkforms/nkf/datasets/smiles"
	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// Molecule draws a structural formula: lines for bonds, circles in aromatic rings, symbols for atoms
// other than carbon. Stereochemistry is not drawn.
type Molecule struct {
	Formula *smiles.Molecule
	At      []float64 // [atoms, 2]: places of the atoms; a bond is about 1 long
	Bonds   []float64 // numbers that color the bonds; nil for the bare formula
	Scale   *Scale    // of Bonds; nil: from the least to the greatest

	rings [][]int32
}

// mostAtoms is the largest number of atoms that a formula can have to be readable; the time to lay it
// out grows with its square.
const mostAtoms = 500

// NewMolecule returns the formula of a molecule, laid out in the plane. It is an error if the molecule
// has more than 500 atoms.
func NewMolecule(m *smiles.Molecule) (*Molecule, error) {
	if len(m.Atoms) > mostAtoms {
		return nil, fmt.Errorf("a molecule of %d atoms: formulas have at most %d", len(m.Atoms), mostAtoms)
	}
	f := newLayout(m)
	out := &Molecule{Formula: m, rings: f.rings}
	for _, z := range f.place() {
		out.At = append(out.At, real(z), imag(z))
	}
	return out, nil
}

// Responses draws the formulas of molecules with the responses of a model to their bonds, a panel for each,
// on one scale. It is an error if a molecule cannot be read or drawn, or has another number of bonds.
func Responses(title string, columns int, responses []experiments.MoleculeResponse) (*Figure, error) {
	f := &Figure{Title: title, Columns: columns, Side: 230, Ratio: 0.8}
	var all []float64
	for _, r := range responses {
		all = append(all, r.Bonds...)
	}
	scale := Response(Typical(all))
	for i, r := range responses {
		parsed, err := smiles.Parse(r.SMILES)
		if err != nil {
			return nil, fmt.Errorf("molecule %d: %w", i, err)
		}
		m, err := NewMolecule(parsed)
		if err != nil {
			return nil, fmt.Errorf("molecule %d: %w", i, err)
		}
		if len(r.Bonds) != len(parsed.Bonds) {
			return nil, fmt.Errorf("molecule %d: %d responses to %d bonds",
				i, len(r.Bonds), len(parsed.Bonds))
		}
		m.Bonds, m.Scale = r.Bonds, scale
		heading, label := fmt.Sprintf("%s: %.3g", r.Output, r.Value), r.Output
		if r.Label != "" {
			heading = fmt.Sprintf("class %s, probability of %s: %.2f", r.Label, r.Output, r.Value)
			label = "log-odds of class " + r.Output
		}
		f.Panels = append(f.Panels, NewPanel(heading, m).Bare())
		f.Bars = []Bar{{Label: label + ", by bond", Scale: scale}}
	}
	return f, nil
}

// DataRange returns the range of the atoms and their symbols.
func (m *Molecule) DataRange() (xmin, xmax, ymin, ymax float64) { return boundsOf(1, m.At) }

// Plot draws the formula.
func (m *Molecule) Plot(c draw.Canvas, plt *plot.Plot) {
	at := place(c, plt)
	unit := at(1, 0).X - at(0, 0).X
	stroke := func(col color.NRGBA, width vg.Length, path ...complex128) {
		var points []vg.Point
		for _, z := range path {
			points = append(points, at(real(z), imag(z)))
		}
		line(c, points, col, width)
	}
	scale := scaled(m.Scale, m.Bonds)
	for i, v := range m.Bonds {
		b := m.Formula.Bonds[i]
		stroke(scale.At(v), 0.5*unit, m.at(b.Begin), m.at(b.End))
	}
	for _, path := range m.strokes() {
		stroke(Ink, min(1.1, 0.055*unit), path...)
	}
	for a := range m.Formula.Atoms {
		m.symbol(c, at(m.At[2*a], m.At[2*a+1]), min(textSize, 0.5*unit), int32(a))
	}
}

// at returns the place of an atom.
func (m *Molecule) at(a int32) complex128 { return complex(m.At[2*a], m.At[2*a+1]) }

// strokes returns the lines of the formula: those of bonds, shortened where an atom has a symbol, and
// the circles of aromatic rings.
func (m *Molecule) strokes() (out [][]complex128) {
	const room, apart = 0.33, 0.16 // of a symbol; between the lines of a bond
	for _, b := range m.Formula.Bonds {
		p, q := m.at(b.Begin), m.at(b.End)
		along := (q - p) / complex(cmplx.Abs(q-p)+1e-9, 0)
		if m.written(b.Begin) {
			p += room * along
		}
		if m.written(b.End) {
			q -= room * along
		}
		lines := [][2]float64{{0, 0}} // distance to the left, and how much shorter at either end
		switch side := m.inside(b); {
		case b.Type == smiles.Double && side == 0:
			lines = [][2]float64{{apart / 2, 0}, {-apart / 2, 0}}
		case b.Type == smiles.Double:
			lines = append(lines, [2]float64{side * apart, 0.12})
		case b.Type == smiles.Triple:
			lines = append(lines, [2]float64{apart, 0.05}, [2]float64{-apart, 0.05})
		}
		for _, l := range lines {
			out = append(out, []complex128{p + complex(l[1], l[0])*along, q + complex(-l[1], l[0])*along})
		}
	}
	for _, ring := range m.rings {
		if slices.ContainsFunc(ring, func(a int32) bool { return !m.Formula.Atoms[a].Aromatic }) {
			continue
		}
		const corners = 48
		circle, radius := make([]complex128, corners+1), 0.55*0.5/math.Tan(math.Pi/float64(len(ring)))
		for i := range circle {
			circle[i] = m.center(ring) + cmplx.Rect(radius, 2*math.Pi*float64(i)/corners)
		}
		out = append(out, circle)
	}
	return out
}

// center returns the middle of a ring.
func (m *Molecule) center(ring []int32) (sum complex128) {
	for _, a := range ring {
		sum += m.at(a) / complex(float64(len(ring)), 0)
	}
	return sum
}

// inside returns the side of a bond on which a ring of it is: 1 to the left, -1 to the right, 0 for
// none.
func (m *Molecule) inside(b smiles.Bond) float64 {
	for _, ring := range m.rings {
		if slices.Contains(ring, b.Begin) && slices.Contains(ring, b.End) {
			p := m.at(b.Begin)
			return math.Copysign(1, imag(cmplx.Conj(m.at(b.End)-p)*(m.center(ring)-p)))
		}
	}
	return 0
}

// written reports whether an atom has a symbol. Carbon has none unless it is alone, charged or of a
// given isotope.
func (m *Molecule) written(a int32) bool {
	atom := m.Formula.Atoms[a]
	return atom.Number != 6 || atom.Charge != 0 || atom.Isotope != 0 || len(m.Formula.Atoms) == 1
}

// symbol writes an atom in text of a size: its symbol in the middle, hydrogens on the side with most
// room, and the charge behind.
func (m *Molecule) symbol(c draw.Canvas, at vg.Point, size vg.Length, a int32) {
	if !m.written(a) {
		return
	}
	atom := m.Formula.Atoms[a]
	isotope, hydrogens, charge := m.marks(a)
	style, small := textStyle(size), textStyle(0.75*size)
	left := at.X - (small.Width(isotope)+style.Width(atom.Symbol()))/2
	write(c, isotope, vg.Point{X: left, Y: at.Y + 0.32*size}, 0.75*size, text.XLeft, text.YCenter)
	symbol := vg.Point{X: left + small.Width(isotope), Y: at.Y}
	write(c, atom.Symbol(), symbol, size, text.XLeft, text.YCenter)
	end := symbol.X + style.Width(atom.Symbol())
	switch side := m.room(a); side {
	case 1:
		write(c, hydrogens, vg.Point{X: end, Y: at.Y}, size, text.XLeft, text.YCenter)
		end += style.Width(hydrogens)
	case -1:
		write(c, hydrogens, vg.Point{X: left, Y: at.Y}, size, text.XRight, text.YCenter)
	default:
		above := vg.Length(imag(side)) * size
		write(c, hydrogens, vg.Point{X: left, Y: at.Y + above}, size, text.XLeft, text.YCenter)
	}
	write(c, charge, vg.Point{X: end, Y: at.Y + 0.32*size}, 0.75*size, text.XLeft, text.YCenter)
}

// room returns the first direction of right, left, up and down that no bond of an atom is near, or else
// the one farthest from its bonds.
func (m *Molecule) room(a int32) (best complex128) {
	least := math.Inf(1)
	for _, side := range []complex128{1, -1, 1i, -1i} {
		most := 0.3 // cosine of the angle to the nearest bond, or of one that leaves room
		for _, b := range m.Formula.Bonds {
			if b.Begin == a || b.End == a {
				v := m.at(b.Begin+b.End-a) - m.at(a)
				most = math.Max(most, real(v*cmplx.Conj(side))/(cmplx.Abs(v)+1e-9))
			}
		}
		if most < least-0.1 {
			best, least = side, most
		}
	}
	return best
}

// marks returns what is written beside the symbol of an atom.
func (m *Molecule) marks(a int32) (isotope, hydrogens, charge string) {
	atom := m.Formula.Atoms[a]
	if atom.Isotope > 0 {
		isotope = strconv.Itoa(int(atom.Isotope))
	}
	if atom.Hydrogens > 0 {
		hydrogens = "H"
	}
	if atom.Hydrogens > 1 {
		hydrogens += subscript(int(atom.Hydrogens) - 1)
	}
	if z := int(atom.Charge); z != 0 {
		if max(z, -z) > 1 {
			charge = strconv.Itoa(max(z, -z))
		}
		charge += map[bool]string{true: "+", false: "−"}[z > 0]
	}
	return isotope, hydrogens, charge
}
