package smiles

import (
	_ "embed" // for elements.tsv
	"fmt"
	"strconv"
	"strings"
)

//go:embed elements.tsv
var elementsTSV string

// An element holds what the rules need to know of an atomic number.
type element struct {
	symbol  string
	outer   int    // electrons of the outer shell
	valence int    // default valence, -1 if none
	allowed []int8 // allowed valences, ascending; -1 at the end lets anything pass
	isotope int    // the most common one
	metal   bool   // can be the end of a dative bond
	early   bool   // stands left of carbon: a positive charge takes a bond away
}

// anyValence reports an element, such as a transition metal, without valences of its own.
func (e *element) anyValence() bool { return e.allowed[0] == -1 }

// largest returns the last allowed valence, -1 if anything passes.
func (e *element) largest() int { return int(e.allowed[len(e.allowed)-1]) }

// elements is the periodic table, by atomic number; 0 is the wildcard.
var elements = readElements(elementsTSV)

// readElements reads the table, whose first line names the columns.
func readElements(text string) (table [119]element) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var e element
		var z int
		var allowed string
		_, _ = fmt.Sscan(line, &z, &e.symbol, &e.outer, &e.valence, &allowed, &e.isotope, &e.metal, &e.early)
		for v := range strings.SplitSeq(allowed, ",") {
			n, _ := strconv.ParseInt(v, 10, 8)
			e.allowed = append(e.allowed, int8(n))
		}
		table[z] = e
	}
	return table
}

// provisional has the symbols of elements 110 to 118 before they were named.
const provisional = "Uun Uuu Uub Uut Uuq Uup Uuh Uus Uuo"

// symbols are the atoms by all the symbols that brackets may hold: those of elements, which may stand in
// quotes from rutherfordium on, those of aromatic atoms in lower case, and provisional ones.
var symbols = func() map[string]Atom {
	table := map[string]Atom{}
	for z, e := range elements {
		table[e.symbol] = Atom{Number: uint8(z)}
		if z >= 104 {
			table["'"+e.symbol+"'"] = table[e.symbol]
		}
	}
	for _, s := range []string{"B", "C", "N", "O", "P", "S", "Si", "As", "Se", "Te"} {
		table[strings.ToLower(s)] = Atom{Number: table[s].Number, lowercase: true}
	}
	for k, s := range strings.Fields(provisional) {
		table[s] = Atom{Number: uint8(110 + k)}
	}
	return table
}()

// letters are the atoms whose symbol is a single letter or *.
var letters = func() (table [256]Atom) {
	for s, a := range symbols {
		if len(s) == 1 {
			table[s[0]] = a
		}
	}
	return table
}()
