package datasets

import (
	"fmt"
	"slices"

	"github.com/neuralkforms/nkf/datasets/internal/simplex"
)

// findFaces sets Faces and Signs of all degrees from 2 on. It is an error if a facet is not listed, or listed
// twice. (Those of an edge are its vertices.)
func (c *Collection) findFaces() error {
	for k := 2; k < len(c.Simplices); k++ {
		s, below := &c.Simplices[k], &c.Simplices[k-1]
		s.Faces, s.Signs = make([]int32, len(s.Corners)), make([]int8, len(s.Corners))
		numbers, sorted, key := map[string]signed{}, make([]int32, k), []byte(nil)
		for g := range c.Len() {
			clear(numbers)
			for i := below.Start[g]; i < below.Start[g+1]; i++ {
				listed := below.Corners[int(i)*k : int(i+1)*k]
				copy(sorted, listed)
				sign := simplex.Sort(sorted)
				key = simplex.AppendKey(key[:0], sorted)
				if _, twice := numbers[string(key)]; twice {
					return fmt.Errorf("complex %d, simplex %d of degree %d: %v is listed twice", g,
						i-below.Start[g], k-1, listed)
				}
				numbers[string(key)] = signed{i - below.Start[g], sign}
			}
			for i := s.Start[g]; i < s.Start[g+1]; i++ {
				from, to := int(i)*(k+1), int(i+1)*(k+1)
				listed, alternating := s.Corners[from:to], int8(1)
				for without := range listed {
					copy(sorted, slices.Concat(listed[:without], listed[without+1:]))
					sign := simplex.Sort(sorted)
					key = simplex.AppendKey(key[:0], sorted)
					face, ok := numbers[string(key)]
					if !ok {
						return fmt.Errorf("complex %d, simplex %d of degree %d: its facet %v is not listed",
							g, i-s.Start[g], k, sorted)
					}
					s.Faces[from+without] = face.number
					s.Signs[from+without] = alternating * sign * face.sign
					alternating = -alternating
				}
			}
		}
	}
	return nil
}

// signed is the number of a simplex and the sign of the permutation that sorts its vertices.
type signed struct {
	number int32
	sign   int8
}
