package datasets

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"
)

// randomCollection returns a valid collection of the given degree whose complexes have up to most vertices
// and simplices, some of them none.
func randomCollection(seed uint32, complexes, degree, most int) *Collection {
	random := NewRandom(seed)
	c := &Collection{Name: "random", Dim: 3, Degree: degree, Classes: []string{"a", "b"}}
	c.VertexStart, c.SimplexStart = []int32{0}, []int32{0}
	for range complexes {
		vertices, simplices := random.Interval(uint32(most)), random.Interval(uint32(most))
		if vertices == 0 {
			simplices = 0
		}
		for range vertices * uint32(c.Dim) {
			c.Vertices = append(c.Vertices, float32(random.Interval(1000))/100-5)
		}
		for range simplices * uint32(degree+1) {
			c.Simplices = append(c.Simplices, int32(random.Interval(vertices-1)))
		}
		c.VertexStart = append(c.VertexStart, c.VertexStart[c.Len()]+int32(vertices))
		c.SimplexStart = append(c.SimplexStart, c.SimplexStart[c.Len()]+int32(simplices))
		c.Labels = append(c.Labels, int32(random.Interval(1)))
	}
	return c
}

// TestPackKeepsEverySimplex checks that the corners of packed simplices have the coordinates that the
// collection gives them, in order, and that padding is where it is documented to be.
func TestPackKeepsEverySimplex(t *testing.T) {
	for degree := range 4 {
		c := randomCollection(uint32(degree), 40, degree, 9)
		require.NoError(t, c.Validate())
		usual, bound, err := Budgets(c, nil, 7)
		require.NoError(t, err)
		order := NewRandom(5).Permutation(c.Len())
		batch := NewBatch(c, bound)
		for ids := range slices.Chunk(order, 7) { // reused: what the batch before left must not matter
			require.NoError(t, batch.Pack(c, ids))
			coordinates := make([]float32, bound.Vertices*c.Dim)
			require.NoError(t, batch.Coordinates(c, coordinates))
			v, s := 0, 0
			for place, id := range ids {
				vertices, simplices := c.Complex(int(id))
				for i := range simplices {
					at := int(batch.Simplices[s*(degree+1)+i])
					from := int(simplices[i])
					require.Equal(t, vertices[from*c.Dim:(from+1)*c.Dim], coordinates[at*c.Dim:(at+1)*c.Dim])
				}
				for range len(vertices) / c.Dim {
					require.EqualValues(t, place, batch.VertexOf[v])
					v++
				}
				for range len(simplices) / (degree + 1) {
					require.EqualValues(t, place, batch.SimplexOf[s])
					s++
				}
				require.Equal(t, c.Labels[id], batch.Labels[place])
				require.True(t, batch.Mask[place])
			}
			require.Less(t, v, bound.Vertices, "a padding vertex is left")
			for ; v < bound.Vertices; v++ {
				require.EqualValues(t, len(c.Vertices)/c.Dim, batch.VertexIDs[v])
				require.EqualValues(t, bound.Complexes, batch.VertexOf[v])
				require.Equal(t, []float32{0, 0, 0}, coordinates[v*3:v*3+3])
			}
			for ; s < bound.Simplices; s++ {
				require.EqualValues(t, bound.Complexes, batch.SimplexOf[s])
				for i := range degree + 1 {
					require.EqualValues(t, bound.Vertices-1, batch.Simplices[s*(degree+1)+i])
				}
			}
			for place := len(ids); place < bound.Complexes; place++ {
				require.False(t, batch.Mask[place])
				require.Zero(t, batch.Labels[place])
			}
		}
		require.LessOrEqual(t, usual.Vertices, bound.Vertices)
		require.LessOrEqual(t, usual.Simplices, bound.Simplices)
	}
}

func TestPackAllocatesNothing(t *testing.T) {
	c := randomCollection(1, 64, 1, 20)
	_, bound, err := Budgets(c, nil, 16)
	require.NoError(t, err)
	batch, ids := NewBatch(c, bound), NewRandom(2).Permutation(64)[:16]
	require.Zero(t, testing.AllocsPerRun(20, func() { err = batch.Pack(c, ids) }))
	require.NoError(t, err)
}

func TestPackErrors(t *testing.T) {
	c := randomCollection(1, 10, 1, 9)
	_, bound, err := Budgets(c, nil, 4)
	require.NoError(t, err)
	batch := NewBatch(c, bound)
	require.ErrorContains(t, batch.Pack(c, []int32{0, 10}), "complex number 10 at place 1")
	require.ErrorContains(t, batch.Pack(c, []int32{-1}), "complex number -1")
	require.ErrorContains(t, batch.Pack(c, make([]int32, 5)), "fits none of the budgets")
	require.ErrorContains(t, NewBatch(&Collection{Degree: 2}, bound).Pack(c, []int32{0}), "NewBatch")
	require.ErrorContains(t, batch.Coordinates(c, make([]float32, 3)), "3 values for the coordinates")
	small := Budget{Complexes: 1, Vertices: 1, Simplices: 100}
	full := slices.IndexFunc(everyID(c), func(id int32) bool { v, _ := c.Sizes(int(id)); return v > 0 })
	require.Error(t, NewBatch(c, small).Pack(c, []int32{int32(full)}), "no padding vertex would be left")

	wrong := edgeTo(3)
	batch = NewBatch(wrong, Budget{Complexes: 2, Vertices: 8, Simplices: 8})
	require.NoError(t, batch.Pack(wrong, []int32{0}))
	before := slices.Clone(batch.VertexIDs)
	require.ErrorContains(t, batch.Pack(wrong, []int32{1, 0}),
		`collection "triangles": complex 1, simplex 1: vertex number 3, but the complex has 3 vertices`)
	require.Equal(t, before, batch.VertexIDs, "as before")
	require.NoError(t, batch.Pack(edgeTo(2), []int32{1, 0}))
}

// TestBoundIsProven packs the worst batch there is, and the usual budget is checked on random ones: at most 2
// % of the batches of these collections need more (the documented 1 % and the spread of 2,000 draws).
func TestBoundIsProven(t *testing.T) {
	for seed := range uint32(8) {
		c := randomCollection(seed, 100, 1, 30)
		usual, bound, err := Budgets(c, nil, 8)
		require.NoError(t, err)
		bySize := everyID(c)
		for _, size := range []func(id int32) int{
			func(id int32) int { v, _ := c.Sizes(int(id)); return v },
			func(id int32) int { _, s := c.Sizes(int(id)); return s },
		} {
			slices.SortFunc(bySize, func(a, b int32) int { return size(b) - size(a) })
			require.True(t, bound.Fits(c, bySize[:8]))
		}
		random, past := NewRandom(seed), 0
		for range 2000 {
			if !usual.Fits(c, random.Permutation(c.Len())[:8]) {
				past++
			}
		}
		require.LessOrEqual(t, past, 40)
	}
}

func TestBudgetsOfEqualSizesAreOne(t *testing.T) {
	c := &Collection{Name: "equal", Dim: 1, Degree: 0, Classes: []string{"all"}}
	c.VertexStart, c.SimplexStart = []int32{0}, []int32{0}
	for g := range 20 {
		c.Vertices = append(c.Vertices, make([]float32, 5)...)
		c.Simplices = append(c.Simplices, 0, 1, 2)
		c.VertexStart = append(c.VertexStart, int32(g+1)*5)
		c.SimplexStart = append(c.SimplexStart, int32(g+1)*3)
		c.Labels = append(c.Labels, 0)
	}
	require.NoError(t, c.Validate())
	usual, bound, err := Budgets(c, nil, 4)
	require.NoError(t, err)
	require.Equal(t, Budget{Complexes: 4, Vertices: 24, Simplices: 16}, bound) // 4·5+1 and 4·3, in eights
	require.Equal(t, bound, usual)
	waste, err := Waste(c, everyID(c), usual)
	require.NoError(t, err)
	require.InDelta(t, 5*(24+16)/(20*8.0), waste, 1e-15) // five batches of 40 rows for 20 complexes of 8
}

func TestBudgetErrors(t *testing.T) {
	c := randomCollection(1, 10, 1, 9)
	_, _, err := Budgets(c, nil, 0)
	require.ErrorContains(t, err, "at least one")
	_, _, err = Budgets(c, []int32{3, 12}, 4)
	require.ErrorContains(t, err, "complex number 12 at place 1")
	_, err = Waste(c, []int32{0})
	require.ErrorContains(t, err, "no budget")
	_, err = Waste(c, []int32{77}, Budget{Complexes: 1})
	require.ErrorContains(t, err, "complex number 77")
	_, err = Waste(c, []int32{0}, Budget{Complexes: 1})
	require.ErrorContains(t, err, "fits none")

	usual, bound, err := Budgets(&Collection{Name: "none", Dim: 1, VertexStart: []int32{0}}, nil, 4)
	require.NoError(t, err, "no complexes: a batch of padding alone")
	require.Equal(t, Budget{Complexes: 4, Vertices: 8, Simplices: 8}, bound)
	require.Equal(t, bound, usual)
	waste, err := Waste(c, nil, bound)
	require.NoError(t, err)
	require.Equal(t, 1.0, waste)
	_, big, err := Budgets(c, nil, 50)
	require.NoError(t, err)
	require.True(t, big.Fits(c, everyID(c)), "a batch larger than the collection holds all of it")
}

func TestValidate(t *testing.T) {
	valid := func() *Collection { return randomCollection(2, 6, 1, 9) }
	require.NoError(t, valid().Validate())
	for want, damage := range map[string]func(c *Collection){
		"dimension 0":                        func(c *Collection) { c.Dim = 0 },
		"degree -1":                          func(c *Collection) { c.Degree = -1 },
		"do not make rows of 3":              func(c *Collection) { c.Vertices = c.Vertices[:4] },
		"VertexStart: 3 offsets":             func(c *Collection) { c.VertexStart = c.VertexStart[:3] },
		"SimplexStart: the offsets run from": func(c *Collection) { c.SimplexStart[0] = 1 },
		"complex 2 ends before it starts":    func(c *Collection) { c.VertexStart[3] = c.VertexStart[2] - 1 },
		"class number 2, but there are 2":    func(c *Collection) { c.Labels[1] = 2 },
		"column 1: the coordinate is NaN":    func(c *Collection) { c.Vertices[4] = nan32() },
		"vertex number 9, but":               func(c *Collection) { c.Simplices[3] = 9 },
		"vertex number -1, but":              func(c *Collection) { c.Simplices[3] = -1 },
		"kinds for":                          func(c *Collection) { c.SimplexTypes = []int32{0} },
		"simplex 0 of all has kind 2":        func(c *Collection) { withTypes(c).SimplexTypes[0] = 2 },
		"values for 6 complexes and 2 tasks": func(c *Collection) { withTasks(c).Targets = nil },
		"complex 1: the value of b is 0.5":   func(c *Collection) { withTasks(c).Targets[3] = 0.5 },
		"or NaN where unknown": func(c *Collection) {
			withTasks(c).Regression, c.Targets[0] = true, float32(math.Inf(1))
		},
	} {
		c := valid()
		damage(c)
		require.ErrorContains(t, c.Validate(), want)
	}
}

// withTypes gives the simplices two kinds in turn.
func withTypes(c *Collection) *Collection {
	c.Types = 2
	for s := range len(c.Simplices) / (c.Degree + 1) {
		c.SimplexTypes = append(c.SimplexTypes, int32(s%2))
	}
	return c
}

// withTasks asks two questions instead of for the class; every third answer is unknown.
func withTasks(c *Collection) *Collection {
	c.Classes, c.Tasks = nil, []string{"a", "b"}
	for g := range c.Labels {
		c.Labels[g] = 0
		for task := range 2 {
			c.Targets = append(c.Targets, []float32{1, 0, nan32()}[(2*g+task)%3])
		}
	}
	return c
}

// TestPackTypesAndTargets: kinds and values follow their simplices and complexes.
func TestPackTypesAndTargets(t *testing.T) {
	c := withTasks(withTypes(randomCollection(2, 20, 1, 9)))
	require.NoError(t, c.Validate())
	require.Equal(t, 2, c.Outputs())
	_, bound, err := Budgets(c, nil, 8)
	require.NoError(t, err)
	batch := NewBatch(c, bound)
	ids := NewRandom(3).Permutation(20)[:6]
	require.NoError(t, batch.Pack(c, everyID(c)[:8])) // what is overwritten must not matter
	require.NoError(t, batch.Pack(c, ids))
	var types []int32
	var targets []float32
	for _, id := range ids {
		types = append(types, c.SimplexTypes[c.SimplexStart[id]:c.SimplexStart[id+1]]...)
		targets = append(targets, c.Targets[2*id:2*id+2]...)
	}
	require.Equal(t, types, batch.SimplexTypes[:len(types)])
	require.NotContains(t, batch.SimplexTypes[len(types):], int32(1))
	require.Equal(t, fmt.Sprint(targets), fmt.Sprint(batch.Targets[:12]), "NaN equals nothing but in text")
	for _, y := range batch.Targets[12:] {
		require.True(t, y != y, "padding is unknown")
	}
	d, err := NewDataset(c, ids, Options{Batch: 8})
	require.NoError(t, err)
	for b, err := range d.Iter() {
		require.NoError(t, err)
		require.Len(t, b.Inputs, 6)
		require.Equal(t, types, tensors.MustCopyFlatData[int32](b.Inputs[4])[:len(types)])
		mask := []bool{true, true, true, true, true, true, false, false}
		require.Equal(t, mask, tensors.MustCopyFlatData[bool](b.Inputs[5]))
		known := tensors.MustCopyFlatData[bool](b.Labels[1])
		for i, y := range tensors.MustCopyFlatData[float32](b.Labels[0]) {
			if i < len(targets) && known[i] {
				require.Equal(t, targets[i], y)
			} else {
				require.False(t, known[i] || i < len(targets) && targets[i] == targets[i])
				require.Zero(t, y)
			}
		}
	}
}

func nan32() float32 {
	zero := float32(0)
	return zero / zero
}

// TestPackIntoEpoch packs batches into parts of arrays that hold a whole epoch, as one tensor per kind would.
func TestPackIntoEpoch(t *testing.T) {
	c := randomCollection(3, 24, 2, 9)
	_, bound, err := Budgets(c, nil, 8)
	require.NoError(t, err)
	const batches = 3
	epoch := NewBatch(c, Budget{8 * batches, bound.Vertices * batches, bound.Simplices * batches})
	for i := range batches {
		v, s := bound.Vertices, bound.Simplices
		part := Batch{
			Budget:    bound,
			VertexIDs: epoch.VertexIDs[i*v : (i+1)*v], VertexOf: epoch.VertexOf[i*v : (i+1)*v],
			Simplices: epoch.Simplices[i*s*3 : (i+1)*s*3], SimplexOf: epoch.SimplexOf[i*s : (i+1)*s],
			Labels: epoch.Labels[i*8 : (i+1)*8], Mask: epoch.Mask[i*8 : (i+1)*8],
		}
		require.NoError(t, part.Pack(c, everyID(c)[i*8:(i+1)*8]))
	}
	require.Equal(t, c.Labels, epoch.Labels)
	require.NotContains(t, epoch.Mask, false)
	single := NewBatch(c, bound)
	require.NoError(t, single.Pack(c, everyID(c)[8:16]))
	require.Equal(t, single.Simplices, epoch.Simplices[bound.Simplices*3:bound.Simplices*6])
}

func ExampleBatch_Pack() {
	// Two graphs in the plane: a path of three nodes and a single edge.
	c := &Collection{
		Name: "two graphs", Dim: 2, Degree: 1,
		Vertices:    []float32{0, 0, 1, 0, 1, 1, 2, 2, 3, 3},
		VertexStart: []int32{0, 3, 5},
		Simplices:   []int32{0, 1, 1, 2, 0, 1}, SimplexStart: []int32{0, 2, 3},
		Labels: []int32{0, 1}, Classes: []string{"path", "edge"},
	}
	batch := NewBatch(c, Budget{Complexes: 3, Vertices: 8, Simplices: 4})
	if err := batch.Pack(c, []int32{1, 0}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("vertices ", batch.VertexIDs, "of", batch.VertexOf)
	fmt.Println("simplices", batch.Simplices, "of", batch.SimplexOf)
	fmt.Println("labels   ", batch.Labels, batch.Mask)
	// Output:
	// vertices  [3 4 0 1 2 5 5 5] of [0 0 1 1 1 3 3 3]
	// simplices [0 1 2 3 3 4 7 7] of [0 1 1 3]
	// labels    [1 0 0] [true true false]
}

// TestPackLeavesOut: slices that are nil are left out, and the others are the
// same; those without entries are as good as nil.
func TestPackLeavesOut(t *testing.T) {
	c := randomCollection(3, 20, 2, 6)
	_, bound, err := Budgets(c, nil, 8)
	require.NoError(t, err)
	ids := NewRandom(1).Permutation(20)[:8]
	all, few, one := NewBatch(c, bound), NewBatch(c, bound), &Batch{Budget: bound, SimplexTypes: []int32{}}
	require.NoError(t, all.Pack(c, ids))
	few.VertexIDs, few.Simplices, few.Mask = nil, nil, nil
	require.NoError(t, few.Pack(c, ids))
	require.Equal(t, all.VertexOf, few.VertexOf)
	require.Equal(t, all.SimplexOf, few.SimplexOf)
	require.Equal(t, all.Labels, few.Labels)
	require.Nil(t, few.Mask)
	one.Simplices = make([]int32, len(all.Simplices))
	require.NoError(t, one.Pack(c, ids))
	require.Equal(t, all.Simplices, one.Simplices)
	one.Simplices = one.Simplices[1:]
	require.ErrorContains(t, one.Pack(c, ids), "not as long as")
}

func ExampleBudgets() {
	// A hundred paths with 2 to 21 vertices.
	c := &Collection{Name: "paths", Dim: 1, Degree: 1, Classes: []string{"path"}}
	c.VertexStart, c.SimplexStart = []int32{0}, []int32{0}
	for g := range 100 {
		length := int32(g%20 + 1)
		for v := range length {
			c.Simplices = append(c.Simplices, v, v+1)
		}
		c.Vertices = append(c.Vertices, make([]float32, length+1)...)
		c.VertexStart = append(c.VertexStart, c.VertexStart[g]+length+1)
		c.SimplexStart = append(c.SimplexStart, c.SimplexStart[g]+length)
		c.Labels = append(c.Labels, 0)
	}
	usual, bound, err := Budgets(c, nil, 16)
	if err != nil {
		fmt.Println(err)
		return
	}
	waste, err := Waste(c, NewRandom(42).Permutation(c.Len()), usual, bound)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("usual %+v\nbound %+v\npadded rows per real row: %.2f\n", usual, bound, waste)
	// Output:
	// usual {Complexes:16 Vertices:256 Simplices:232}
	// bound {Complexes:16 Vertices:320 Simplices:304}
	// padded rows per real row: 1.55
}
