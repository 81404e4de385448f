package simplicial

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/datasets/internal/modular"
)

// Interval is a class of homology in a filtration: it appears with one simplex and vanishes with another.
type Interval struct {
	Degree       int
	Birth, Death float64 // values of the simplices; Death is +Inf for a class that stays
	Creator      int     // number of the simplex of that degree
	Killer       int     // number of the simplex of one degree more; -1 for none
}

// Persistence returns the persistent homology over the field of p elements of the sublevel sets of a
// function on the simplices, values[k][i] of the i-th k-simplex, by reduction of the boundary matrices
// (Edelsbrunner, Letscher and Zomorodian, Topological persistence and simplification, 2002): the intervals
// of all degrees, by degree, birth and death. Those of length 0 are left out.
//
// Choose a threshold in the longest gap: the homology there consists of the classes that are born before and
// die after it. It is an error if p is not a prime below 2^61, if a value is missing or not a number, or if a
// simplex comes before one of its faces. [Alpha] returns the values of its simplices; for those of distances
// see [Complex.Diameters].
func (c *Complex) Persistence(values [][]float64, p uint64) ([]Interval, error) {
	f, err := modular.NewField(p)
	if err != nil {
		return nil, fmt.Errorf("simplicial: %w", err)
	}
	if err := c.checkFiltration(values); err != nil {
		return nil, err
	}
	order := make([][]int32, c.Dim()+1)
	for k := range order {
		order[k] = count32(c.Count(k))
		slices.SortStableFunc(order[k], func(i, j int32) int {
			return cmp.Compare(values[k][i], values[k][j])
		})
	}
	killers := c.killers(f, order)
	var intervals []Interval
	kills := make([]bool, c.Count(0)) // of the simplices of a degree
	for k := range killers {
		next := make([]bool, c.Count(k+1))
		for i, birth := range values[k] {
			interval := Interval{k, birth, math.Inf(1), i, int(killers[k][i])}
			if interval.Killer >= 0 {
				interval.Death = values[k+1][interval.Killer]
				next[interval.Killer] = true
			}
			if !kills[i] && interval.Birth < interval.Death {
				intervals = append(intervals, interval)
			}
		}
		kills = next
	}
	slices.SortStableFunc(intervals, func(a, b Interval) int {
		return cmp.Or(cmp.Compare(a.Degree, b.Degree), cmp.Compare(a.Birth, b.Birth),
			cmp.Compare(a.Death, b.Death))
	})
	return intervals, nil
}

// checkFiltration reports values that are missing, not numbers, or less than those of a face.
func (c *Complex) checkFiltration(values [][]float64) error {
	if len(values) != c.Dim()+1 {
		return fmt.Errorf("simplicial: values in %d degrees of a complex of dimension %d, want one more "+
			"than that", len(values), c.Dim())
	}
	for k := range values {
		if len(values[k]) != c.Count(k) {
			return fmt.Errorf("simplicial: %d values in degree %d, want %d", len(values[k]), k, c.Count(k))
		}
		faces, _ := c.Faces(k)
		for i, v := range values[k] {
			if math.IsNaN(v) {
				return fmt.Errorf("simplicial: the value of simplex %v is not a number", c.at(k, i))
			}
			if k == 0 {
				continue
			}
			for _, face := range faces[i*(k+1) : (i+1)*(k+1)] {
				if values[k-1][face] > v {
					return fmt.Errorf("simplicial: simplex %v has the value %v, but its face %v the "+
						"greater %v", c.at(k, i), v, c.at(k-1, int(face)), values[k-1][face])
				}
			}
		}
	}
	return nil
}

// Diameters returns the largest distance of two vertices of each simplex, by degree: the threshold from
// which on it is in the Rips complex. It is an error if the complex has no coordinates.
func (c *Complex) Diameters() ([][]float64, error) {
	if c.ambient == 0 && c.Count(0) > 0 {
		return nil, errCoordinates
	}
	values := make([][]float64, c.Dim()+1)
	for k := range values {
		values[k] = make([]float64, c.Count(k))
		faces, _ := c.Faces(k)
		for i := range values[k] {
			if k == 1 {
				points := c.points(c.at(1, i))
				values[1][i] = floats.Distance(points[0], points[1], 2)
				continue
			}
			for _, face := range faces[i*(k+1)*min(k, 1) : (i+1)*(k+1)*min(k, 1)] {
				values[k][i] = max(values[k][i], values[k-1][face])
			}
		}
	}
	return values, nil
}

// Sublevel returns the complex of all vertices and of the simplices whose values, values[k][i] for the i-th
// k-simplex, are at most upTo. Errors in the values are those of Persistence.
func (c *Complex) Sublevel(values [][]float64, upTo float64) (*Complex, error) {
	if err := c.checkFiltration(values); err != nil {
		return nil, err
	}
	if math.IsNaN(upTo) {
		return nil, fmt.Errorf("simplicial: a threshold that is not a number")
	}
	out := &Complex{ambient: c.ambient, coords: c.coords, levels: slices.Clone(c.levels)}
	for k := 1; k <= c.Dim(); k++ {
		out.levels[k] = nil
		for i, v := range values[k] {
			if v <= upTo {
				out.levels[k] = append(out.levels[k], c.at(k, i)...)
			}
		}
	}
	out.trim()
	return out, nil
}
