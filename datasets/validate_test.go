package datasets

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// valid returns a triangle with everything, a point and a filled square.
func valid() *Collection {
	b := NewBuilder(2)
	b.Name, b.Classes, b.Faces = "valid", []string{"a", "b"}, true
	b.Add([]float64{0, 0, 1, 0, 0, 1}, [][]int32{1: {0, 1, 1, 2, 0, 2}, 2: {0, 1, 2}}, 1)
	b.SetCochain(1, []float64{1, 2, 3, 4, 5, 6})
	b.Add([]float64{7, 7}, nil, 0)
	b.Add([]float64{0, 0, 1, 0, 1, 1, 0, 1},
		[][]int32{1: {0, 1, 1, 2, 0, 2, 2, 3, 0, 3}, 2: {0, 1, 2, 2, 3, 0}}, 1)
	b.SetCochain(1, make([]float64, 10))
	c, err := b.Collection()
	if err != nil {
		panic(err)
	}
	return c
}

// TestValidate damages a valid collection in every way.
func TestValidate(t *testing.T) {
	require.NoError(t, valid().Validate())
	require.ErrorContains(t, (*Collection)(nil).Validate(), "the collection is nil")
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	withTasks := func(c *Collection) *Collection {
		c.Classes, c.Tasks, c.Labels = nil, []string{"a", "b"}, make([]int32, 3)
		c.Targets = []float32{1, 0, nan, 1, 0, nan}
		return c
	}
	require.NoError(t, withTasks(valid()).Validate())
	for want, damage := range map[string]func(c *Collection){
		"dimension 0":                         func(c *Collection) { c.Dim = 0 },
		"an empty list of tasks":              func(c *Collection) { c.Tasks = []string{} },
		"degree -1":                           func(c *Collection) { c.Simplices = nil },
		"VertexStart: 15 values do not make":  func(c *Collection) { c.Vertices = c.Vertices[:15] },
		"VertexStart: 3 offsets for 3 comp":   func(c *Collection) { c.VertexStart = c.VertexStart[:3] },
		"VertexStart: the offsets run from 1": func(c *Collection) { c.VertexStart[0] = 1 },
		"VertexStart: the offsets run from 0 to 7 instead of 0 to 8": func(c *Collection) {
			c.VertexStart[3] = 7
		},
		"VertexStart: complex 1 ends before it starts (3, 2)": func(c *Collection) {
			c.VertexStart[2] = 2
		},
		"VertexStart: the offsets run from 0 to 8 instead of 0 to 7": func(c *Collection) {
			c.Rows = make([]int32, 7)
		},
		"complex 2, simplex 1 of degree 0: row 8 of the coordinates, of": func(c *Collection) {
			c.Rows = []int32{0, 0, 1, 2, 3, 8, 4, 5}
		},
		"complex 1, simplex 0 of degree 0: row -1 of": func(c *Collection) {
			c.Rows = []int32{0, 0, 1, -1, 3, 8, 4, 5}
		},
		"17 coordinates do not make rows of 2": func(c *Collection) {
			c.Rows, c.Vertices = make([]int32, 8), append(c.Vertices, 1)
		},
		"complex 1, simplex 0 of degree 0: coordinate 0 is NaN": func(c *Collection) {
			c.Rows, c.Vertices[4] = []int32{0, 1, 0, 2, 3, 4, 5, 7}, math.NaN()
		},
		"row 3 of the coordinates, of no vertex, holds NaN": func(c *Collection) {
			c.Rows, c.Vertices[6] = make([]int32, 8), math.NaN()
		},
		"start of 2-simplices: 8 values do not make rows of 3": func(c *Collection) {
			c.Simplices[2].Corners = c.Simplices[2].Corners[:8]
		},
		"complex 2, simplex 1 of degree 0: coordinate 0 is NaN": func(c *Collection) {
			c.Vertices[10] = math.NaN()
		},
		"complex 0, simplex 0 of degree 0: coordinate 1 is 1e+39": func(c *Collection) {
			c.Vertices[1] = 1e39
		},
		"complex 2, simplex 1 of degree 1: number 4 of a simplex of degree 0": func(c *Collection) {
			c.Simplices[1].Corners[8] = 4
		},
		"complex 0, simplex 0 of degree 2: number -1": func(c *Collection) {
			c.Simplices[2].Corners[2] = -1
		},
		"simplices of degree 0: they are the vertices": func(c *Collection) {
			c.Simplices[0].Start = make([]int32, 4)
		},
		"9 faces with 8 signs for 3 2-simplices": func(c *Collection) {
			c.Simplices[2].Signs = make([]int8, 8)
		},
		"complex 2, simplex 1 of degree 2: number 5 of a simplex of degree 1": func(c *Collection) {
			c.Simplices[2].Faces[6] = 5
		},
		"complex 2, simplex 0 of degree 2: sign 0 of face 1": func(c *Collection) {
			c.Simplices[2].Signs[4] = 0
		},
		"17 values for a cochain of width 2 on 8 1-simplices": func(c *Collection) {
			c.Simplices[1].Cochain = make([]float64, 17)
		},
		"complex 2, simplex 1 of degree 1: the cochain's value is NaN": func(c *Collection) {
			c.Simplices[1].Cochain[9] = math.NaN()
		},
		"8 values for a cochain of width 0 on 8 0-simplices": func(c *Collection) {
			c.Simplices[0].Cochain = make([]float64, 8)
		},
		"complex 1: class number 2, but there are 2":  func(c *Collection) { c.Labels[1] = 2 },
		"complex 1: class number -1, but there are 2": func(c *Collection) { c.Labels[1] = -1 },
		"0 values for 3 complexes and 2 tasks":        func(c *Collection) { withTasks(c).Targets = nil },
		"3 values for 3 complexes and 0 tasks":        func(c *Collection) { c.Targets = make([]float32, 3) },
		"complex 1: the value of b is 0.5":            func(c *Collection) { withTasks(c).Targets[3] = 0.5 },
		"complex 2: class number 1, but there are 0":  func(c *Collection) { withTasks(c).Labels[2] = 1 },
		"complex 0: the value of a is +Inf; it must be a finite number": func(c *Collection) {
			withTasks(c).Regression, c.Targets[0] = true, inf
		},
	} {
		c := valid()
		damage(c)
		err := c.Validate()
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, `collection "valid"`)
	}
}

// TestValidateNeverPanics sets every number of a valid collection to others, one at a time.
func TestValidateNeverPanics(t *testing.T) {
	wrong := 0
	for _, list := range []func(c *Collection) []int32{
		func(c *Collection) []int32 { return c.VertexStart },
		func(c *Collection) []int32 {
			c.Rows = numbers(8)
			return c.Rows
		},
		func(c *Collection) []int32 { return c.Labels },
		func(c *Collection) []int32 { return c.Simplices[1].Start },
		func(c *Collection) []int32 { return c.Simplices[1].Corners },
		func(c *Collection) []int32 { return c.Simplices[2].Faces },
	} {
		for i := range list(valid()) {
			for _, x := range []int32{-1, 0, 1, 2, 3, 4, 9, 1000, math.MinInt32, math.MaxInt32} {
				c := valid()
				list(c)[i] = x
				if c.Validate() != nil {
					wrong++
					continue
				}
				_ = c.String()
				for g := range c.Len() {
					for k := range c.Degree() + 1 {
						c.Corners(k, g)
						c.Points(g)
					}
				}
			}
		}
	}
	require.Greater(t, wrong, 200)
}

func TestString(t *testing.T) {
	require.Equal(t, "                  0      0.0 / 0         0.0 / 0           0       0",
		(&Collection{}).String())
	require.Equal(t, "valid             3      2.7 / 4         1.0 / 2           2       2",
		valid().String(),
		"simplices are those of the highest degree")
}
