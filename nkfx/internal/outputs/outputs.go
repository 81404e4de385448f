// Package outputs pads and checks the rows that a model returns for complexes.
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
	return fmt.Errorf("complex %d (from 0) of %q has the output %v: check its coordinates, their sizes "+
		"above all", ids[at/columns], data.Name, all[at])
}
