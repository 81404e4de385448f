package moleculenet

import (
	"fmt"
	"math"

	"github.com/dustin/go-humanize/english"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/internal/table"
)

// setLabels sets the classes or targets of the molecules.
func (m *Molecules) setLabels(columns []table.Labels, task datasets.Task) (err error) {
	if m.Task = task; task == datasets.Automatic {
		if m.Task, err = table.Choose(columns); err != nil {
			return err
		}
	}
	switch {
	case m.Task > datasets.Regression:
		return fmt.Errorf("%v is no task: take Automatic, Classification or Regression", task)
	case m.Task == datasets.Classification && len(columns) == 1:
		if m.Classes, m.Labels, err = columns[0].Classes(); err != nil || task == datasets.Classification {
			return err
		}
		return m.tooMany(&columns[0])
	}
	m.Labels, m.Targets = make([]int32, m.Len()), make([]float32, len(columns)*m.Len())
	for t := range columns {
		m.Tasks = append(m.Tasks, columns[t].Column)
		if err := m.setTargets(&columns[t], t, len(columns)); err != nil {
			return err
		}
	}
	return nil
}

// tooMany returns an error if most molecules have a class of their own, from which nothing can be learned.
// Two classes are never too many.
func (m *Molecules) tooMany(l *table.Labels) error {
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
		"column, or ask for --task regression or --task classification", l.Name, l.Column,
		english.Plural(len(size), "class", ""), english.Plural(m.Len(), "molecule", ""), alone,
		map[bool]string{true: "has", false: "have"}[alone == 1])
}

// setTargets fills a column of the targets.
func (m *Molecules) setTargets(l *table.Labels, task, tasks int) error {
	if len(l.Texts) == 0 {
		return fmt.Errorf("%s: column %q has no label for any molecule: leave it out", l.Name, l.Column)
	}
	n := l.Numbers()
	for i, v := range n.Values {
		switch {
		case m.Task == datasets.Classification && (n.Odd == i || v != 0 && v != 1):
			return l.Fail(i, "is neither 0 nor 1, which several columns of classes must hold: name one "+
				"column, write 0 and 1, or ask for a regression")
		case n.Odd == i && table.DecimalComma(l.Texts[i]):
			return l.Fail(i, table.DecimalPoints)
		case n.Odd == i, math.IsInf(float64(float32(v)), 0):
			return l.Fail(i, "is not a number that 32 bits can hold: correct it, or write nothing if there "+
				"is none")
		}
	}
	for g, i := range l.Of {
		value := float32(math.NaN())
		if i >= 0 {
			value = float32(n.Values[i])
		}
		m.Targets[g*tasks+task] = value
	}
	return nil
}
