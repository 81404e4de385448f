package packing

import (
	"math"

	"github.com/neuralkforms/nkf/datasets"
)

// filling is a part that is written for the complexes ids.
type filling struct {
	*Packer
	*Part
	budget    *Budget
	view, ids []int32
}

func (f filling) simplices() *datasets.Simplices { return &f.data.Simplices[f.Degree] }

// each calls write for the entries own of the complex in each place, which come from the entries from, … of
// the collection, and pads the rest.
func (f filling) each(padding int32, write func(place, from int, own []int32)) {
	at, columns, start := 0, f.Columns, []int32(nil)
	if f.unit == simplices {
		start = f.starts[f.Degree]
	}
	for place, id := range f.ids {
		from, to := int(id)*columns, int(id+1)*columns
		if start != nil {
			from, to = int(start[id])*columns, int(start[id+1])*columns
		}
		write(place, from, f.view[at:at+to-from])
		at += to - from
	}
	fill(f.view[at:], padding)
}

// rows writes the rows of vertices in the table.
func (f filling) rows() {
	f.each(f.tableRows(), func(_, from int, own []int32) {
		if f.distinct != nil {
			copy(own, f.distinct.vertex[from:])
			return
		}
		for i := range own {
			own[i] = int32(from + i)
		}
	})
}

// owners writes the places of complexes.
func (f filling) owners() {
	f.each(int32(f.budget.Complexes), func(place, _ int, own []int32) { fill(own, int32(place)) })
}

// indices writes values that number simplices of another degree, the last of which is for padding.
func (f filling) indices(values []int32) {
	start, base := f.starts[f.numbers], int32(0)
	f.each(int32(f.budget.Rows[f.numbers]-1), func(place, from int, own []int32) {
		for i, n := range values[from : from+len(own)] {
			own[i] = base + n
		}
		base += start[f.ids[place]+1] - start[f.ids[place]]
	})
}

// integers writes values of the collection.
func integers[T int8 | int32](f filling, values []T, padding int32) {
	f.each(padding, func(_, from int, own []int32) {
		for i, x := range values[from : from+len(own)] {
			own[i] = int32(x)
		}
	})
}

// floats writes the bits of values of the collection, rounded to 32.
func floats[T float32 | float64](f filling, values []T, padding float64) {
	f.each(int32(math.Float32bits(float32(padding))), func(_, from int, own []int32) {
		for i, x := range values[from : from+len(own)] {
			own[i] = int32(math.Float32bits(float32(x)))
		}
	})
}

func fill(s []int32, x int32) {
	if x == 0 {
		clear(s)
		return
	}
	for i := range s {
		s[i] = x
	}
}
