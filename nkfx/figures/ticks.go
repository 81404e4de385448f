package figures

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"

	"github.com/neuralkforms/nkf/nkfx/internal/typeset"
)

// ticks marks multiples of 1, 2 or 5 times a power of ten, at most six, with as few decimals as tell
// them apart.
type ticks struct{}

// Ticks returns the marks between two numbers.
func (ticks) Ticks(low, high float64) (marks []plot.Tick) {
	if !(low < high) || math.IsInf(high-low, 0) {
		return nil
	}
	step, parts := stepOf(low, high)
	first := math.Ceil(parts*low/step - rounding)
	for n := range int(parts*high/step+rounding-first) + 1 {
		i := first + float64(n)
		mark := plot.Tick{Value: min(max(i/parts*step, low), high)} // or an axis would drop its ends
		if math.Mod(i, parts) == 0 {
			mark.Label = tickLabel(i/parts*step, step, max(math.Abs(low), math.Abs(high)))
		}
		marks = append(marks, mark)
	}
	return marks
}

// rounding is how far a multiple of a step may be off, in steps.
const rounding = 1e-9

// stepOf returns the least distance of marks that leaves at most six, and in how many parts it is cut.
func stepOf(low, high float64) (step, parts float64) {
	for power := math.Floor(math.Log10(high-low)) - 1; ; power++ {
		for _, s := range []struct{ digit, parts float64 }{{1, 5}, {2, 4}, {5, 5}} {
			step := s.digit * math.Pow(10, power)
			if math.Floor(high/step+rounding)-math.Ceil(low/step-rounding) < 6 {
				return step, s.parts
			}
		}
	}
}

// tickLabel writes a multiple of step, with a common power of ten where all numbers are below 0.001 or some
// are above a million.
func tickLabel(value, step, largest float64) string {
	digits := math.Floor(math.Log10(step) + rounding) // of the step, 0 for 1 to 9
	power := 0.0
	if largest < 1e-3 || largest >= 1e6 {
		power = math.Floor(math.Log10(largest) + rounding)
	}
	text := typeset.Text(strconv.FormatFloat(value/math.Pow(10, power)+0, 'f', int(max(0, power-digits)), 64))
	switch {
	case power == 0:
		return text
	case value == 0:
		return "0"
	}
	return text + "·" + typeset.Power(int(power))
}

// powers marks a logarithmic axis at powers of ten, or as other axes where it has fewer than two.
type powers struct{}

// Ticks returns the marks between two numbers.
func (powers) Ticks(low, high float64) []plot.Tick {
	marks := slices.DeleteFunc(plot.LogTicks{Prec: -1}.Ticks(low, high), func(mark plot.Tick) bool {
		return mark.Value < low || mark.Value > high
	})
	count := 0
	for i, mark := range marks {
		if mark.IsMinor() {
			continue
		}
		count++
		marks[i].Label = strconv.FormatFloat(mark.Value, 'g', 4, 64)
		if low < 1e-3 || high > 1e4 {
			marks[i].Label = typeset.Power(int(math.Round(math.Log10(mark.Value))))
		}
	}
	if count < 2 {
		return ticks{}.Ticks(low, high)
	}
	return marks
}

// counts marks a logarithmic axis of counts, as thousands and millions: at powers of ten, or evenly
// where these are few.
type counts struct{}

// Ticks returns the marks between two numbers.
func (counts) Ticks(low, high float64) []plot.Tick {
	marks := ticks{}.Ticks(low, high)
	if high >= 100*low {
		marks = plot.LogTicks{Prec: -1}.Ticks(low, high)
	}
	for i, mark := range marks {
		if !mark.IsMinor() {
			marks[i].Label = count(mark.Value)
		}
	}
	return marks
}

// count writes a number as thousands or millions.
func count(v float64) string {
	switch {
	case v >= 1e6:
		return strconv.FormatFloat(v/1e6, 'g', 4, 64) + "M"
	case v >= 1e3:
		return strconv.FormatFloat(v/1e3, 'g', 4, 64) + "K"
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
