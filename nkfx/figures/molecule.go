package figures

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/neuralkforms/nkf/datasets/smiles"
	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// Molecule draws a structural formula: lines for bonds, circles in aromatic
// rings, symbols for atoms other than carbon. Stereochemistry is not drawn.
type Molecule struct {
	Formula *smiles.Molecule
	At      []float64 // [atoms, 2]: places of the atoms; a bond is about 1 long
	// Bonds are numbers to colour the bonds and their atoms with, one for
	// each; nil for the bare formula.
	Bonds []float64
	Scale *Scale // of Bonds

	rings [][]int32
}

// mostAtoms is how many atoms a formula can have that one can still read; the
// time to lay it out grows with their square.
const mostAtoms = 500

// NewMolecule returns the formula of a molecule, laid out in the plane. It is
// an error if the molecule has more than 500 atoms.
func NewMolecule(m *smiles.Molecule) (*Molecule, error) {
	if len(m.Atoms) > mostAtoms {
		return nil, fmt.Errorf("a molecule of %d atoms: formulas have at most %d", len(m.Atoms), mostAtoms)
	}
	out := &Molecule{Formula: m}
	out.At, out.rings = placeAtoms(m)
	return out, nil
}

// Responses draws the formulas of molecules over how a model responds to
// their bonds, a panel for each, on one scale.
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
			return nil, fmt.Errorf("molecule %d: %d responses to %d bonds", i, len(r.Bonds),
				len(parsed.Bonds))
		}
		m.Bonds, m.Scale = r.Bonds, scale
		heading := fmt.Sprintf("%s: %.3g", r.Output, r.Value)
		if r.Label != "" {
			heading = fmt.Sprintf("class %s, probability of %s: %.2f", r.Label, r.Output, r.Value)
		}
		panel := NewPanel(heading, m)
		panel.Bare = true
		f.Panels = append(f.Panels, panel)
	}
	if len(responses) > 0 {
		label := responses[0].Output
		if responses[0].Label != "" {
			label = "log-odds of class " + label
		}
		f.Bars = []Bar{{Label: label + ", by bond", Scale: scale}}
	}
	return f, nil
}

// Response returns the scale of signed numbers within ±bound: blue where
// negative, white at zero, orange where positive, light enough to write on.
func Response(bound float64) *Scale {
	b := positive(bound)
	return &Scale{-b, b, []color.NRGBA{mix(Blue, White, 0.15), mix(Blue, White, 0.6), White,
		mix(Vermilion, White, 0.6), mix(Vermilion, White, 0.15)}}
}

// DataRange returns the range of the atoms and their symbols.
func (m *Molecule) DataRange() (xmin, xmax, ymin, ymax float64) { return boundsOf(1, m.At) }

// Plot draws the layer.
func (m *Molecule) Plot(c draw.Canvas, plt *plot.Plot) {
	at := place(c, plt)
	unit := float64(at(1, 0).X - at(0, 0).X)
	if m.Bonds != nil {
		m.glow(c, at)
	}
	pen := formula{
		c: c, at: at,
		size:  vg.Length(math.Min(float64(textSize), 0.5*unit)),
		width: vg.Length(math.Min(1.1, 0.055*unit)),
	}
	for _, b := range m.Formula.Bonds {
		pen.bond(m, b)
	}
	for _, ring := range m.rings {
		pen.ring(m, ring)
	}
	for a := range m.Formula.Atoms {
		pen.atom(m, int32(a))
	}
}

// glow colours the surroundings of bonds: at their middle axis by their
// number, and less with the distance.
func (m *Molecule) glow(c draw.Canvas, at func(x, y float64) vg.Point) {
	const pixels, reach = 30, 0.33 // pixels of a bond; standard deviation of the colour around it
	xmin, xmax, ymin, ymax := m.DataRange()
	width, height := int(pixels*(xmax-xmin)), int(pixels*(ymax-ymin))
	values := make([]float64, width*height)
	for i, b := range m.Formula.Bonds {
		x1, y1, x2, y2 := m.At[2*b.Begin], m.At[2*b.Begin+1], m.At[2*b.End], m.At[2*b.End+1]
		for v := range height {
			for u := range width {
				x, y := xmin+(float64(u)+0.5)/pixels, ymin+(float64(v)+0.5)/pixels
				along := ((x-x1)*(x2-x1) + (y-y1)*(y2-y1)) / ((x2-x1)*(x2-x1) + (y2-y1)*(y2-y1) + 1e-9)
				along = math.Max(0, math.Min(1, along))
				off := math.Hypot(x-x1-along*(x2-x1), y-y1-along*(y2-y1)) / reach
				values[v*width+u] += m.Bonds[i] * math.Exp(-off*off/2)
			}
		}
	}
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for v := range height {
		for u := range width {
			img.SetNRGBA(u, height-1-v, m.Scale.At(values[v*width+u]))
		}
	}
	c.DrawImage(vg.Rectangle{Min: at(xmin, ymin), Max: at(xmax, ymax)}, img)
}

// formula draws bonds and atoms.
type formula struct {
	c     draw.Canvas
	at    func(x, y float64) vg.Point
	size  vg.Length // of text
	width vg.Length // of lines
}

// bond draws a bond, shortened where an atom has a symbol.
func (f formula) bond(m *Molecule, b smiles.Bond) {
	x1, y1, x2, y2 := m.At[2*b.Begin], m.At[2*b.Begin+1], m.At[2*b.End], m.At[2*b.End+1]
	length := math.Hypot(x2-x1, y2-y1) + 1e-9
	dx, dy := (x2-x1)/length, (y2-y1)/length
	const room = 0.33 // of a symbol
	if m.written(b.Begin) {
		x1, y1 = x1+room*dx, y1+room*dy
	}
	if m.written(b.End) {
		x2, y2 = x2-room*dx, y2-room*dy
	}
	stroke := func(side, short float64) {
		line(f.c, []vg.Point{
			f.at(x1-side*dy+short*dx, y1+side*dx+short*dy), f.at(x2-side*dy-short*dx, y2+side*dx-short*dy),
		}, Ink, f.width)
	}
	const apart = 0.16
	switch side := m.inside(b, dx, dy); b.Type {
	case smiles.Double:
		if side == 0 {
			stroke(apart/2, 0)
			stroke(-apart/2, 0)
			break
		}
		stroke(0, 0)
		stroke(side*apart, 0.12)
	case smiles.Triple:
		stroke(0, 0)
		stroke(apart, 0.05)
		stroke(-apart, 0.05)
	default:
		stroke(0, 0)
	}
}

// inside returns on which side of a bond a ring of it is, 1 to the left, -1 to
// the right, 0 for none.
func (m *Molecule) inside(b smiles.Bond, dx, dy float64) float64 {
	for _, ring := range m.rings {
		x, y, members := 0.0, 0.0, 0
		for _, a := range ring {
			x += m.At[2*a] - m.At[2*b.Begin]
			y += m.At[2*a+1] - m.At[2*b.Begin+1]
			if a == b.Begin || a == b.End {
				members++
			}
		}
		if members == 2 {
			return math.Copysign(1, dx*y-dy*x)
		}
	}
	return 0
}

// ring draws the circle of an aromatic ring.
func (f formula) ring(m *Molecule, ring []int32) {
	x, y := 0.0, 0.0
	for _, a := range ring {
		if !m.Formula.Atoms[a].Aromatic {
			return
		}
		x, y = x+m.At[2*a]/float64(len(ring)), y+m.At[2*a+1]/float64(len(ring))
	}
	const corners = 48
	radius := 0.55 * 0.5 / math.Tan(math.Pi/float64(len(ring)))
	points := make([]vg.Point, corners+1)
	for i := range points {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		points[i] = f.at(x+radius*cos, y+radius*sin)
	}
	line(f.c, points, Ink, 0.7*f.width)
}
