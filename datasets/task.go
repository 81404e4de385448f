package datasets

import (
	"fmt"
	"strings"
)

// Task is what a model learns from the columns of labels.
type Task uint8

const (
	// Automatic is Classification if the labels look like classes, else Regression: one column of texts, or
	// of at most 20 different whole numbers; several columns of nothing but 0 and 1. It is an error where
	// that would be a guess: texts among numbers that are not whole, numbers with decimal commas, or a class
	// of its own for more than half of the complexes, unless there are only two classes.
	Automatic Task = iota
	// Classification has one column of classes, or several of 0 and 1.
	Classification
	// Regression has columns of numbers.
	Regression
)

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
