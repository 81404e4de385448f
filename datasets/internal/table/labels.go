package table

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/datasets/internal/text"
)

// absent are the usual ways to leave out a label or a number.
var absent = []string{"", "?", "NA", "N/A", "#N/A", "<NA>", "NaN", "null", "None"}

// Missing reports whether a label or number is one of absent, in upper or lower case.
func Missing(label string) bool {
	return slices.ContainsFunc(absent, func(s string) bool { return strings.EqualFold(s, label) })
}

// Labels collects the labels of a column.
type Labels struct {
	Name, Column string // of the file that labels are added from and of the column, for errors
	Texts        []string
	Of           []int32  // [G]: place in Texts; -1 where a label is missing
	Declared     []string // the classes, where a file declares them; set it before labels are added

	number map[string]int32 // place in Texts
	names  []string         // of the files where each text stands first
	lines  []int            // and where it does there
}

// missing reports whether a label is left out. One that is declared is not, whatever it is called.
func (l *Labels) missing(label string) bool {
	declared := func(s string) bool { return strings.EqualFold(s, label) }
	return Missing(label) && !slices.ContainsFunc(l.Declared, declared)
}

// Add appends the label in a line.
func (l *Labels) Add(label string, line int) {
	if l.missing(label) {
		l.Of = append(l.Of, -1)
		return
	}
	at, ok := l.number[label]
	if !ok {
		if l.number == nil {
			l.number = map[string]int32{}
		}
		at = int32(len(l.Texts))
		l.number[label] = at
		l.Texts = append(l.Texts, label)
		l.names, l.lines = append(l.names, l.Name), append(l.lines, line)
	}
	l.Of = append(l.Of, at)
}

// fail returns an error about a text.
func (l *Labels) fail(text int, format string, args ...any) error {
	return fmt.Errorf("%s, line %d, column %q: the label %.40s %s", l.names[text], l.lines[text], l.Column,
		l.Texts[text], fmt.Sprintf(format, args...))
}

// Numbers are the texts of a column read as numbers.
type Numbers struct {
	Values []float64
	// The first text that is not a finite number, the first number that is not whole, and the first whole
	// number from 2⁵³ on, where floats cannot represent all of them; -1 if there is none.
	Odd, Fraction, Large int
}

// Numbers reads all texts.
func (l *Labels) Numbers() Numbers {
	n := Numbers{make([]float64, len(l.Texts)), -1, -1, -1}
	first := func(place *int, i int) {
		if *place < 0 {
			*place = i
		}
	}
	for i, spelled := range l.Texts {
		v, err := text.Number(spelled)
		n.Values[i] = v
		tooLarge := errors.Is(err, strconv.ErrRange)
		switch {
		case err != nil && !tooLarge, math.IsInf(v, 0) && !tooLarge:
			first(&n.Odd, i)
		case v != math.Trunc(v):
			first(&n.Fraction, i)
		case math.Abs(v) >= 1<<53:
			first(&n.Large, i)
		}
	}
	return n
}

// decimalComma reports whether a label is a number whose one comma may stand for a decimal point.
func decimalComma(label string) bool {
	if strings.Count(label, ",") != 1 {
		return false
	}
	_, err := text.Number(strings.Replace(label, ",", ".", 1))
	return err == nil
}

// commas returns the first number with a decimal comma if more than half of the texts are such, else -1.
func (l *Labels) commas() int {
	count := 0
	for _, text := range l.Texts {
		if decimalComma(text) {
			count++
		}
	}
	if 2*count <= len(l.Texts) {
		return -1
	}
	return slices.IndexFunc(l.Texts, decimalComma)
}

// Targets returns the values of a column of numbers, NaN where a label is missing. For a classification,
// which several columns are, they are 0 and 1. It is an error if a label is another, or if there is none.
func (l *Labels) Targets(task datasets.Task) ([]float64, error) {
	if len(l.Texts) == 0 {
		return nil, fmt.Errorf("%s: column %q has no label: leave it out", l.Name, l.Column)
	}
	n := l.Numbers()
	for i, v := range n.Values {
		switch {
		case task == datasets.Classification && (n.Odd == i || v != 0 && v != 1):
			return nil, l.fail(i, "is neither 0 nor 1, which several columns of classes must hold: name one "+
				"column, write 0 and 1, or ask for a regression")
		case n.Odd == i && decimalComma(l.Texts[i]):
			return nil, l.fail(i, decimalPoints)
		case n.Odd == i, math.Abs(v) > math.MaxFloat32:
			return nil, l.fail(i, "is not a number that 32 bits can hold: correct it, or write nothing if "+
				"there is none")
		}
	}
	// They are standardized: of the spread a twentieth is noise at most.
	if i := Rounded(n.Values, 1./20); i >= 0 {
		return nil, l.fail(i, "differs from the others by too little for 32 bits: take a constant from all")
	}
	values := make([]float64, len(l.Of))
	for g, i := range l.Of {
		if values[g] = math.NaN(); i >= 0 {
			values[g] = n.Values[i]
		}
	}
	return values, nil
}

// Rounded returns the first of numbers that 32 bits cannot tell apart well, as from a far origin: one that
// rounding moves by more than a share of the range of all. It returns -1 if there is none.
func Rounded(values []float64, share float64) int {
	if len(values) == 0 {
		return -1
	}
	most := (slices.Max(values) - slices.Min(values)) * share
	return slices.IndexFunc(values, func(v float64) bool {
		return most > 0 && math.Abs(v-float64(float32(v))) > most
	})
}

// Classes returns the names of the classes, ascending, and the class number of every label, -1 where it is
// missing. Labels that are all whole numbers below 2⁵³ are compared as such. It is an error if all are
// numbers, but some are not whole. Classes that are declared stay as they are; it is an error if a label is
// none of them.
func (l *Labels) Classes() (names []string, of []int32, err error) {
	if l.Declared != nil {
		of, err = l.among(l.Declared)
		return l.Declared, of, err
	}
	n := l.Numbers()
	if n.Odd < 0 && n.Fraction >= 0 {
		return nil, nil, l.fail(n.Fraction, "is not whole: classes are whole numbers or texts, so name "+
			"another column, or ask for a regression")
	}
	asNumbers := n.Odd < 0 && n.Large < 0
	if asNumbers {
		for i, v := range n.Values {
			l.Texts[i] = strconv.FormatInt(int64(v), 10)
		}
	}
	order := make([]int, len(l.Texts))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if asNumbers {
			return cmp.Compare(n.Values[a], n.Values[b])
		}
		return cmp.Compare(l.Texts[a], l.Texts[b])
	})
	class := make([]int32, len(order))
	for _, i := range order {
		// Numbers may be written in several ways.
		if len(names) == 0 || names[len(names)-1] != l.Texts[i] {
			names = append(names, l.Texts[i])
		}
		class[i] = int32(len(names) - 1)
	}
	return names, l.spread(class), nil
}

// among returns the class number of every label among declared classes, -1 where it is missing. If all of
// these are numbers, labels are compared as such.
func (l *Labels) among(declared []string) (of []int32, err error) {
	numbers := (&Labels{Texts: declared}).Numbers()
	class := make([]int32, len(l.Texts))
	for i, label := range l.Texts {
		at := slices.Index(declared, label)
		if v, err := text.Number(label); at < 0 && err == nil && numbers.Odd < 0 {
			at = slices.Index(numbers.Values, v)
		}
		if at < 0 {
			return nil, l.fail(i, "is not among the classes that the file declares: %s",
				fileio.Quoted(declared))
		}
		class[i] = int32(at)
	}
	return l.spread(class), nil
}

// spread returns the class of every label, given that of every text; -1 where a label is missing.
func (l *Labels) spread(class []int32) []int32 {
	of := slices.Clone(l.Of)
	for g, i := range of {
		if i >= 0 {
			of[g] = class[i]
		}
	}
	return of
}

// Learn returns what columns of labels are to be learned as, which is guessed for [datasets.Automatic], and
// the targets of each row: of one column for a classification the number of its class, -1 where it is
// missing; else the values of all columns as tasks, NaN where they are missing.
func Learn(columns []Labels, task datasets.Task) (info datasets.Info, targets [][]float64, err error) {
	if task == datasets.Automatic {
		if task, err = choose(columns); err != nil {
			return info, nil, err
		}
	}
	targets = make([][]float64, len(columns[0].Of))
	if task == datasets.Classification && len(columns) == 1 {
		var classes []int32
		info.Classes, classes, err = columns[0].Classes()
		for g, class := range classes {
			targets[g] = []float64{float64(class)}
		}
		return info, targets, err
	}
	info.Regression = task == datasets.Regression
	for c := range columns {
		values, err := columns[c].Targets(task)
		if err != nil {
			return info, nil, err
		}
		info.Tasks = append(info.Tasks, columns[c].Column)
		for g, v := range values {
			targets[g] = append(targets[g], v)
		}
	}
	return info, targets, nil
}

// mostClasses is how many different whole numbers look like classes rather than counts.
const mostClasses = 20

// choose guesses the task. Labels most of which look like numbers are an error.
func choose(columns []Labels) (datasets.Task, error) {
	task := datasets.Classification
	for i := range columns {
		l := &columns[i]
		n := l.Numbers()
		if err := l.spoilt(n, len(columns) == 1); err != nil {
			return datasets.Automatic, err
		}
		measured := n.Fraction >= 0 || len(n.Values) > mostClasses
		if len(columns) > 1 {
			measured = slices.ContainsFunc(n.Values, func(v float64) bool { return v != 0 && v != 1 })
		}
		if n.Odd < 0 && measured {
			task = datasets.Regression
		}
	}
	return task, nil
}

// spoilt returns an error if a text spoils a column of numbers that are not whole, which would turn a
// regression into a classification.
func (l *Labels) spoilt(n Numbers, canBeClasses bool) error {
	otherwise := ""
	if canBeClasses {
		otherwise = ", or ask for --task classification"
	}
	if i := l.commas(); i >= 0 {
		return l.fail(i, "%s%s", decimalPoints, otherwise)
	}
	if n.Odd >= 0 && n.Fraction >= 0 {
		return l.fail(n.Odd, "is no number, while others are numbers that are not whole: correct it, write "+
			"nothing if there is none%s", otherwise)
	}
	return nil
}

// decimalPoints explains a number with a comma.
const decimalPoints = "has a comma: write numbers with decimal points, and with nothing between thousands"
