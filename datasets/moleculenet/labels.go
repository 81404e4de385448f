package moleculenet

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// missing reports whether a label stands for none, by the usual ways to write that.
func missing(label string) bool {
	switch label {
	case "", "NA", "N/A", "n/a", "<NA>", "NaN", "nan", "NULL", "null", "None":
		return true
	}
	return false
}

// labels collects the labels of a column.
type labels struct {
	name, column string // of the file and the column, for errors
	texts        []string
	number       map[string]int32 // place in texts
	lines        []int            // where each text stands first
	of           []int32          // [G]: place in texts; -1 where a label is missing
}

// add appends the label in a line.
func (l *labels) add(text string, line int) {
	if missing(text) {
		l.of = append(l.of, -1)
		return
	}
	at, ok := l.number[text]
	if !ok {
		if l.number == nil {
			l.number = map[string]int32{}
		}
		at = int32(len(l.texts))
		l.number[text] = at
		l.texts = append(l.texts, text)
		l.lines = append(l.lines, line)
	}
	l.of = append(l.of, at)
}

// fail returns an error about the text of that number.
func (l *labels) fail(text int, format string, args ...any) error {
	return fmt.Errorf("%s, line %d, column %q: the label %.40s %s", l.name, l.lines[text], l.column,
		l.texts[text], fmt.Sprintf(format, args...))
}

// numbers returns the value of every text. odd is the first text that is no number, fraction the first that
// is no whole one; both are negative where there is none. Whole numbers past 2⁵³ count as texts, because
// floats do not tell them apart.
func (l *labels) numbers() (values []float64, odd, fraction int) {
	values, odd, fraction = make([]float64, len(l.texts)), -1, -1
	for i, text := range l.texts {
		v, err := strconv.ParseFloat(text, 64)
		if odd < 0 && (err != nil || v == math.Trunc(v) && math.Abs(v) >= 1<<53) {
			odd = i
		}
		if values[i] = v; fraction < 0 && v != math.Trunc(v) {
			fraction = i
		}
	}
	return values, odd, fraction
}

// classes returns the names of the classes, ascending, and the class number of every molecule. Labels that
// are all whole numbers are compared as such. It is an error if all are numbers, but some are not whole.
func (l *labels) classes() (names []string, of []int32, err error) {
	values, odd, fraction := l.numbers()
	if odd < 0 && fraction >= 0 {
		return nil, nil, l.fail(fraction, "is not whole: classes are whole numbers or texts, so name "+
			"another column, or ask for a regression")
	}
	if odd < 0 {
		for i, v := range values {
			l.texts[i] = strconv.FormatInt(int64(v), 10)
		}
	}
	order := make([]int, len(l.texts))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if odd < 0 {
			return cmp.Compare(values[a], values[b])
		}
		return cmp.Compare(l.texts[a], l.texts[b])
	})
	class := make([]int32, len(order))
	for _, i := range order {
		// Numbers may be written in several ways.
		if len(names) == 0 || names[len(names)-1] != l.texts[i] {
			names = append(names, l.texts[i])
		}
		class[i] = int32(len(names) - 1)
	}
	for _, i := range l.of {
		of = append(of, class[i])
	}
	return names, of, nil
}
