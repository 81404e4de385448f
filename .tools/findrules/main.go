// Command findrules computes the table of quadrature.Cubature, and searches for rules with fewer points.
//
//	findrules -table CUBATURE.txt       # solves the orbits that the table lists, and writes it again
//	findrules -k 3 -degree 10 -seconds 60      # prints smaller and smaller rules in the format of the table
//
// A rule of degree d on the k-simplex is a set of orbits of points under the permutations of the
// vertices, with weights that integrate every symmetric polynomial up to degree d. It then integrates all
// others as well, since averaging over the permutations changes neither side. It is not known which orbits
// have a solution: the search tries random starts for all choices with as many unknowns as
// equations or a few more, the smallest first (Witherden and Vincent, On the identification of
// symmetric quadrature rules for finite element methods, Comput. Math. Appl. 69, 2015).
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"
)

func main() {
	k := flag.Int("k", 2, "dimension of the simplex")
	degree := flag.Int("degree", 5, "degree to which the rule is to be exact")
	seconds := flag.Float64("seconds", 20, "how long to search")
	seed := flag.Uint64("seed", 1, "of the random starts")
	table := flag.String("table", "", "file with a table to be computed again")
	flag.Parse()
	var err error
	if *table != "" {
		err = compute(*table)
	} else {
		err = search(os.Stdout, *k, *degree, *seed, time.Duration(*seconds*float64(time.Second)))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "findrules:", err)
		os.Exit(1)
	}
}

// compute solves for the orbits in the headings of a table and replaces the rules.
func compute(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			out.WriteString(line)
			continue
		}
		head, patterns, ok := strings.Cut(line, ":")
		if !ok {
			continue // of the rule as it was
		}
		var k, degree int
		if _, err := fmt.Sscan(head, &k, &degree); err != nil {
			return fmt.Errorf("%q: %w", line, err)
		}
		b, err := newBasis(k, degree)
		if err != nil {
			return err
		}
		r := &rule{}
		for _, pattern := range strings.Fields(patterns) {
			var o orbit
			for _, digit := range pattern {
				o = append(o, int(digit-'0'))
			}
			r.orbits = append(r.orbits, o)
		}
		if !r.find(b, rand.New(rand.NewPCG(1, 0)), 20_000) {
			return fmt.Errorf("no rule %q was found", strings.TrimSpace(line))
		}
		r.write(&out, k, degree)
	}
	return os.WriteFile(path, out.Bytes(), 0o666)
}

// write writes a rule as the table has it.
func (r *rule) write(w io.Writer, k, degree int) {
	fmt.Fprintf(w, "%d %d:", k, degree)
	for _, o := range r.orbits {
		fmt.Fprint(w, " ", strings.Trim(strings.ReplaceAll(fmt.Sprint(o), " ", ""), "[]"))
	}
	fmt.Fprintln(w)
	at := 0
	for _, o := range r.orbits {
		weight, point := o.place(r.unknowns[at:])
		fmt.Fprintf(w, "%.17g", weight/float64(o.points()))
		for _, x := range point {
			fmt.Fprintf(w, " %.17g", x)
		}
		fmt.Fprintln(w)
		at += len(o)
	}
}

// search prints rules with fewer and fewer points.
func search(w io.Writer, k, degree int, seed uint64, span time.Duration) error {
	b, err := newBasis(k, degree)
	if err != nil {
		return err
	}
	choices := combinations(k, b.size())
	rng := rand.New(rand.NewPCG(seed, 0))
	end := time.Now().Add(span)
	// More starts for all in every round, so that a good choice is not missed for a bad start.
	for tries := 1; time.Now().Before(end) && len(choices) > 0; tries *= 2 {
		for i, orbits := range choices {
			r := &rule{orbits: orbits}
			if !r.find(b, rng, tries) {
				if time.Now().After(end) {
					break
				}
				continue
			}
			fmt.Fprintf(w, "# %d points\n", r.count())
			r.write(w, k, degree)
			fewer := func(o []orbit) bool { return (&rule{orbits: o}).count() >= r.count() }
			choices = slices.DeleteFunc(choices[:i], fewer)
			break
		}
	}
	return nil
}

// combinations returns the choices of orbits on the k-simplex with as many unknowns as equations, or
// up to two more, by the number of points.
func combinations(k, equations int) [][]orbit {
	kinds := patterns(k+1, k+1)
	var choices [][]orbit
	var fill func(i, unknowns int, orbits []orbit)
	fill = func(i, unknowns int, orbits []orbit) {
		if i == len(kinds) {
			if unknowns >= equations {
				choices = append(choices, slices.Clone(orbits))
			}
			return
		}
		for c := 0; unknowns <= equations+2; c++ {
			if i == 0 && c > 1 {
				break // there is but one barycenter
			}
			fill(i+1, unknowns, orbits)
			orbits = append(slices.Clip(orbits), kinds[i])
			unknowns += len(kinds[i])
		}
	}
	fill(0, 0, nil)
	slices.SortStableFunc(choices, func(a, b []orbit) int {
		return (&rule{orbits: a}).count() - (&rule{orbits: b}).count()
	})
	return choices
}

// patterns returns the partitions of n into parts of at most a size.
func patterns(n, most int) []orbit {
	if n == 0 {
		return []orbit{nil}
	}
	var out []orbit
	for a := min(n, most); a >= 1; a-- {
		for _, rest := range patterns(n-a, a) {
			out = append(out, append(orbit{a}, rest...))
		}
	}
	return out
}
