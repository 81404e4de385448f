package datasets

import (
	"errors"
	"fmt"

	"github.com/dustin/go-humanize/english"
)

// Kind returns "collections".
func (c *Collection) Kind() string { return "collections" }

// Row returns the number of a complex.
func (c *Collection) Row(g int) []Field { return []Field{{"complex", "complex", g}} }

// Encoder returns the encoder of [NewIdentity]: a collection needs no encoding. It has no choice of features,
// and nothing that is fitted.
func (c *Collection) Encoder(features string, _ []int32) (Encoder, error) {
	if features != "" {
		return nil, fmt.Errorf("%s has no choice of features: leave out %q", c.Name, features)
	}
	return identity{Dim: c.Dim, Degree: c.Degree()}, nil
}

// NewIdentity returns an empty encoder of collections, which returns them unchanged, to read a saved one
// into.
func NewIdentity() Encoder { return new(identity) }

// identity is the encoder of collections.
type identity struct {
	Dim    int `json:"dim"`    // coordinates of a vertex
	Degree int `json:"degree"` // of the simplices
}

// Check returns an error for negative numbers.
func (e identity) Check() error {
	if e.Dim < 0 || e.Degree < 0 {
		return fmt.Errorf("%d coordinates of simplices of dimension %d", e.Dim, e.Degree)
	}
	return nil
}

// Encode returns the collection itself. It is an error if it has another number of coordinates or simplices
// of another dimension.
func (e identity) Encode(s Source) (*Collection, error) {
	c, ok := s.(*Collection)
	if !ok {
		return nil, errors.New("another kind of data: want a collection")
	}
	if c.Dim != e.Dim || c.Degree() != e.Degree {
		return nil, fmt.Errorf("%s has %s a vertex and simplices of dimension %d, not %d and %d: it is "+
			"another kind of data", c.Name, english.Plural(c.Dim, "coordinate", ""), c.Degree(), e.Dim,
			e.Degree)
	}
	return c, c.Validate()
}
