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
	of           []int32          // [G]: place in texts
}

// add appends the label in a line.
func (l *labels) add(text string, line int) {
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

// classes returns the names of the classes, ascending, and the class number of every molecule. Labels that
// are all whole numbers are compared as such. It is an error if all are numbers, but some are not whole.
func (l *labels) classes() (names []string, of []int32, err error) {
	values := make([]float64, len(l.texts))
	numbers, odd := true, -1
	for i, text := range l.texts {
		v, err := strconv.ParseFloat(text, 64)
		// Whole numbers past 2⁵³ are texts, because floats do not tell them apart.
		numbers = numbers && err == nil && math.Abs(v) < 1<<53
		if values[i] = v; odd < 0 && v != math.Trunc(v) {
			odd = i
		}
	}
	if numbers && odd >= 0 {
		return nil, nil, fmt.Errorf("%s, line %d, column %q: the label %s is not whole: classes are whole "+
			"numbers or texts, so name another column", l.name, l.lines[odd], l.column, l.texts[odd])
	}
	if numbers {
		for i, v := range values {
			l.texts[i] = strconv.FormatInt(int64(v), 10)
		}
	}
	order := make([]int, len(l.texts))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if numbers {
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
