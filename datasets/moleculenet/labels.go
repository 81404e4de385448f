package moleculenet

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// absent are the usual ways to leave out a label.
var absent = []string{"", "NA", "N/A", "#N/A", "<NA>", "NaN", "null", "None"}

// missing reports whether a label is one of absent, in upper or lower case.
func missing(label string) bool {
	return slices.ContainsFunc(absent, func(s string) bool { return strings.EqualFold(s, label) })
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

// fail returns an error about a text.
func (l *labels) fail(text int, format string, args ...any) error {
	return fmt.Errorf("%s, line %d, column %q: the label %.40s %s", l.name, l.lines[text], l.column,
		l.texts[text], fmt.Sprintf(format, args...))
}

// numbers are the texts of a column read as numbers.
type numbers struct {
	values []float64
	// The first text that is not a finite number, the first number that is not whole, and the first whole
	// number from 2⁵³ on, where floats do not tell all apart; -1 if there is none.
	odd, fraction, large int
}

// numbers reads all texts.
func (l *labels) numbers() numbers {
	n := numbers{make([]float64, len(l.texts)), -1, -1, -1}
	first := func(place *int, i int) {
		if *place < 0 {
			*place = i
		}
	}
	for i, text := range l.texts {
		v, err := strconv.ParseFloat(text, 64)
		n.values[i] = v
		tooLarge := errors.Is(err, strconv.ErrRange)
		switch {
		case err != nil && !tooLarge, math.IsInf(v, 0) && !tooLarge:
			first(&n.odd, i)
		case v != math.Trunc(v):
			first(&n.fraction, i)
		case math.Abs(v) >= 1<<53:
			first(&n.large, i)
		}
	}
	return n
}

// decimalComma reports whether a text is a number whose one comma may stand for a decimal point.
func decimalComma(text string) bool {
	if strings.Count(text, ",") != 1 {
		return false
	}
	_, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	return err == nil
}

// commas returns the first number with a decimal comma if more than half of the texts are such, else -1.
func (l *labels) commas() int {
	count := 0
	for _, text := range l.texts {
		if decimalComma(text) {
			count++
		}
	}
	if 2*count <= len(l.texts) {
		return -1
	}
	return slices.IndexFunc(l.texts, decimalComma)
}

// classes returns the names of the classes, ascending, and the class number of every molecule. Labels that
// are all whole numbers below 2⁵³ are compared as such. It is an error if all are numbers, but some are not
// whole.
func (l *labels) classes() (names []string, of []int32, err error) {
	n := l.numbers()
	if n.odd < 0 && n.fraction >= 0 {
		return nil, nil, l.fail(n.fraction, "is not whole: classes are whole numbers or texts, so name "+
			"another column, or ask for a regression")
	}
	asNumbers := n.odd < 0 && n.large < 0
	if asNumbers {
		for i, v := range n.values {
			l.texts[i] = strconv.FormatInt(int64(v), 10)
		}
	}
	order := make([]int, len(l.texts))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if asNumbers {
			return cmp.Compare(n.values[a], n.values[b])
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
