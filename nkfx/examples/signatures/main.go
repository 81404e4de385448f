// Signatures writes the signatures of paths as CSV: of the series of a .ts file, or of a table, whose columns
// of names and of coordinates follow it, as in `signatures tracks.csv id x y`.
package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/layers/backends"
	"github.com/neuralkforms/nkf/layers/signature"
)

const depth = 3 // letters of the longest words

func main() {
	set, bad := series.OpenTS("", os.Args[1])
	if len(os.Args) > 2 {
		set, bad = series.OpenTable(series.Columns{ID: os.Args[2], Coordinates: os.Args[3:]}, "", os.Args[1])
	}
	backend, err := backends.New()
	if err := errors.Join(bad, err); err != nil {
		log.Fatal(err)
	}
	longest := 2
	for g := range set.Len() {
		longest = max(longest, set.Count(0, g))
	}
	paths := make([][][]float64, set.Len())
	for g := range paths {
		for i := range longest { // a path that stands still at its end has the same integrals
			at := set.Dim * min(i, set.Count(0, g)-1)
			paths[g] = append(paths[g], set.Points(g)[at:at+set.Dim])
		}
	}
	values, err := CallOnce(backend, func(x *Node) *Node { return signature.Signature(x, depth) }, paths)
	if err != nil {
		log.Fatal(err)
	}
	rows := [][]string{{"path"}}
	for _, word := range signature.Words(set.Dim, depth) {
		var letters []string
		for _, i := range word {
			letters = append(letters, set.Coordinates[i])
		}
		rows[0] = append(rows[0], strings.Join(letters, "."))
	}
	for g, row := range values.Value().([][]float64) {
		rows = append(rows, []string{fmt.Sprint(set.Row(g)[len(set.Row(g))-1].Value)})
		for _, x := range row {
			rows[g+1] = append(rows[g+1], fmt.Sprintf("%.9g", x))
		}
	}
	if err := csv.NewWriter(os.Stdout).WriteAll(rows); err != nil {
		log.Fatal(err)
	}
}
