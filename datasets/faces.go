package datasets

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// findFaces sets Faces and Signs of all degrees from 2 on. It is an error if a facet is not listed, or listed
// twice. (Those of an edge are its vertices.)
func (c *Collection) findFaces() error {
	for k := 2; k < len(c.Simplices); k++ {
		s, below := &c.Simplices[k], &c.Simplices[k-1]
		s.Faces, s.Signs = make([]int32, len(s.Corners)), make([]int8, len(s.Corners))
		numbers := map[string]signed{}
		for g := range c.Len() {
			clear(numbers)
			sorted := make([]int32, k)
			for i := below.Start[g]; i < below.Start[g+1]; i++ {
				corners := below.Corners[int(i)*k : int(i+1)*k]
				copy(sorted, corners)
				sign := sortSign(sorted)
				if _, twice := numbers[key(sorted)]; twice {
					return fmt.Errorf("complex %d, simplex %d of degree %d: %v is listed twice", g,
						i-below.Start[g],
						k-1, corners)
				}
				numbers[key(sorted)] = signed{i - below.Start[g], sign}
			}
			for i := s.Start[g]; i < s.Start[g+1]; i++ {
				from, to := int(i)*(k+1), int(i+1)*(k+1)
				corners, alternating := s.Corners[from:to], int8(1)
				for without := range corners {
					copy(sorted, slices.Concat(corners[:without], corners[without+1:]))
					sign := sortSign(sorted)
					face, ok := numbers[key(sorted)]
					if !ok {
						return fmt.Errorf("complex %d, simplex %d of degree %d: its facet %v is not listed",
							g, i-s.Start[g],
							k, sorted)
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

// sortSign sorts, in place, and returns the sign of that permutation.
func sortSign(s []int32) int8 {
	sign := int8(1)
	for i := range s {
		for j := i; j > 0 && s[j] < s[j-1]; j-- {
			s[j], s[j-1] = s[j-1], s[j]
			sign = -sign
		}
	}
	return sign
}

// key returns numbers as a key of a map.
func key(numbers []int32) string {
	out := make([]byte, 0, 4*len(numbers))
	for _, n := range numbers {
		out = binary.LittleEndian.AppendUint32(out, uint32(n))
	}
	return string(out)
}
