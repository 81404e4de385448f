package signature

import (
	"fmt"
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
)

// prefixes are the different prefixes of words, level by level: each is its
// parent, a prefix with a letter less, and its last letter.
type prefixes struct {
	levels []level
	empty  bool  // whether the empty word is one of the words
	order  []int // of the words among the empty one, if it is one, and all prefixes
}

// level holds the prefixes of one length.
type level struct{ parents, letters []int }

// newPrefixes collects the prefixes of words.
func newPrefixes(words []Word) *prefixes {
	p := &prefixes{}
	deepest := 1 // the level of single letters shapes the results
	for _, w := range words {
		deepest = max(deepest, len(w))
		p.empty = p.empty || len(w) == 0
	}
	p.levels = make([]level, deepest)
	at := map[string]int{"[]": 0} // place within its level
	for k := range p.levels {
		l := &p.levels[k]
		for _, w := range words {
			if len(w) <= k {
				continue
			}
			name := fmt.Sprint([]int(w[:k+1]))
			if _, known := at[name]; !known {
				at[name] = len(l.letters)
				l.parents = append(l.parents, at[fmt.Sprint([]int(w[:k]))])
				l.letters = append(l.letters, w[k])
			}
		}
	}
	if len(p.levels[0].letters) == 0 { // nothing but empty words
		p.levels[0].letters = []int{0}
	}
	before := make([]int, deepest+1) // place of the first prefix of a length
	if p.empty {
		before[1] = 1
	}
	for k := 2; k <= deepest; k++ {
		before[k] = before[k-1] + len(p.levels[k-2].letters)
	}
	for _, w := range words {
		place := 0
		if len(w) > 0 {
			place = before[len(w)] + at[fmt.Sprint([]int(w))]
		}
		p.order = append(p.order, place)
	}
	return p
}

// times returns the products of parents and letters, [..., prefixes], from
// parents [..., P] and letters [..., ℓ]. Where all parents have the same
// letters it is an outer product.
func times(parents, letters *Node, l level) *Node {
	children := 1
	for children < len(l.parents) && l.parents[children] == l.parents[0] {
		children++
	}
	outer := len(l.parents)%children == 0
	for i := range l.parents {
		outer = outer && l.parents[i] == l.parents[i-i%children] && l.letters[i] == l.letters[i%children]
	}
	if !outer || children == 1 {
		return Mul(pick(parents, l.parents), pick(letters, l.letters))
	}
	var of []int
	for i := 0; i < len(l.parents); i += children {
		of = append(of, l.parents[i])
	}
	x := Mul(ExpandAxes(pick(parents, of), -1), ExpandAxes(pick(letters, l.letters[:children]), -2))
	return Reshape(x, append(slices.Clone(parents.Shape().Dimensions[:parents.Rank()-1]), -1)...)
}

// pick returns the columns of x with these numbers. Runs of them are sliced:
// the gradient of a gather would scatter.
func pick(x *Node, columns []int) *Node {
	width := x.Shape().Dimensions[x.Rank()-1]
	var runs []*Node
	for from := 0; from < len(columns); {
		to := from + 1
		for to < len(columns) && columns[to] == columns[to-1]+1 {
			to++
		}
		if to-from == width {
			runs = append(runs, x)
		} else {
			runs = append(runs, SliceAxis(x, -1, AxisRange(columns[from], columns[to-1]+1)))
		}
		from = to
	}
	return Concatenate(runs, -1)
}
