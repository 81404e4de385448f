package moleculenet

import (
	"fmt"

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
	values, err := l.Targets(m.Task)
	for g, v := range values {
		m.Targets[g*tasks+task] = float32(v)
	}
	return err
}
