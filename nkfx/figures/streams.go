package figures

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// streams draws a vector field on a square by streamlines, colored by strength. Lines are about evenly
// spaced: none enters a cell of a grid that another passes through.
type streams struct {
	Low, High float64   // of the square, along both axes
	Side      int       // samples along each axis
	Vectors   []float64 // [Side, Side, 2], rows from below
	Scale     *Scale    // of strengths
}

// streamsOf returns the 1-forms of a field as streamlines on one scale.
func streamsOf(f experiments.Field) []*streams {
	var out []*streams
	for _, a := range fieldsOf(f) {
		out = append(out, &streams{f.Low, f.High, f.Side, a.Vectors, a.Scale})
	}
	return out
}

const (
	streamCells = 22  // of the grid that spaces lines, along each axis
	streamStep  = 0.2 // of a line, in cells
	leastStream = 2.5 // length of a line, in cells
	streamTints = 16  // colors of the parts of a line
)

// at returns the vector at a point, in cells from the lower left corner, by bilinear interpolation.
func (s *streams) at(x, y float64) (u, v float64) {
	scale := float64(s.Side-1) / streamCells
	i, j := min(int(x*scale), s.Side-2), min(int(y*scale), s.Side-2)
	p, q := x*scale-float64(i), y*scale-float64(j)
	for corner, weight := range []float64{(1 - p) * (1 - q), p * (1 - q), (1 - p) * q, p * q} {
		k := 2 * ((j+corner/2)*s.Side + i + corner%2)
		u, v = u+weight*s.Vectors[k], v+weight*s.Vectors[k+1]
	}
	return u, v
}

// trace follows the field from a point, or runs against it where sign is -1, by the midpoint rule, and claims
// the cells that the line passes through. It ends at the edge, where the field vanishes, and before a cell
// that a line has claimed.
func (s *streams) trace(x, y, sign float64, claimed []bool) (points []float64) {
	inside := func(x, y float64) bool { return min(x, y) >= 0 && max(x, y) <= streamCells }
	cell := func(x, y float64) int {
		return min(int(y), streamCells-1)*streamCells + min(int(x), streamCells-1)
	}
	unit := func(x, y float64) (u, v float64, ok bool) {
		if !inside(x, y) {
			return 0, 0, false
		}
		u, v = s.at(x, y)
		strength := math.Hypot(u, v)
		return sign * u / strength, sign * v / strength, strength > 1e-3*s.Scale.High
	}
	points = append(points, x, y)
	// A line that turns within one cell would never end.
	for here := cell(x, y); len(points) < streamCells*streamCells; {
		u, v, ok := unit(x, y)
		if !ok {
			return points
		}
		if u, v, ok = unit(x+u*streamStep/2, y+v*streamStep/2); !ok {
			return points
		}
		x, y = x+u*streamStep, y+v*streamStep
		if !inside(x, y) {
			return points
		}
		if next := cell(x, y); next != here {
			if claimed[next] {
				return points
			}
			here, claimed[next] = next, true
		}
		points = append(points, x, y)
	}
	return points
}

// lines returns the streamlines, points in cells. They begin in the cells of the edge, then farther inside.
func (s *streams) lines() (out [][]float64) {
	claimed := make([]bool, streamCells*streamCells)
	seeds := make([]int, len(claimed))
	for i := range seeds {
		seeds[i] = i
	}
	depth := func(i int) int {
		x, y := i%streamCells, i/streamCells
		return min(x, y, streamCells-1-x, streamCells-1-y)
	}
	slices.SortStableFunc(seeds, func(a, b int) int { return depth(a) - depth(b) })
	for _, seed := range seeds {
		if claimed[seed] {
			continue
		}
		before := slices.Clone(claimed)
		claimed[seed] = true
		x, y := float64(seed%streamCells)+0.5, float64(seed/streamCells)+0.5
		ahead, behind := s.trace(x, y, 1, claimed), s.trace(x, y, -1, claimed)
		var points []float64
		for i := len(behind) - 2; i > 0; i -= 2 {
			points = append(points, behind[i], behind[i+1])
		}
		points = append(points, ahead...)
		if float64(len(points))/2*streamStep < leastStream {
			claimed = before
			continue
		}
		out = append(out, points)
	}
	return out
}

// Plot draws the layer.
func (s *streams) Plot(c draw.Canvas, plt *plot.Plot) {
	if s.Side < 2 {
		return
	}
	at := place(c, plt)
	unit := (s.High - s.Low) / streamCells
	for _, points := range s.lines() {
		place := func(i int) vg.Point { return at(s.Low+unit*points[2*i], s.Low+unit*points[2*i+1]) }
		tint := func(i int) float64 {
			share := s.Scale.share(math.Hypot(s.at(points[2*i], points[2*i+1])))
			return s.Scale.Low + (s.Scale.High-s.Scale.Low)*math.Round(share*streamTints)/streamTints
		}
		count := len(points) / 2
		for from := 0; from+1 < count; {
			part, to := []vg.Point{place(from)}, from+1
			for ; to < count; to++ {
				if part = append(part, place(to)); tint(to) != tint(from) {
					break
				}
			}
			line(c, part, s.Scale.At(tint(from)), lineWidth)
			from = to
		}
		const apart = 8 / streamStep // of arrowheads, in steps
		heads := max(1, math.Round(float64(count)/apart))
		for i := 0.5; i < heads; i++ {
			tip := int(i / heads * float64(count))
			head(c, place(tip), place(tip).Sub(place(max(0, tip-2))), 5, s.Scale.At(tint(tip)))
		}
	}
}

// DataRange returns the square.
func (s *streams) DataRange() (xmin, xmax, ymin, ymax float64) { return s.Low, s.High, s.Low, s.High }
