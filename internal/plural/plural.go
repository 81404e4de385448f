// Package plural counts in words.
package plural

import (
	"fmt"
	"strings"
)

// Of returns the number with the noun: "1 fold", "2 folds", "0 classes".
func Of(n int, noun string) string { return fmt.Sprintf("%d %s", n, Word(n, noun)) }

// Word returns the noun as it stands after the number: "fold", "folds".
func Word(n int, noun string) string {
	switch {
	case n == 1:
		return noun
	case strings.HasSuffix(noun, "s"), strings.HasSuffix(noun, "x"), strings.HasSuffix(noun, "ch"):
		return noun + "es"
	}
	return noun + "s"
}
