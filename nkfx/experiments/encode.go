package experiments

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// automatic are the features of graphs that a model may choose.
const automatic = "automatic"

// encode returns the data as a model takes them, by an encoder that is fitted to all of them, and that
// encoder, which the final model has. It is an error if there is nothing to learn, or if the model is for
// other data.
func (x *Run) encode(m models.Model) (datasets.Encoder, *datasets.Collection, error) {
	kind, info := x.Data.Kind(), x.Data.Describe()
	if x.Data.Len() == 0 {
		return nil, nil, fmt.Errorf("%s is empty: there is nothing to learn", info.Name)
	}
	if err := m.Takes(kind); err != nil {
		return nil, nil, err
	}
	if kept := m.Features(kind); kept != "" && (x.Features == "" || x.Features == automatic) {
		x.Features = kept
	}
	encoder, err := x.Data.Encoder(x.Features, nil)
	if err != nil {
		return nil, nil, err
	}
	data, err := encoder.Encode(x.Data)
	if err != nil {
		return nil, nil, err
	}
	if info.Classes == nil && info.Tasks == nil {
		return nil, nil, fmt.Errorf("%s has no classes and no values: there is nothing to learn", data.Name)
	}
	if data.Outputs() < 2 && data.Tasks == nil {
		return nil, nil, fmt.Errorf("all of %s is of class %q: there is nothing to learn", data.Name,
			data.Classes[0])
	}
	return encoder, data, nil
}

// encodeFolds returns the data of the folds, each by an encoder that is fitted to its training and validation
// parts, and the folds in their numbers. Where the encoders differ, all data come once by each, one after
// another; where they are the one of all data, these stay as they are.
func (x *Run) encodeFolds(ofAll datasets.Encoder, all *datasets.Collection, folds []datasets.Fold) (
	*datasets.Collection, []datasets.Fold, error) {
	whole, err := json.Marshal(ofAll)
	if err != nil {
		return nil, nil, err
	}
	var parts []*datasets.Collection
	numbers := map[string]int{} // of the parts, by their encoders
	moved := make([]datasets.Fold, len(folds))
	for i, f := range folds {
		ids := slices.Sorted(slices.Values(slices.Concat(f.Train, f.Validation)))
		encoder, err := x.Data.Encoder(x.Features, ids)
		if err != nil {
			return nil, nil, err
		}
		text, err := json.Marshal(encoder)
		if err != nil {
			return nil, nil, err
		}
		number, known := numbers[string(text)]
		if !known {
			number = len(parts)
			part := all
			if string(text) != string(whole) {
				if part, err = encoder.Encode(x.Data); err != nil {
					return nil, nil, err
				}
			}
			numbers[string(text)], parts = number, append(parts, part)
		}
		by := int32(number * all.Len())
		moved[i] = datasets.Fold{Train: add(f.Train, by), Validation: add(f.Validation, by),
			Test: add(f.Test, by)}
	}
	data, err := join(parts)
	return data, moved, err
}

// add returns numbers that are greater by some.
func add(ids []int32, by int32) (out []int32) {
	for _, id := range ids {
		out = append(out, id+by)
	}
	return out
}

// join returns the complexes of collections with the same columns, one collection after another.
func join(parts []*datasets.Collection) (*datasets.Collection, error) {
	first := parts[0]
	if len(parts) == 1 {
		return first, nil
	}
	b := datasets.NewBuilder(first.Dim)
	b.Info = first.Info
	b.Faces = slices.ContainsFunc(first.Simplices, func(s datasets.Simplices) bool { return s.Faces != nil })
	for _, c := range parts {
		if c.Dim != first.Dim || c.Degree() != first.Degree() {
			return nil, fmt.Errorf("%s has %d coordinates and degree %d in a fold, but %d and %d in "+
				"another: the columns of an encoder may not depend on the part that it is fitted to", c.Name,
				c.Dim, c.Degree(), first.Dim, first.Degree())
		}
		for g := range c.Len() {
			simplices := make([][]int32, len(c.Simplices))
			for k := 1; k < len(simplices); k++ {
				simplices[k] = c.Corners(k, g)
			}
			b.Add(c.Points(g), simplices, c.Target(g)...)
			start := c.VertexStart
			for k, s := range c.Simplices {
				if k > 0 {
					start = s.Start
				}
				if s.Width > 0 {
					b.SetCochain(k, s.Cochain[int(start[g])*s.Width:int(start[g+1])*s.Width])
				}
			}
		}
	}
	return b.Collection()
}
