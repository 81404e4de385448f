package datasets_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/simplicial"
)

func TestBuilder(t *testing.T) {
	b := datasets.NewBuilder(2)
	b.Grow(4) // changes nothing but the room
	b.Name, b.Classes = "mixed", []string{"point", "path", "triangle"}
	b.Add([]float64{1, 2}, nil)
	b.AddPath([]float64{0, 0, 1, 0, 1, 1}, 1)
	b.Add([]float64{0, 0, 1, 0, 0, 1}, [][]int32{1: {0, 1, 1, 2, 0, 2}, 2: {0, 1, 2}}, 2)
	b.AddPath([]float64{5, 5}, 1)
	c := must(b.Collection())
	require.Equal(t, &datasets.Collection{
		Info: datasets.Info{Name: "mixed", Classes: []string{"point", "path", "triangle"}},
		Dim:  2, Vertices: []float64{1, 2, 0, 0, 1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 5, 5},
		VertexStart: []int32{0, 1, 4, 7, 8},
		Simplices: []datasets.Simplices{
			{},
			{Corners: []int32{0, 1, 1, 2, 0, 1, 1, 2, 0, 2}, Start: []int32{0, 0, 2, 5, 5}},
			{Corners: []int32{0, 1, 2}, Start: []int32{0, 0, 0, 1, 1}},
		},
		Labels: []int32{0, 1, 2, 1},
	}, c)
	require.Equal(t, 4, c.Len())
	require.Equal(t, 2, c.Degree())
	require.Equal(t, 3, c.Outputs())
	require.Equal(t, []int32{0, 1, 2, 3}, c.IDs())
	require.Equal(t, []float64{0, 0, 1, 0, 0, 1}, c.Points(2))
	require.Equal(t, []int32{0, 1, 2}, c.Corners(0, 2))
	require.Equal(t, []int32{0, 1, 1, 2, 0, 2}, c.Corners(1, 2))
	require.Empty(t, c.Corners(2, 1))
	require.Equal(t, []int{3, 2, 0}, []int{c.Count(0, 1), c.Count(1, 1), c.Count(2, 1)})
}

// TestShared: complexes of vertices that share rows have the points of others, and as few rows as there are
// different ones, down to the bits.
func TestShared(t *testing.T) {
	build := func(shared bool) *datasets.Collection {
		b := datasets.NewBuilder(2)
		b.Shared = shared
		b.Grow(1000)
		b.AddPath([]float64{0, 1, 1, 0, 0, 1})
		b.Add(nil, nil)
		b.AddPath([]float64{1, 0, math.Copysign(0, -1), 1})
		return must(b.Collection())
	}
	c, plain := build(true), build(false)
	require.Equal(t, []int32{0, 1, 0, 1, 2}, c.Rows)
	require.Equal(t, []float64{0, 1, 1, 0, math.Copysign(0, -1), 1}, c.Vertices)
	require.Less(t, cap(c.Vertices), 2*1000)
	require.Nil(t, plain.Rows)
	require.Equal(t, plain.Simplices, c.Simplices)
	for from := range c.Len() + 1 {
		for to := from; to <= c.Len(); to++ {
			part := c.Part(from, to)
			require.NoError(t, part.Validate())
			for g := range part.Len() {
				require.Empty(t, part.Points(g)[len(plain.Points(from+g)):])
				for i, x := range plain.Points(from + g) {
					require.Equal(t, math.Float64bits(x), math.Float64bits(part.Points(g)[i]))
				}
			}
		}
	}
	b := datasets.NewBuilder(1)
	b.AddPath([]float64{1})
	b.Shared = true
	b.AddPath([]float64{2})
	_, err := b.Collection()
	require.Error(t, err, "set too late")
}

func TestBuilderTargets(t *testing.T) {
	b := datasets.NewBuilder(1)
	b.Tasks, b.Regression = []string{"x", "y"}, true
	b.Add([]float64{1}, nil, 2.5, math.NaN())
	b.Add([]float64{1}, nil)
	c := must(b.Collection())
	require.Equal(t, "[2.5 NaN NaN NaN]", fmt.Sprint(c.Targets))
	require.Equal(t, []int32{0, 0}, c.Labels)
	require.Nil(t, c.Classes)
	require.Equal(t, 2, c.Outputs())

	b = datasets.NewBuilder(1)
	for _, class := range []float64{2, 0} {
		b.Add([]float64{1}, nil, class)
	}
	b.Add([]float64{1}, nil)
	c = must(b.Collection())
	require.Equal(t, []string{"0", "1", "2"}, c.Classes, "classes are named by their numbers")
	require.Equal(t, []int32{2, 0, 0}, c.Labels, "without a target: something to predict")

	c = must(datasets.NewBuilder(3).Collection())
	require.Zero(t, c.Len())
	require.Zero(t, c.Degree())
	require.Nil(t, c.Classes)
}

// TestBuilderComplex: a complex arrives as it is, with all of its simplices.
func TestBuilderComplex(t *testing.T) {
	points := []float64{0, 0, 1, 0, 0, 1, 1, 1, 3, 3, 3, 4}
	rips := must(simplicial.Rips(2, points, 1.5, 3))
	grid, _, err := simplicial.Grid(2, 3)
	require.NoError(t, err)
	bare := must(simplicial.Rips(2, points, 0, 2))
	b := datasets.NewBuilder(2)
	b.Faces = true
	all := []*simplicial.Complex{rips, grid, bare}
	for class, x := range all {
		b.AddComplex(x, float64(class))
	}
	c := must(b.Collection())
	require.Equal(t, []int32{0, 1, 2}, c.Labels)
	require.Equal(t, 3, c.Degree())
	for g, x := range all {
		for i, want := range x.Coords() {
			require.InDelta(t, want, c.Points(g)[i], 0)
		}
		for k := range c.Degree() + 1 {
			require.Equal(t, x.Count(k), c.Count(k, g))
			require.Equal(t, append([]int32{}, x.Simplices(k)...), append([]int32{}, c.Corners(k, g)...))
		}
		for k := 2; k <= x.Dim(); k++ {
			s, boundary := c.Simplices[k], x.Boundary(k)
			entries := 0
			boundary.DoNonZero(func(int, int, float64) { entries++ })
			require.Equal(t, (k+1)*x.Count(k), entries)
			for i := s.Start[g]; i < s.Start[g+1]; i++ {
				for j := range int32(k + 1) {
					at := i*int32(k+1) + j
					require.EqualValues(t, s.Signs[at], boundary.At(int(s.Faces[at]), int(i-s.Start[g])))
				}
			}
		}
	}

	free := must(simplicial.New(2, [][]int{{0, 1}}))
	b = datasets.NewBuilder(2)
	b.AddComplex(grid)
	b.AddComplex(free)
	_, err = b.Collection()
	require.ErrorContains(t, err, "complex 1 is embedded in dimension 0, not 2")
}

func TestBuilderData(t *testing.T) {
	b := datasets.NewBuilder(1)
	b.Add(nil, [][]int32{1: nil})
	b.SetCochain(1, nil)
	b.SetCochain(0, nil)
	b.AddPath([]float64{1, 2, 3})
	b.SetCochain(1, []float64{1, 2, 3, 4})
	b.SetCochain(0, []float64{7, 8, 9})
	c := must(b.Collection())
	require.Equal(t, 2, c.Simplices[1].Width)
	require.Equal(t, []float64{1, 2, 3, 4}, c.Simplices[1].Cochain)
	require.Equal(t, 1, c.Simplices[0].Width)
	require.Equal(t, []float64{7, 8, 9}, c.Simplices[0].Cochain)
}

// TestBuilderErrors: the error is the first, and says which complex and row it is about.
func TestBuilderErrors(t *testing.T) {
	nan, inf, edge := math.NaN(), math.Inf(1), [][]int32{1: {0, 1}}
	type B = datasets.Builder
	for want, wrong := range map[string]func(b *B){
		"complex 1: 3 coordinates do not make rows of 2": func(b *B) { b.Add([]float64{1, 2, 3}, nil) },
		"coordinate 1 is 1e+300, not a finite number of 32 bits": func(b *B) {
			b.Add([]float64{0, 1e300}, nil)
		},
		"complex 1: 1 coordinates do not make rows of 2": func(b *B) {
			b.Add([]float64{inf}, nil)
			b.Add([]float64{0, 0, nan, 0}, nil) // not the first
		},
		"complex 1 is nil: check the error": func(b *B) { b.AddComplex(nil) },
		"complex 1: 3 corners of 1-simplices: want 2 of each": func(b *B) {
			b.Add(make([]float64, 4), [][]int32{1: {0, 1, 1}})
		},
		"complex 1: simplices of degree 0: they are the vertices": func(b *B) {
			b.Add(make([]float64, 4), [][]int32{{0, 1}})
		},
		"complex 1: target [0.5]":                            func(b *B) { b.Add(nil, nil, 0.5) },
		"complex 1: target [-1]":                             func(b *B) { b.Add(nil, nil, -1) },
		"complex 1: target [NaN]":                            func(b *B) { b.Add(nil, nil, nan) },
		"complex 1: target [1 2]":                            func(b *B) { b.Add(nil, nil, 1, 2) },
		"class number 2000000000: number the classes from 0": func(b *B) { b.Add(nil, nil, 2e9) },
		"complex 0: values of a cochain of degree -1":        func(b *B) { b.SetCochain(-1, nil) },
		"complex 0: 3 values of a cochain for 2 rows": func(b *B) {
			b.SetCochain(0, make([]float64, 3))
		},
		"complex 1: 4 values of a cochain for 1 rows, after 3 for 1": func(b *B) {
			b.SetCochain(1, make([]float64, 3))
			b.Add(make([]float64, 4), edge)
			b.SetCochain(1, make([]float64, 4))
		},
		"after 0 for 1 others": func(b *B) {
			b.Add(make([]float64, 4), edge)
			b.SetCochain(1, []float64{1})
		},
	} {
		b := datasets.NewBuilder(2)
		b.Name = "wrong"
		b.Add(make([]float64, 4), edge)
		wrong(b)
		c, err := b.Collection()
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, `collection "wrong"`)
		require.Nil(t, c)
	}
	for want, wrong := range map[string]func(b *B){
		"complex -1: values of a cochain": func(b *B) { b.SetCochain(1, nil) },
		"complex 0: target [1]: want the number of a class or the values of 2 tasks": func(b *B) {
			b.Tasks = []string{"x", "y"}
			b.Add(nil, nil, 1)
		},
	} {
		b := datasets.NewBuilder(2)
		wrong(b)
		_, err := b.Collection()
		require.ErrorContains(t, err, want)
	}
	for _, b := range []*B{{}, datasets.NewBuilder(0), datasets.NewBuilder(math.MinInt)} {
		b.Grow(3)
		b.Add([]float64{1}, nil)
		b.AddPath([]float64{1})
		b.SetCochain(0, []float64{1})
		_, err := b.Collection()
		require.ErrorContains(t, err, "make it with NewBuilder, for 1 or more")
	}
}

// FuzzBuilder: whatever is fed, there is a valid collection or an error, and never a panic.
func FuzzBuilder(f *testing.F) {
	f.Add(2, false, 0, []byte{0, 4, 0, 0, 1, 1, 2, 1, 0, 1, 1, 1, 0, 2, 1, 0, 3, 1, 3})
	f.Add(1, true, 2, []byte{0, 3, 0, 1, 2, 1, 6, 0, 1, 1, 2, 0, 2, 1, 3, 0, 1, 2, 1, 0, 3, 2, 1, 0})
	f.Add(0, true, 1, []byte{1, 2, 3, 4, 5})
	f.Fuzz(func(t *testing.T, n int, faces bool, tasks int, data []byte) {
		next := func() int {
			if len(data) == 0 {
				return 0
			}
			x := int(int8(data[0]))
			data = data[1:]
			return x
		}
		numbers := func() (ints []int32, floats []float64) {
			for range max(0, next()) % 16 {
				x := next()
				ints = append(ints, int32(x))
				odd := map[int]float64{-1: math.NaN(), -2: math.Inf(-1), -3: 1e200}
				floats = append(floats, odd[x]+float64(x))
			}
			return ints, floats
		}
		b := datasets.NewBuilder(n)
		b.Faces = faces
		for range tasks % 4 {
			b.Tasks = append(b.Tasks, "task")
		}
		for len(data) > 0 {
			operation := next()
			_, x := numbers()
			switch operation % 4 {
			case 0:
				var simplices [][]int32
				for range max(0, next()) % 5 {
					s, _ := numbers()
					simplices = append(simplices, s)
				}
				_, target := numbers()
				b.Add(x, simplices, target...)
			case 1:
				b.AddPath(x)
			case 2:
				b.SetCochain(next(), x)
			case 3:
				b.Classes = append(b.Classes, "class")
			}
		}
		c, err := b.Collection()
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		require.NoError(t, c.Validate())
		require.NotPanics(t, func() { _ = c.String() })
		for g := range c.Len() {
			for k := range c.Degree() + 1 {
				require.Len(t, c.Corners(k, g), c.Count(k, g)*(k+1))
			}
		}
	})
}

// A triangle and its edges, with the facets that boundaries are made of.
func ExampleBuilder_Add() {
	b := datasets.NewBuilder(3)
	b.Name, b.Classes, b.Faces = "triangles", []string{"low", "high"}, true
	b.Add([]float64{0, 0, 0, 1, 0, 0, 0, 1, 0}, [][]int32{1: {0, 1, 1, 2, 0, 2}, 2: {0, 1, 2}}, 0)
	b.Add([]float64{0, 0, 9, 1, 0, 9, 0, 1, 9}, [][]int32{1: {0, 1, 1, 2, 0, 2}, 2: {0, 1, 2}}, 1)
	c, err := b.Collection()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Len(), "complexes of degree", c.Degree(), "in dimension", c.Dim)
	fmt.Println("edges", c.Corners(1, 1))
	fmt.Println("faces", c.Simplices[2].Faces[3:], "with signs", c.Simplices[2].Signs[3:])
	// Output:
	// 2 complexes of degree 2 in dimension 3
	// edges [0 1 1 2 0 2]
	// faces [1 2 0] with signs [1 -1 1]
}

// must returns the result of a call that cannot fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
