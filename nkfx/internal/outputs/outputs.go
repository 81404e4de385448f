// Package outputs pads, counts and checks the rows that a model returns for complexes: one for each complex,
// or one for each of its simplices of the labeled degree.
package outputs

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/neuralkforms/nkf/datasets"
)

// Padded returns the lowest power of two from n on, n 1 or more: batches of such sizes share few programs.
func Padded(n int) int { return 1 << bits.Len(uint(n-1)) }

// Rows returns the number of rows for complexes.
func Rows(data *datasets.Collection, ids ...int32) (count int) {
	k := data.Labeled()
	if k < 0 {
		return len(ids)
	}
	for _, id := range ids {
		count += data.Count(k, int(id))
	}
	return count
}

// NotFinite reports whether a value is infinite or no number.
func NotFinite(v float32) bool { return math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) }

// Check returns an error that names the complex whose outputs are not finite, if any of all [rows, columns]
// for the complexes ids is not. One NaN can spread through a batched product, so alone computes and checks
// single complexes; if none of them fails, the complex of the row is named.
func Check(data *datasets.Collection, ids []int32, all []float32, columns int,
	alone func(id []int32) error) error {
	at := slices.IndexFunc(all, NotFinite)
	if at < 0 {
		return nil
	}
	if len(ids) > 1 {
		for i := range ids {
			if err := alone(ids[i : i+1]); err != nil {
				return err
			}
		}
	}
	row, owner := at/columns, 0
	for row >= Rows(data, ids[owner]) {
		row -= Rows(data, ids[owner])
		owner++
	}
	return fmt.Errorf("complex %d (from 0) of %q has the output %v: check its coordinates, their sizes "+
		"above all", ids[owner], data.Name, all[at])
}
