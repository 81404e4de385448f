package signature

import "slices"

// Word names an iterated integral by the numbers of its forms, the innermost
// first: Word{0, 2} is ∫∫_{s<t} ω_0(s) ω_2(t). The empty word is the number
// one.
type Word []int

// Words returns all words of 1 to depth letters below the given number, by
// length and then lexicographically: the order of the entries of a signature.
// It panics if there are more than 2²⁴, as [Entries] does.
func Words(letters, depth int) []Word {
	words := make([]Word, 0, Entries(letters, depth))
	last := []Word{{}}
	for range depth {
		var next []Word
		for _, w := range last {
			for a := range letters {
				next = append(next, append(slices.Clone(w), a))
			}
		}
		words = append(words, next...)
		last = next
	}
	return words
}

// Lyndon returns the Lyndon words of 1 to depth letters below the given
// number, by length and then lexicographically: the words that are smaller
// than all their proper suffixes. There are as many of a length as the free Lie
// algebra has dimensions, and their coefficients in the logarithm of a
// signature determine it (Reutenauer, Free Lie Algebras, 1993, chapters 4 and
// 5). It panics if the signature has more than 2²⁴ entries, as [Entries] does.
func Lyndon(letters, depth int) []Word {
	Entries(letters, depth) // panics if there are too many
	var words []Word
	// Duval, Génération d'une section des classes de conjugaison et arbre des
	// mots de Lyndon de longueur bornée, Theoret. Comput. Sci. 60, 1988.
	for w := (Word{-1}); len(w) > 0 && letters > 0 && depth > 0; {
		w[len(w)-1]++
		words = append(words, slices.Clone(w))
		for i := 0; len(w) < depth; i++ {
			w = append(w, w[i])
		}
		for len(w) > 0 && w[len(w)-1] == letters-1 {
			w = w[:len(w)-1]
		}
	}
	slices.SortStableFunc(words, func(a, b Word) int { return len(a) - len(b) })
	return words
}
