package simplicial

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/neuralkforms/nkf/datasets/internal/simplex"
)

// maxSize is the largest number of vertex numbers, k+1 for each k-simplex, that a complex may hold
// (256 MiB).
const maxSize = 1 << 26

// Complex is a finite simplicial complex, optionally embedded in R^n.
type Complex struct {
	ambient int
	coords  []float64 // [Count(0), ambient]
	levels  [][]int32 // levels[k] is [Count(k), k+1]; the highest level is not empty
	masses  []mass    // by degree; nil where simplices are orthonormal
}

// New returns the smallest complex on the vertices 0..vertices-1 that contains the given simplices,
// that is, all their faces with them.
//
// Simplices may come in any order, of any mix of degrees, repeated, and with their vertices in any
// order. It is an error if one is empty, repeats a vertex or names one out of range, or if the
// result would hold more than 2²⁶ vertex numbers.
func New(vertices int, simplices [][]int) (*Complex, error) {
	if vertices < 0 || vertices > maxSize {
		return nil, fmt.Errorf("simplicial: %d vertices, want between 0 and %d", vertices, maxSize)
	}
	levels := make([][]int32, 1)
	for i, s := range simplices {
		// A simplex with v vertices and its faces have v·2^(v-1) vertex numbers.
		if len(s) > 22 {
			return nil, errSize
		}
		sorted, err := sortVertices(s, vertices)
		if err != nil {
			return nil, fmt.Errorf("simplicial: simplex %d: %w", i, err)
		}
		for len(levels) < len(s) {
			levels = append(levels, nil)
		}
		for _, v := range sorted {
			levels[len(s)-1] = append(levels[len(s)-1], int32(v))
		}
	}
	levels[0] = count32(vertices)
	return closed(0, nil, levels)
}

// Embed returns the same complex with vertex i at coords[i*n:(i+1)*n]; it keeps a copy of coords.
//
// It is an error if coords is not Count(0) rows of n numbers, or if one of them is infinite or not
// a number.
func (c *Complex) Embed(n int, coords []float64) (*Complex, error) {
	if err := checkPoints(n, coords); err != nil {
		return nil, err
	}
	if len(coords) != n*c.Count(0) {
		return nil, fmt.Errorf("simplicial: %d coordinates for %d vertices in R^%d, want %d",
			len(coords), c.Count(0), n, n*c.Count(0))
	}
	return &Complex{ambient: n, coords: slices.Clone(coords), levels: c.levels}, nil
}

// Dim returns the highest degree of the simplices, or -1 if there are no vertices.
func (c *Complex) Dim() int { return len(c.levels) - 1 }

// Ambient returns the dimension n of the space R^n that the complex is embedded in, 0 if it has no
// coordinates.
func (c *Complex) Ambient() int { return c.ambient }

// Count returns the number of k-simplices, 0 for degrees below 0 or above Dim.
func (c *Complex) Count(k int) int { return len(c.Simplices(k)) / max(k+1, 1) }

// Simplices returns the k-simplices as a flat array [Count(k), k+1] of increasing vertex numbers,
// rows in lexicographic order. The caller must not change it.
func (c *Complex) Simplices(k int) []int32 {
	if k < 0 || k > c.Dim() {
		return nil
	}
	return c.levels[k]
}

// Coords returns the coordinates as a flat array [Count(0), Ambient()]. The caller must not change
// it.
func (c *Complex) Coords() []float64 { return c.coords }

// Index returns the index of the simplex with the given vertices among those of its degree, and its
// orientation: 1 if an even permutation sorts the vertices, -1 if an odd one does. ok is false if
// the complex has no such simplex.
func (c *Complex) Index(vertices ...int) (index, sign int, ok bool) {
	if len(vertices) == 0 || len(vertices) > len(c.levels) {
		return 0, 0, false
	}
	tuple := make([]int32, len(vertices))
	for i, v := range vertices {
		if v < 0 || v >= c.Count(0) {
			return 0, 0, false
		}
		tuple[i] = int32(v)
	}
	sign = int(simplex.Sort(tuple))
	if index = find(c.levels[len(vertices)-1], tuple); index < 0 {
		return 0, 0, false
	}
	return index, sign, true
}

// at returns the vertices of the i-th k-simplex.
func (c *Complex) at(k, i int) []int32 { return c.levels[k][i*(k+1) : (i+1)*(k+1)] }

// find returns the row of the sorted table level that equals the increasing tuple, -1 if there is
// none.
func find(level, tuple []int32) int {
	w := len(tuple)
	i, ok := sort.Find(len(level)/w, func(i int) int { return slices.Compare(tuple, level[i*w:(i+1)*w]) })
	if !ok {
		return -1
	}
	return i
}

// closed returns the complex of simplices, of which repeated ones drop out and missing faces are added.
// Level 0 must be complete.
func closed(ambient int, coords []float64, levels [][]int32) (*Complex, error) {
	size := len(levels[0])
	for k := len(levels) - 1; k > 0; k-- {
		levels[k] = sortRows(levels[k], k+1)
		count := len(levels[k]) / (k + 1)
		if size += len(levels[k]); size > maxSize {
			return nil, errSize
		}
		if err := checkClosure(float64(count), k); err != nil {
			return nil, err
		}
		for i := 0; k > 1 && i < count; i++ {
			simplex := levels[k][i*(k+1) : (i+1)*(k+1)]
			for drop := range simplex {
				levels[k-1] = append(append(levels[k-1], simplex[:drop]...), simplex[drop+1:]...)
			}
		}
	}
	for len(levels) > 0 && len(levels[len(levels)-1]) == 0 {
		levels = levels[:len(levels)-1]
	}
	return &Complex{ambient: ambient, coords: coords, levels: levels}, nil
}

// checkClosure reports as many k-simplices as would exceed maxSize with all their faces.
func checkClosure(count float64, k int) error {
	if count*float64(k+1)*float64(max(k, 1)) > maxSize {
		return errSize
	}
	return nil
}

// sortRows returns the distinct rows of the table with w columns in lexicographic order.
func sortRows(table []int32, w int) []int32 {
	order := count32(len(table) / w)
	row := func(i int32) []int32 { return table[int(i)*w : int(i+1)*w] }
	slices.SortFunc(order, func(a, b int32) int { return slices.Compare(row(a), row(b)) })
	sorted := make([]int32, 0, len(table))
	for i, r := range order {
		if i == 0 || !slices.Equal(row(r), row(order[i-1])) {
			sorted = append(sorted, row(r)...)
		}
	}
	return sorted
}

// sortVertices returns the vertices of a simplex in increasing order. It is an error if there are none, if
// one is repeated or if one is not in 0..vertices-1.
func sortVertices(s []int, vertices int) ([]int, error) {
	if len(s) == 0 {
		return nil, errors.New("no vertices")
	}
	sorted := slices.Sorted(slices.Values(s))
	for i, v := range sorted {
		if v < 0 || v >= vertices {
			return nil, fmt.Errorf("%v has vertex %d, but there are %d vertices, numbered from 0", s, v,
				vertices)
		}
		if i > 0 && v == sorted[i-1] {
			return nil, fmt.Errorf("%v repeats vertex %d", s, v)
		}
	}
	return sorted, nil
}

// count32 returns 0, 1, …, n-1.
func count32(n int) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

// checkPoints reports coordinates that are not rows of n finite numbers.
func checkPoints(n int, coords []float64) error {
	if n < 0 || n == 0 && len(coords) > 0 || n > 0 && len(coords)%n != 0 {
		return fmt.Errorf("simplicial: %d coordinates are not points in R^%d", len(coords), n)
	}
	for i, x := range coords {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("simplicial: coordinate %d of point %d is %v, want a finite number",
				i%n, i/n, x)
		}
	}
	return nil
}

var errSize = fmt.Errorf("simplicial: the complex would hold more than %d vertex numbers; ask for fewer "+
	"points, a lower threshold or a lower degree", maxSize)
