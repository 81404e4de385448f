package moleculenet

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
)

// Task is what a model learns from the columns of labels.
type Task uint8

const (
	// Automatic is Classification if the labels look like classes, else Regression: one column of texts, or
	// of at most 20 different whole numbers; several columns of nothing but 0 and 1. It is an error where
	// that would be a guess: texts among numbers that are not whole, numbers with decimal commas, or a class
	// of its own for more than half of the molecules, unless there are only two classes.
	Automatic Task = iota
	// Classification has one column of classes, or several of 0 and 1.
	Classification
	// Regression has columns of numbers.
	Regression
)

// mostClasses is how many different whole numbers look like classes rather than counts.
const mostClasses = 20

var taskNames = []string{"automatic", "classification", "regression"}

// ParseTask returns the task of that name.
func ParseTask(s string) (Task, error) {
	for i, name := range taskNames {
		if s == name {
			return Task(i), nil
		}
	}
	return 0, fmt.Errorf("no task %q: take %s", s, strings.Join(taskNames, ", "))
}

// String returns the name that ParseTask takes.
func (t Task) String() string {
	if int(t) < len(taskNames) {
		return taskNames[t]
	}
	return fmt.Sprintf("Task(%d)", uint8(t))
}

// choose guesses the task. Labels most of which look like numbers are an error.
func choose(columns []labels) (Task, error) {
	task := Classification
	for i := range columns {
		l := &columns[i]
		n := l.numbers()
		if err := l.spoilt(n, len(columns) == 1); err != nil {
			return Automatic, err
		}
		measured := n.fraction >= 0 || len(n.values) > mostClasses
		if len(columns) > 1 {
			measured = slices.ContainsFunc(n.values, func(v float64) bool { return v != 0 && v != 1 })
		}
		if n.odd < 0 && measured {
			task = Regression
		}
	}
	return task, nil
}

// spoilt returns an error if a text spoils a column of numbers that are not whole, which would turn a
// regression into a classification.
func (l *labels) spoilt(n numbers, canBeClasses bool) error {
	otherwise := ""
	if canBeClasses {
		otherwise = ", or ask for --task classification"
	}
	if i := l.commas(); i >= 0 {
		return l.fail(i, "%s%s", decimalPoints, otherwise)
	}
	if n.odd >= 0 && n.fraction >= 0 {
		return l.fail(n.odd, "is no number, while others are numbers that are not whole: correct it, write "+
			"nothing if there is none%s", otherwise)
	}
	return nil
}

// decimalPoints explains a number with a comma.
const decimalPoints = "has a comma: write numbers with decimal points, and with nothing between thousands"

// setLabels sets the classes or targets of the molecules.
func (m *Molecules) setLabels(columns []labels, task Task) (err error) {
	if m.Task = task; task == Automatic {
		if m.Task, err = choose(columns); err != nil {
			return err
		}
	}
	switch {
	case m.Task > Regression:
		return fmt.Errorf("%v is no task: take Automatic, Classification or Regression", task)
	case m.Task == Classification && len(columns) == 1:
		if m.Classes, m.Labels, err = columns[0].classes(); err != nil || task == Classification {
			return err
		}
		return m.tooMany(&columns[0])
	}
	m.Labels, m.Targets = make([]int32, m.Len()), make([]float32, len(columns)*m.Len())
	for t := range columns {
		m.Tasks = append(m.Tasks, columns[t].column)
		if err := m.setTargets(&columns[t], t, len(columns)); err != nil {
			return err
		}
	}
	return nil
}

// tooMany returns an error if most molecules have a class of their own, from which nothing can be learned.
// Two classes are never too many.
func (m *Molecules) tooMany(l *labels) error {
	size, alone := make([]int, len(m.Classes)), 0
	for _, class := range m.Labels {
		size[class]++
	}
	for _, s := range size {
		if s == 1 {
			alone++
		}
	}
	if len(size) <= 2 || 2*alone <= m.Len() {
		return nil
	}
	return fmt.Errorf("%s: column %q has %s for %s, and %d of these %s a class of their own: name another "+
		"column, or ask for --task regression or --task classification", l.name, l.column,
		english.Plural(len(size), "class", ""), english.Plural(m.Len(), "molecule", ""), alone,
		map[bool]string{true: "has", false: "have"}[alone == 1])
}

// setTargets fills a column of the targets.
func (m *Molecules) setTargets(l *labels, task, tasks int) error {
	if len(l.texts) == 0 {
		return fmt.Errorf("%s: column %q has no label for any molecule: leave it out", l.name, l.column)
	}
	n := l.numbers()
	for i, v := range n.values {
		switch {
		case m.Task == Classification && (n.odd == i || v != 0 && v != 1):
			return l.fail(i, "is neither 0 nor 1, which several columns of classes must hold: name one "+
				"column, write 0 and 1, or ask for a regression")
		case n.odd == i && decimalComma(l.texts[i]):
			return l.fail(i, decimalPoints)
		case n.odd == i, math.IsInf(float64(float32(v)), 0):
			return l.fail(i, "is not a number that 32 bits can hold: correct it, or write nothing if there "+
				"is none")
		}
	}
	for g, i := range l.of {
		value := float32(math.NaN())
		if i >= 0 {
			value = float32(n.values[i])
		}
		m.Targets[g*tasks+task] = value
	}
	return nil
}
