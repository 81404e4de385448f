package datasets

import "fmt"

// Statistics sums up a collection, as tables of data sets do.
type Statistics struct {
	Name                        string
	Complexes                   int
	Bare                        int // complexes without simplices
	Vertices, Simplices         int // in all complexes together; simplices are those of the highest degree
	MostVertices, MostSimplices int // of one complex
	Features, Classes           int
}

// Statistics counts what the collection holds.
func (c *Collection) Statistics() Statistics {
	s := Statistics{Name: c.Name, Complexes: c.Len(), Features: c.Dim, Classes: len(c.Classes)}
	for g := range c.Len() {
		vertices, simplices := c.Count(0, g), c.Count(c.Degree(), g)
		s.Vertices += vertices
		s.Simplices += simplices
		s.MostVertices = max(s.MostVertices, vertices)
		s.MostSimplices = max(s.MostSimplices, simplices)
		if simplices == 0 {
			s.Bare++
		}
	}
	return s
}

// meanVertices returns the mean number of vertices of a complex, 0 where there is none.
func (s Statistics) meanVertices() float64 { return float64(s.Vertices) / float64(max(1, s.Complexes)) }

// meanSimplices returns the mean number of simplices of a complex, 0 where there is none.
func (s Statistics) meanSimplices() float64 {
	return float64(s.Simplices) / float64(max(1, s.Complexes))
}

// String returns one row of a table: name, complexes, mean and most vertices, mean and most simplices,
// features, classes.
func (s Statistics) String() string {
	return fmt.Sprintf("%-12s %6d %8.1f / %-4d %8.1f / %-4d %8d %7d", s.Name, s.Complexes,
		s.meanVertices(), s.MostVertices, s.meanSimplices(), s.MostSimplices, s.Features, s.Classes)
}
