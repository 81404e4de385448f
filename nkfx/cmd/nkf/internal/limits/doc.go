// Package limits ends the program with a sentence where the limits of the process leave less than the
// runtime of Go needs, which would abort. It is imported for this side effect.
package limits
