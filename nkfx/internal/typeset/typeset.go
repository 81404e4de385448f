// Package typeset writes numbers as books do.
package typeset

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	// negative is the hyphen of a negative number, not that of "1-form".
	negative = regexp.MustCompile(`(^|[\s(=])-(\d)`)
	// exponent is how Go writes powers of ten.
	exponent = regexp.MustCompile(`(\d)e([+-]\d\d+)\b`)
)

// Digits are the digits and a minus sign as they stand on the line, and in the same order Raised and Lowered.
const (
	Digits  = "0123456789−"
	Raised  = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
	Lowered = "₀₁₂₃₄₅₆₇₈₉₋"
)

// Text returns a text with true minus signs and powers of ten: −1·10⁻⁵ for -1e-05.
func Text(text string) string {
	text = exponent.ReplaceAllStringFunc(text, func(match string) string {
		parts := exponent.FindStringSubmatch(match)
		power, _ := strconv.Atoi(parts[2]) // which is an integer
		return parts[1] + "·" + Power(power)
	})
	return negative.ReplaceAllString(text, "${1}−${2}")
}

// Power returns a power of ten: 10⁻⁵.
func Power(power int) string { return "10" + written(power, Raised) }

// Subscript returns a number below the line: ₁₂.
func Subscript(n int) string { return written(n, Lowered) }

// written returns a number in other digits.
func written(n int, digits string) string {
	plain, other := []rune(Digits), []rune(digits)
	return strings.Map(func(r rune) rune {
		return other[slices.Index(plain, r)]
	}, strings.Replace(strconv.Itoa(n), "-", "−", 1))
}
