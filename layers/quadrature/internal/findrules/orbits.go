package main

import (
	"fmt"
	"strings"
)

// largestK is the largest dimension with a table.
const largestK = 4

// found has the orbits of the rules with the fewest points that the search has found: patterns of
// equal coordinates, separated by spaces, such as 21 for points that have two equal ones. Degrees are
// left out where a higher one takes no more points.
var found = []struct {
	k, degree int
	orbits    string
}{
	{2, 1, "3"},
	{2, 2, "21"},
	{2, 4, "21 21"},
	{2, 5, "3 21 21"},
	{2, 6, "21 21 111"},
	{2, 7, "21 111 111"},
	{2, 8, "3 21 21 21 111"},
	{2, 9, "3 21 21 21 21 111"},
	{2, 10, "3 21 21 111 111 111"},
	{2, 11, "3 21 21 21 21 21 111 111"},
	{2, 12, "21 21 21 21 21 111 111 111"},
	{2, 13, "3 21 21 21 21 21 21 111 111 111"},
	{2, 14, "21 21 21 21 21 21 111 111 111 111"},
	{2, 15, "3 21 21 21 21 111 111 111 111 111 111"},
	{2, 16, "3 21 21 21 21 21 21 111 111 111 111 111 111"},
	{2, 17, "21 21 21 21 21 21 111 111 111 111 111 111 111"},
	{3, 1, "4"},
	{3, 2, "31"},
	{3, 3, "31 31"},
	{3, 5, "31 31 22"},
	{3, 6, "31 31 31 211"},
	{3, 7, "4 31 22 211 211"},
	{3, 8, "31 31 31 31 22 211 211"},
	{3, 9, "4 31 31 31 31 22 211 211 211"},
	{3, 10, "31 31 31 31 31 22 211 211 211 1111"},
	{3, 11, "4 31 31 31 22 211 211 211 211 211 1111"},
	{3, 12, "4 31 31 22 211 211 211 211 211 211 211 1111 1111"},
	{4, 1, "5"},
	{4, 2, "41"},
	{4, 3, "41 32"},
	{4, 4, "41 41 32"},
	{4, 5, "41 41 32 32"},
	{4, 6, "5 41 32 311 311"},
	{4, 7, "41 41 32 32 311 311"},
	{4, 8, "41 32 32 32 311 311 311 221"},
}

// names writes orbits as in the table.
func names(orbits []orbit) string {
	var all []string
	for _, o := range orbits {
		name := ""
		for _, m := range o {
			name += fmt.Sprint(m)
		}
		all = append(all, name)
	}
	return fmt.Sprintf("%q", strings.Join(all, " "))
}

// parse reads orbits as they are written in the table.
func parse(text string) []orbit {
	var orbits []orbit
	for _, name := range strings.Fields(text) {
		var o orbit
		for _, c := range name {
			o = append(o, int(c-'0'))
		}
		orbits = append(orbits, o)
	}
	return orbits
}
