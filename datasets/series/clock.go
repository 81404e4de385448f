package series

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/datasets/internal/text"
)

// named are the periods with a name, in seconds: a day, and the mean year of the Gregorian calendar.
var named = map[string]float64{"day": 86_400, "year": 365.2425 * 86_400}

// period returns the length of a period of [Columns.Clock].
func period(spelled string) (float64, error) {
	if length, ok := named[spelled]; ok {
		return length, nil
	}
	length, err := text.Number(spelled)
	if err != nil || !(length > 0) || math.IsInf(length, 0) {
		return 0, fmt.Errorf("%.40q is not a period of a clock: take day, year, or a positive number in the "+
			"unit of the times", spelled)
	}
	return length, nil
}

// takeClock adds the coordinates of the clock to the header. It is an error if a track has no times, or if
// times are numbers and a period is one of dates.
func (r *reader) takeClock() error {
	s, clock := &r.set, r.columns.Clock
	if len(clock) == 0 {
		return nil
	}
	for _, p := range r.paths {
		if p.times == nil {
			return fmt.Errorf("%s, line %d: a clock needs the time of each observation, but this track does "+
				"not have it: name the times, or take no clock", p.file, p.line)
		}
		if err := r.count(2 * len(clock) * len(p.times)); err != nil {
			return err
		}
	}
	s.Clock = clock
	for _, name := range clock {
		if named[name] > 0 && !r.dates {
			return fmt.Errorf("the clock has the period %q, but the times in %q are numbers: give the "+
				"period in their unit, for example 86400 for a day in seconds", name, s.Time)
		}
		for _, part := range []string{name + " cos", name + " sin"} {
			if slices.Contains(s.Coordinates, part) {
				return fmt.Errorf("two coordinates are called %q: name each period of the clock once, and "+
					"columns otherwise", part)
			}
			s.Coordinates, s.Units = slices.Concat(s.Coordinates, []string{part}), append(s.Units, "")
		}
	}
	return nil
}

// wind appends the coordinates of a clock of the given periods, the cosine and the sine of each, and then
// lets times begin at 0.
func (t *track) wind(periods []float64) {
	wound := track{n: t.n + 2*len(periods)}
	wound.points = make([]float64, 0, wound.n*len(t.times))
	for i, at := range t.times {
		wound.points = append(wound.points, t.row(i)...)
		for _, period := range periods {
			// The remainder is exact; the angle to a date of this century would lose five digits.
			sin, cos := math.Sincos(2 * math.Pi * (math.Mod(at, period) / period))
			wound.points = append(wound.points, cos, sin)
		}
		wound.times = append(wound.times, at-t.times[0])
	}
	*t = wound
}

// hands returns the number of coordinates of the clock, which are the last ones.
func (h Header) hands() int { return 2 * len(h.Clock) }

// round gives two coordinates of a plane or three of the sphere the same scale, so that shapes are kept.
func round(scales []float64) {
	common := floats.Norm(scales, 2) / math.Sqrt2
	for j := range scales {
		scales[j] = common
	}
}
