// Package typeset writes numbers as books do.
package typeset

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	// negative is the hyphen of a negative number, not that of "1-form".
	negative = regexp.MustCompile(`(^|[\s(=])-(\d)`)
	// exponent is how Go writes powers of ten.
	exponent = regexp.MustCompile(`(\d)e([+-]\d\d+)\b`)
	// raised are the characters of an exponent.
	raised = strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵",
		"6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")
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
func Power(power int) string { return "10" + raised.Replace(strconv.Itoa(power)) }
