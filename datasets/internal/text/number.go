package text

import (
	"strconv"
	"strings"
)

// Number returns the number that a text spells, as strconv.ParseFloat does, but of decimal numbers alone:
// an optional sign, digits with at most one point among or beside them, and an optional power of ten, as in
// -12, +.5, 3. and 6.02e23. The words nan, inf and infinity, in upper or lower case and the latter two with
// an optional sign, are what they say: callers refuse them where they have no meaning.
//
// It is strconv.ErrRange, with the infinity of that sign, if a number is too large for 64 bits, and
// strconv.ErrSyntax for every other text. Go's 1_0 and 0x1p3 are among these: no other program writes a 10
// or an 8 like that.
func Number(s string) (float64, error) {
	if strings.ContainsAny(s, "_xX") {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(s, 64)
}
