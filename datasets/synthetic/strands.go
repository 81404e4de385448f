package synthetic

import (
	"fmt"
	"math/rand/v2"

	"github.com/neuralkforms/nkf/datasets"
)

// Strands generates graphs of two disjoint paths whose four ends are marked,
// two by +1 and two by -1, in two classes:
//
//	alike    each path joins ends with the same mark
//	unlike   each path joins ends with different marks
//
// Coordinates are (x, y, mark), with x and y uniform in [-1, 1] and mark 0
// except at the ends. The classes differ only in which ends a path joins: a
// vertex sees both ends of its path within Length/2 edges, rounded up, and no
// sooner.
type Strands struct {
	Length int // edges of each path
}

// strandClasses names the classes of Strands.
var strandClasses = []string{"alike", "unlike"}

// Sample returns perClass graphs of each class. It is an error if paths have
// fewer than two edges.
func (s Strands) Sample(perClass int, seed uint64, part Part) (*datasets.Collection, error) {
	if s.Length < 2 {
		return nil, fmt.Errorf("strands: %d edges of a path: use 2 or more", s.Length)
	}
	return collect(s, "strands", 3, strandClasses, perClass, seed, part)
}

func (s Strands) simplices(int) [][]int32 {
	var edges []int32
	for strand := range int32(2) {
		first := strand * int32(s.Length+1)
		for i := range int32(s.Length) {
			edges = append(edges, first+i, first+i+1)
		}
	}
	return [][]int32{1: edges}
}

func (s Strands) vertices(r *rand.Rand, class int) (out []float64) {
	marks := [][2]float64{{1, 1}, {-1, -1}} // of the start and the end of each path
	if class == 1 {
		marks = [][2]float64{{1, -1}, {1, -1}}
		for i := range marks {
			if r.IntN(2) == 1 {
				marks[i] = [2]float64{-1, 1}
			}
		}
	}
	if r.IntN(2) == 1 {
		marks[0], marks[1] = marks[1], marks[0]
	}
	for _, ends := range marks {
		for i := range s.Length + 1 {
			mark := 0.0
			switch i {
			case 0:
				mark = ends[0]
			case s.Length:
				mark = ends[1]
			}
			out = append(out, between(r, -1, 1), between(r, -1, 1), mark)
		}
	}
	return out
}
