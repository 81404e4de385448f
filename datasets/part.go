package datasets

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Part returns the complexes ids as a collection whose vertices are in memory. If most is not 0, complexes of
// more vertices have that many of them, drawn evenly over the order of the vertices, which is kept. Such
// complexes must have no simplices of degree 1 or more. It is an error if there is no such complex.
func (c *Collection) Part(ids []int32, most int, random *rand.Rand) (*Collection, error) {
	if most != 0 && c.Degree() > 0 {
		return nil, fmt.Errorf("collection %q: a sample of vertices has no simplices of degree %d", c.Name,
			c.Degree())
	}
	out := &Collection{Info: c.Info, Dim: c.Dim, GlobalWidth: c.GlobalWidth, VertexStart: []int32{0},
		Simplices: make([]Simplices, len(c.Simplices))}
	for k := 1; k < len(c.Simplices); k++ {
		out.Simplices[k].Start = []int32{0}
	}
	for _, id := range ids {
		g := int(id)
		if g < 0 || g >= c.Len() {
			return nil, fmt.Errorf("collection %q: complex %d, but they are numbered 0 to %d", c.Name, g,
				c.Len()-1)
		}
		chosen := numbers(c.Count(0, g))
		if most != 0 && len(chosen) > most {
			chosen = spread(len(chosen), most, random)
		}
		if err := out.addRows(c, g, chosen); err != nil {
			return nil, err
		}
		for k := 1; k < len(c.Simplices); k++ {
			out.Simplices[k].addOf(&c.Simplices[k], k+1, g)
		}
		out.Labels = append(out.Labels, c.Labels[g])
		out.Targets = append(out.Targets, c.Targets[g*len(c.Tasks):(g+1)*len(c.Tasks)]...)
		out.Globals = append(out.Globals, c.Globals[g*c.GlobalWidth:(g+1)*c.GlobalWidth]...)
	}
	return out, nil
}

// Sampled returns the collection with the numbers of vertices that [Collection.Part] keeps, to count
// them: what vertices have is not theirs.
func (c *Collection) Sampled(most int) *Collection {
	out := *c
	if most != 0 {
		out.VertexStart = []int32{0}
		for g := range c.Len() {
			out.VertexStart = append(out.VertexStart, out.VertexStart[g]+int32(min(most, c.Count(0, g))))
		}
	}
	return &out
}

// spread returns count of n numbers, ascending, one of each of count ranges of equal length.
func spread(n, count int, random *rand.Rand) []int32 {
	out := make([]int32, count)
	for i := range out {
		from, to := i*n/count, (i+1)*n/count
		out[i] = int32(from + random.IntN(to-from))
	}
	return out
}

// addRows appends vertices of complex g of another collection.
func (c *Collection) addRows(from *Collection, g int, chosen []int32) error {
	first, of, into := from.VertexStart[g], &from.Simplices[0], &c.Simplices[0]
	into.Width = of.Width
	if of.Labels != nil && into.Labels == nil {
		into.Labels = []int32{}
	}
	var rows []float32
	if from.Rows != nil {
		var err error
		if rows, err = from.Rows(g); err != nil {
			return fmt.Errorf("collection %q: complex %d: %w", from.Name, g, err)
		}
		if want := from.Count(0, g) * from.Dim; len(rows) != want {
			return fmt.Errorf("collection %q: complex %d has %d coordinates, not %d", from.Name, g, len(rows),
				want)
		}
	}
	c.Vertices = slices.Grow(c.Vertices, len(chosen)*c.Dim)
	for _, v := range chosen {
		if at := int(v) * c.Dim; rows != nil {
			for _, x := range rows[at : at+c.Dim] {
				c.Vertices = append(c.Vertices, float64(x))
			}
		} else {
			at += int(first) * c.Dim
			c.Vertices = append(c.Vertices, from.Vertices[at:at+c.Dim]...)
		}
		row := int(first + v)
		into.Cochain = append(into.Cochain, of.Cochain[row*of.Width:(row+1)*of.Width]...)
		if of.Labels != nil {
			into.Labels = append(into.Labels, of.Labels[row])
		}
	}
	c.VertexStart = append(c.VertexStart, int32(len(c.Vertices)/c.Dim))
	return nil
}

// addOf appends the simplices of complex g of others, with some corners each.
func (s *Simplices) addOf(from *Simplices, corners, g int) {
	a, b := int(from.Start[g]), int(from.Start[g+1])
	s.Width = from.Width
	s.Corners = append(s.Corners, from.Corners[a*corners:b*corners]...)
	s.Cochain = append(s.Cochain, from.Cochain[a*s.Width:b*s.Width]...)
	s.Start = append(s.Start, int32(len(s.Corners)/corners))
	if from.Faces != nil {
		s.Faces = append(slices.Grow(s.Faces, 1), from.Faces[a*corners:b*corners]...)
		s.Signs = append(slices.Grow(s.Signs, 1), from.Signs[a*corners:b*corners]...)
	}
	if from.Labels != nil {
		s.Labels = append(slices.Grow(s.Labels, 1), from.Labels[a:b]...)
	}
}
