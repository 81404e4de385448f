package layers_test

import (
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// batchOf returns a batch of that layout on a graph.
func batchOf(g *Graph, l *packing.Layout) *layers.Batch {
	return layers.Unpack(l, []*Node{Parameter(g, "table", shapes.Make(dtypes.Float32, 9, 3)),
		Parameter(g, "row", shapes.Make(dtypes.Int32, l.Width()))})
}

// TestUnread: a batch knows which of its parts it was asked for, be it by the name of the part or by a method
// that needs it; numbers and kinds ask for none. What was left out is not read as something else.
func TestUnread(t *testing.T) {
	c, _ := tetrahedra(t, 8)
	for g := range c.Len() {
		c.GlobalWidth, c.Globals = 1, append(c.Globals, float32(g))
	}
	require.NoError(t, c.Validate())
	p := packing.Distinct(c, 100)
	_, bound, err := p.Budgets(4)
	require.NoError(t, err)
	layout := p.Layout(bound)
	type part struct {
		kind   packing.Kind
		degree int
	}
	distinct := []part{{packing.DistinctRows, 2}, {packing.DistinctCorners, 2}}
	for name, ask := range map[string]struct {
		of   func(b *layers.Batch)
		read []part
	}{
		"numbers": {func(b *layers.Batch) {
			require.Equal(t, []int{4, 3, 3, -1, bound.Rows[0]},
				[]int{b.Complexes(), b.Degree(), b.Dim(), b.Labeled(), b.Count(0)})
			require.Nil(t, b.Targets())
			b.Corners(0)
			b.Count(3)
		}, nil},
		"vertices": {func(b *layers.Batch) { require.Same(t, b.Vertices(), b.Vertices()) },
			[]part{{packing.Rows, 0}}},
		"named": {func(b *layers.Batch) { b.Corners(3); b.Of(0); b.Of(1); b.Cochain(2); b.Globals() },
			[]part{{packing.Corners, 3}, {packing.VertexOf, 0}, {packing.SimplexOf, 1}, {packing.Cochain, 2},
				{packing.Globals, 0}}},
		"classes": {func(b *layers.Batch) { b.Classes() }, []part{{packing.Labels, 0}, {packing.Mask, 0}}},
		"edges":   {func(b *layers.Batch) { b.Incidence(1) }, []part{{packing.Corners, 1}}},
		"incidence": {func(b *layers.Batch) { b.Incidence(3) },
			[]part{{packing.Faces, 3}, {packing.Signs, 3}}},
		"integrals": {func(b *layers.Batch) { b.Integrate(ones(3, 2)) },
			append([]part{{packing.DistinctOf, 2}, {packing.DistinctSign, 2}}, distinct...)},
		"readout": {func(b *layers.Batch) { b.Readout(layers.Sum, ones(3, 2)) },
			append([]part{{packing.DistinctChains, 2}}, distinct...)},
		"of vertices": {func(b *layers.Batch) { b.Readout(layers.Sum, ones(3, 0)) },
			[]part{{packing.Rows, 0}, {packing.VertexOf, 0}}},
	} {
		g := NewGraph(backendtest.Get(t, "go"), name)
		b := batchOf(g, layout)
		require.Len(t, b.Unread(), len(layout.Parts), "as long as nothing is asked for")
		ask.of(b)
		var want []int
		for i, p := range layout.Parts {
			if !slices.Contains(ask.read, part{p.Kind, p.Degree}) {
				want = append(want, i)
			}
		}
		require.Len(t, want, len(layout.Parts)-len(ask.read), name)
		require.Equal(t, want, b.Unread(), name)
		// The same asks of a batch without the others; anything else is an error.
		trimmed := layout.Without(b.Unread()...)
		g = NewGraph(backendtest.Get(t, "go"), name)
		b = batchOf(g, trimmed)
		ask.of(b)
		require.Equal(t, want, b.Unread(), name)
		require.ErrorContains(t, exceptions.TryCatch[error](func() { b.Cochain(1) }),
			"asks for Cochain of degree 1, which it did not ask for when it was first built", name)
	}
}

// TestUnpackComparesLengths: rows that were joined, or belong to another layout, are not read as the first.
func TestUnpackComparesLengths(t *testing.T) {
	c, _ := tetrahedra(t, 8)
	p := packing.New(c)
	_, bound, err := p.Budgets(4)
	require.NoError(t, err)
	layout := p.Layout(bound)
	bare := layout.WithoutTable()
	row := func(length int) shapes.Shape { return shapes.Make(dtypes.Int32, length) }
	vertices := func(rows int) shapes.Shape { return shapes.Make(dtypes.Float32, rows, 3) }
	for _, x := range []struct {
		layout     *packing.Layout
		table, row shapes.Shape
		want       string
	}{
		{layout, vertices(9), row(layout.Width()), ""},
		{layout, vertices(9), row(2 * layout.Width()), "a row of shape"},
		{layout, vertices(9), row(bare.Width()), "a row of shape"},
		{layout, row(9), row(layout.Width()), "vertices of shape"},
		{bare, vertices(bound.Rows[0]), row(bare.Width()), ""},
		{bare, vertices(2 * bound.Rows[0]), row(bare.Width()), "vertices of shape"},
	} {
		g := NewGraph(backendtest.Get(t, "go"), "lengths")
		inputs := []*Node{Parameter(g, "table", x.table), Parameter(g, "row", x.row)}
		err := exceptions.TryCatch[error](func() { layers.Unpack(x.layout, inputs) })
		if x.want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, "layers.Unpack: "+x.want)
	}
}
