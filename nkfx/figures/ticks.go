package figures

import (
	"math"
	"regexp"
	"strconv"

	"gonum.org/v1/plot"
)

// ticks are those of gonum/plot, with true minus signs.
type ticks struct{}

// Ticks returns the marks between two numbers.
func (ticks) Ticks(low, high float64) []plot.Tick {
	if !(low < high) {
		return nil
	}
	marks := plot.DefaultTicks{}.Ticks(low, high)
	for i := range marks {
		marks[i].Label = typeset(marks[i].Label)
	}
	return marks
}

// counts marks a logarithmic axis of counts, as thousands and millions: at 1, 2 and 5 times the powers
// of ten, or evenly where those are few.
type counts struct{}

// Ticks returns the marks between two numbers.
func (counts) Ticks(low, high float64) (out []plot.Tick) {
	if !(0 < low && low < high) {
		return nil
	}
	if high < 5*low {
		out = ticks{}.Ticks(low, high)
		for i, tick := range out {
			if !tick.IsMinor() {
				out[i].Label = count(tick.Value)
			}
		}
		return out
	}
	for power := math.Pow(10, math.Floor(math.Log10(low))); power <= high; power *= 10 {
		for _, factor := range []float64{1, 2, 5} {
			v, label := factor*power, ""
			// Over several decades there is room for the powers alone.
			if factor == 1 || high <= 100*low {
				label = count(v)
			}
			if low <= v && v <= high {
				out = append(out, plot.Tick{Value: v, Label: label})
			}
		}
	}
	return out
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

// negative is the hyphen of a negative number, not that of "1-form".
var negative = regexp.MustCompile(`(^|[\s(=e])-(\d)`)

// typeset writes negative numbers with a true minus sign.
func typeset(text string) string { return negative.ReplaceAllString(text, "${1}−${2}") }
