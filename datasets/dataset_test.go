package datasets

import (
	"fmt"
	"sync"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/stretchr/testify/require"
)

// epoch returns the batches of an epoch and how many complexes they mask in.
func epoch(t *testing.T, d *Dataset) (batches []train.Batch, count int) {
	t.Helper()
	for batch, err := range d.Iter() {
		require.NoError(t, err)
		batches = append(batches, batch)
		for _, in := range tensors.MustCopyFlatData[bool](batch.Labels[1]) {
			if in {
				count++
			}
		}
	}
	return batches, count
}

func TestDatasetBatches(t *testing.T) {
	c := randomCollection(4, 50, 2, 12)
	ids := NewRandom(1).Permutation(50)[:45]
	d, err := NewDataset(c, ids, Options{Batch: 8})
	require.NoError(t, err)
	require.Equal(t, "random", d.Name())
	usual, bound, err := Budgets(c, nil, 8)
	require.NoError(t, err)

	batches, count := epoch(t, d)
	require.Len(t, batches, 6)
	require.Equal(t, 45, count)
	place := 0
	for _, batch := range batches {
		budget := batch.Spec.(Budget)
		require.Contains(t, []Budget{usual, bound}, budget)
		require.Equal(t, []int{budget.Vertices, 3}, batch.Inputs[0].Shape().Dimensions)
		require.Equal(t, []int{budget.Simplices, 3}, batch.Inputs[1].Shape().Dimensions)
		require.Equal(t, []int{budget.Simplices}, batch.Inputs[2].Shape().Dimensions)
		require.Equal(t, []int{budget.Vertices}, batch.Inputs[3].Shape().Dimensions)
		require.Equal(t, []int{8, 1}, batch.Labels[0].Shape().Dimensions)
		require.Equal(t, []int{8}, batch.Labels[1].Shape().Dimensions)
		require.Len(t, batch.Inputs, 5)
		require.Equal(t, tensors.MustCopyFlatData[bool](batch.Labels[1]),
			tensors.MustCopyFlatData[bool](batch.Inputs[4]))
		labels := tensors.MustCopyFlatData[int32](batch.Labels[0])
		vertices := tensors.MustCopyFlatData[float32](batch.Inputs[0])
		row := 0
		for i, in := range tensors.MustCopyFlatData[bool](batch.Labels[1]) {
			if !in {
				continue
			}
			require.Equal(t, c.Labels[ids[place]], labels[i])
			want, _ := c.Complex(int(ids[place]))
			require.Equal(t, want, vertices[row:row+len(want)])
			row += len(want)
			place++
		}
		require.NoError(t, batch.Finalize())
	}

	dropping, err := NewDataset(c, ids, Options{Name: "ab", Batch: 8, DropLast: true})
	require.NoError(t, err)
	require.Equal(t, "collection ab", dropping.Name())
	batches, count = epoch(t, dropping)
	require.Len(t, batches, 5)
	require.Equal(t, 40, count)
}

// TestDatasetShuffles checks that every epoch has a new order and that the seed determines all of them.
func TestDatasetShuffles(t *testing.T) {
	c := randomCollection(4, 30, 1, 6)
	orders := func(seed uint32) (orders [2]string) {
		d, err := NewDataset(c, nil, Options{Batch: 4, Shuffle: true, Seed: seed})
		require.NoError(t, err)
		for e := range orders {
			batches, count := epoch(t, d)
			require.Equal(t, 30, count)
			for _, batch := range batches {
				orders[e] += fmt.Sprint(tensors.MustCopyFlatData[int32](batch.Inputs[1]))
			}
		}
		return orders
	}
	first := orders(9)
	require.Equal(t, first, orders(9))
	require.NotEqual(t, first[0], first[1])
	require.NotEqual(t, first, orders(10))
}

// TestDatasetSharesItself runs epochs at the same time; the race detector watches.
func TestDatasetSharesItself(t *testing.T) {
	d, err := NewDataset(randomCollection(4, 30, 1, 6), nil, Options{Batch: 4, Shuffle: true})
	require.NoError(t, err)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			batches := 0
			for _, err := range d.Iter() {
				if err != nil {
					t.Error(err)
				}
				batches++
			}
			if batches != 8 {
				t.Errorf("%d batches of 4 out of 30", batches)
			}
		})
	}
	group.Wait()
}

func TestDatasetStopsEarly(t *testing.T) {
	d, err := NewDataset(randomCollection(4, 30, 1, 6), nil, Options{Batch: 4})
	require.NoError(t, err)
	count := 0
	for range d.Iter() {
		if count++; count == 2 {
			break
		}
	}
	require.Equal(t, 2, count)
}

func TestDatasetErrors(t *testing.T) {
	c := randomCollection(4, 30, 1, 6)
	for want, options := range map[string]Options{
		"at least one":                        {},
		"30 complexes make no complete batch": {Batch: 31, DropLast: true},
		"fits none of the budgets":            {Batch: 4, Usual: Budget{4, 8, 8}, Bound: Budget{4, 8, 8}},
	} {
		_, err := NewDataset(c, nil, options)
		require.ErrorContains(t, err, want)
	}
	_, err := NewDataset(c, []int32{99}, Options{Batch: 4})
	require.ErrorContains(t, err, "complex number 99")
	_, err = NewDataset(edgeTo(7), nil, Options{Batch: 2})
	require.ErrorContains(t, err, "complex 1, simplex 1: vertex number 7, but the complex has 3 vertices")
	_, err = NewDataset(&Collection{Name: "empty"}, nil, Options{Batch: 2})
	require.ErrorContains(t, err, "dimension 0")
}

// edgeTo returns two triangles, an edge of the second of which ends at the given vertex.
func edgeTo(end int32) *Collection {
	return &Collection{
		Name: "triangles", Dim: 1, Degree: 1, Vertices: make([]float32, 6), VertexStart: []int32{0, 3, 6},
		Simplices: []int32{0, 1, 1, 2, 0, 1, 0, end}, SimplexStart: []int32{0, 2, 4},
		Labels: []int32{0, 0}, Classes: []string{"one"},
	}
}

func TestStatistics(t *testing.T) {
	s := (&Collection{
		Name: "two", Dim: 2, Degree: 1, Vertices: make([]float32, 10), VertexStart: []int32{0, 3, 5},
		Simplices: []int32{0, 1, 1, 2}, SimplexStart: []int32{0, 2, 2}, Labels: []int32{0, 1},
		Classes: []string{"a", "b"},
	}).Statistics()
	require.Equal(t, Statistics{Name: "two", Complexes: 2, Bare: 1, Vertices: 5, Simplices: 2,
		MostVertices: 3, MostSimplices: 2, Features: 2, Classes: 2}, s)
	require.Equal(t, 2.5, s.MeanVertices())
	require.Equal(t, 1.0, s.MeanSimplices())
	require.Equal(t, "two               2      2.5 / 3         1.0 / 2           2       2", s.String())
	require.Zero(t, Statistics{}.MeanVertices())
}

func ExampleNewDataset() {
	c := &Collection{
		Name: "three edges", Dim: 2, Degree: 1,
		Vertices:    []float32{0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 1},
		VertexStart: []int32{0, 2, 4, 6},
		Simplices:   []int32{0, 1, 0, 1, 0, 1}, SimplexStart: []int32{0, 1, 2, 3},
		Labels: []int32{0, 1, 1}, Classes: []string{"right", "up"},
	}
	d, err := NewDataset(c, nil, Options{Batch: 2, Shuffle: true, Seed: 42})
	if err != nil {
		fmt.Println(err)
		return
	}
	for batch, err := range d.Iter() {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(batch.Inputs[0].Shape(), batch.Inputs[1].Shape(), batch.Labels[0].Shape())
	}
	// Output:
	// (Float32)[8, 2] (Int32)[8, 2] (Int32)[2, 1]
	// (Float32)[8, 2] (Int32)[8, 2] (Int32)[2, 1]
}
