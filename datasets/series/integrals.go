package series

import (
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/neuralkforms/nkf/datasets"
)

// integrals computes features of a path as integrals over its time: of functions of its velocity over windows
// of some times, ∫ f((x(t+τ/2) - x(t-τ/2))/τ) dt, of its turns, of functions of its position, and of forms at
// the position, ∫ cos(⟨a, x⟩ + b) dt and ∫ cos(⟨a, x⟩ + b) dx_j. The time is that of the observations, or the
// length if they have no times, so more observations on the same segments have no effect. Gaps are left out.
// Units are those of the paths that it was fitted to, and results do not depend on them. The hands of a clock
// move like a position, but have no velocity: columns for it are 0.
type integrals struct {
	Place    int       `json:"place"`           // coordinates that make a place, which have one unit
	Sphere   bool      `json:"sphere"`          // whether the place is on the sphere of a chart
	Hands    int       `json:"hands,omitempty"` // coordinates of a clock, the last ones
	Timed    bool      `json:"timed"`           // whether the clock is that of the observations
	Center   []float64 `json:"center"`          // [n]
	Scale    []float64 `json:"scale"`           // [n]
	Interval float64   `json:"interval"`        // between observations, the median
	Gap      float64   `json:"gap"`             // longer than all intervals and windows; 0: no gaps
	Duration float64   `json:"duration"`        // of paths, the median
	Speed    float64   `json:"speed"`           // between observations, the median, in units of Scale
}

// Sizes of what is computed.
const (
	samples = 256 // of the clock, at which integrands are evaluated
	windows = 3   // velocities are over 1, 4 and 16 intervals
	factor  = 4
	waves   = 24 // functions of the place that forms have
	least   = 8  // observations that a view leaves of a path, if it has them
)

// levels are those of quantiles.
var levels = []float64{0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98}

// Views is the number of ways in which an encoder reads a path: complete; every second observation; every
// fourth; and without a third of it, from a random observation on. Training on all of them makes a model
// depend less on how a path was observed.
const Views = 4

// Groups returns the names of the groups of integrals of paths of n coordinates, and how many columns each
// has, in the order of the columns.
func Groups(n int) iter.Seq2[string, int] {
	return func(yield func(name string, columns int) bool) {
		_ = yield("motion", 5+n+windows*(len(levels)+15+3*n)) &&
			yield("place", n*(len(levels)+3)) &&
			yield("functions", waves) &&
			yield("forms", waves*n)
	}
}

// newIntegrals finds the units on paths, whose place is on the sphere or not, and whose last coordinates are
// the hands of a clock.
func newIntegrals(c *datasets.Collection, ids []int32, onSphere bool, hands int) *integrals {
	m := &integrals{Place: c.Dim - hands, Sphere: onSphere, Hands: hands, Timed: c.Simplices[0].Width == 1}
	if onSphere {
		m.Place = 3
	}
	common := 0
	if onSphere || m.Place == 2 { // places have one unit
		common = m.Place
	}
	m.Center, m.Scale = meansAndDeviations(columnsOf(c, ids), common, hands)
	var intervals, durations, speeds []float64
	for _, g := range ids {
		curve := m.curve(trackOf(c, int(g)))
		own := curve.intervals()
		for i, dt := range own {
			speeds = append(speeds, curve.distance(curve.row(i), curve.row(i+1))/dt)
		}
		intervals, durations = append(intervals, own...), append(durations, curve.duration())
	}
	m.Interval, m.Duration, m.Speed = median(intervals), median(durations), median(speeds)
	m.Gap = slices.Max(append(intervals, m.window(windows-1)))
	return m
}

// median returns the median of the positive values, 1 for none.
func median(values []float64) float64 {
	values = slices.DeleteFunc(values, func(x float64) bool { return !(x > 0) })
	if len(values) == 0 {
		return 1
	}
	return quantiles(values, 0.5)[0]
}

// check returns an error for integrals that cannot have been found on paths of n coordinates.
func (m *integrals) check(n int) error {
	if len(m.Center) != n || len(m.Scale) != n || m.Place < 1 || m.Place > n-m.Hands ||
		m.Sphere && m.Place != 3 {
		return fmt.Errorf("%d centers, %d scales and a place of %d coordinates, of %d", len(m.Center),
			len(m.Scale), m.Place, n)
	}
	for _, x := range slices.Concat(m.Scale, []float64{m.Interval, m.Duration, m.Speed}) {
		if !(x > 0) || math.IsInf(x, 0) {
			return fmt.Errorf("a scale, interval, duration or speed of %v", x)
		}
	}
	if !(m.Gap >= 0) {
		return fmt.Errorf("gaps of %v", m.Gap)
	}
	return nil
}

// window returns the time of a window.
func (m *integrals) window(number int) float64 { return m.Interval * math.Pow(factor, float64(number)) }

// curve returns a path in the units that were found. Intervals longer than any of the training, and than the
// longest window, are gaps, longer ones in a path with fewer observations throughout.
func (m *integrals) curve(t track) *curve {
	scaled := track{n: t.n, points: slices.Clone(t.points)}
	if m.Timed {
		scaled.times = t.times
	}
	for i := range scaled.points {
		j := i % t.n
		if !m.Sphere || j >= m.Place {
			scaled.points[i] -= m.Center[j]
		}
		scaled.points[i] /= m.Scale[j]
	}
	radius := 0.0
	if m.Sphere {
		radius = earthRadius / m.Scale[0]
	}
	out := newCurve(scaled, m.Place, radius)
	if m.Timed && m.Gap > 0 {
		out.split((1 + nearly) * m.Gap * max(1, median(out.intervals())/m.Interval))
	}
	return out
}

// apply adds complexes without vertices. The input of each is the integrals of its path, one after another in
// each of the [Views]. The random view of a path depends on its number among all, which ids are.
func (m *integrals) apply(b *datasets.Builder, c *datasets.Collection, ids []int32) {
	rows := make([][]float64, c.Len())
	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	for g := range rows {
		work.Go(func() error {
			rows[g] = m.views(trackOf(c, g), uint32(ids[g]))
			return nil
		})
	}
	_ = work.Wait()
	for g, row := range rows {
		b.Add(nil, nil, target(c, g)...)
		b.SetGlobals(row)
	}
}

// views returns the columns of a path, as often as there are [Views].
func (m *integrals) views(t track, seed uint32) []float64 {
	count := len(t.points) / t.n
	all := m.row(m.curve(t))
	for _, keep := range [][]int{every(count, 2), every(count, 4), without(count, seed)} {
		thinned := t
		if len(keep) >= min(least, count) {
			thinned = t.pick(keep)
		}
		all = append(all, m.row(m.curve(thinned))...)
	}
	return all
}
