package figures

import (
	"math"
	"regexp"
	"strconv"

	"gonum.org/v1/plot"
)

// ticks marks an axis at multiples of 1, 2 or 5 times a power of ten, three to
// six of them.
type ticks struct{}

// Ticks returns the marks between two numbers.
func (ticks) Ticks(low, high float64) []plot.Tick {
	if !(low < high) || math.IsInf(high-low, 0) {
		return nil
	}
	step, power := spacing(high - low)
	format, digits := byte('f'), int(math.Max(0, -power))
	if math.Abs(power) > 4 {
		format, digits = 'g', 3
	}
	var out []plot.Tick
	const slack = 1e-9 // a mark at the very end is not lost to rounding
	for i := math.Ceil(low/step - slack); i <= high/step+slack; i++ {
		v := i*step + 0 // zero has no sign
		label := strconv.FormatFloat(v, format, digits, 64)
		out = append(out, plot.Tick{Value: v, Label: typeset(label)})
	}
	return out
}

// spacing returns the smallest distance of marks with which no more than six
// are in a range, and its power of ten.
func spacing(length float64) (step, power float64) {
	for power = math.Floor(math.Log10(length / 5)); ; power++ {
		for _, factor := range []float64{1, 2, 5} {
			if step = factor * math.Pow(10, power); length/step <= 5 {
				return step, power
			}
		}
	}
}

// counts marks a logarithmic axis of counts, as thousands and millions: at 1, 2
// and 5 times the powers of ten, or evenly where that were few.
type counts struct{}

// Ticks returns the marks between two numbers.
func (counts) Ticks(low, high float64) []plot.Tick {
	if !(0 < low && low < high) || math.IsInf(high, 0) {
		return nil
	}
	var out []plot.Tick
	if high < 5*low {
		for _, tick := range (ticks{}).Ticks(low, high) {
			out = append(out, plot.Tick{Value: tick.Value, Label: count(tick.Value)})
		}
		return out
	}
	for power := math.Floor(math.Log10(low)); math.Pow(10, power) <= high; power++ {
		for _, factor := range []float64{1, 2, 5} {
			v := factor * math.Pow(10, power)
			if v < low || v > high {
				continue
			}
			tick := plot.Tick{Value: v, Label: count(v)}
			// Over several decades there is room for their powers alone.
			if factor > 1 && high > 100*low {
				tick.Label = ""
			}
			out = append(out, tick)
		}
	}
	return out
}

// count writes a number as thousands or millions.
func count(v float64) string {
	unit := ""
	switch {
	case v >= 1e6:
		v, unit = v/1e6, "M"
	case v >= 1e3:
		v, unit = v/1e3, "K"
	}
	return strconv.FormatFloat(v, 'g', 4, 64) + unit
}

// cellNames names the cells of a matrix along an axis.
type cellNames []string

// Ticks returns a mark at the middle of every cell.
func (n cellNames) Ticks(_, _ float64) []plot.Tick {
	var out []plot.Tick
	for i, name := range n {
		out = append(out, plot.Tick{Value: float64(i) + 0.5, Label: name})
	}
	return out
}

// numbered returns the names of so many cells: all if there are few, else the
// first and the last.
func numbered(symbol string, count int) cellNames {
	names := make(cellNames, count)
	for i := range names {
		if count <= 20 || i == 0 || i+1 == count {
			names[i] = symbol + subscript(i)
		}
	}
	return names
}

// negative is the hyphen of a negative number, not that of "1-form".
var negative = regexp.MustCompile(`(^|[\s(=e])-(\d)`)

// typeset writes negative numbers with a true minus sign.
func typeset(text string) string { return negative.ReplaceAllString(text, "${1}−${2}") }
