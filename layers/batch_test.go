package layers_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/support/exceptions"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/datasets/simplicial"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// neural returns three neural k-forms in R³, with a rule that treats the vertices of a simplex alike: of what
// repeats itself another order may be integrated.
func neural(scope *model.Scope, k int) exterior.Form {
	return layers.KForm(scope.In("forms"), 3, k, 3).Quadrature(quadrature.Cubature(4)).Done()
}

// tetrahedra returns random complexes of degree 3 in R³, some of them bare, whose vertices are those of a
// cube, so that simplices repeat themselves. Cochains are small integers, two columns on every simplex.
func tetrahedra(count int) (*datasets.Collection, []*simplicial.Complex) {
	r, b := rand.New(rand.NewPCG(5, 5)), datasets.NewBuilder(3)
	b.Name, b.Faces = "tetrahedra", true
	var all []*simplicial.Complex
	for g := range count {
		vertices := 4 + r.IntN(5)
		var top [][]int
		for range (g % 4) * 2 {
			top = append(top, r.Perm(vertices)[:2+r.IntN(3)])
		}
		x := must(simplicial.New(vertices, top))
		var coordinates []float64
		for _, corner := range r.Perm(8)[:min(vertices, 8)] {
			coordinates = append(coordinates, float64(corner&1), float64(corner>>1&1), float64(corner>>2))
		}
		x = must(x.Embed(3, coordinates))
		all = append(all, x)
		simplices := make([][]int32, 4)
		for k := 1; k <= x.Dim(); k++ {
			simplices[k] = x.Simplices(k)
		}
		b.Add(x.Coords(), simplices, float64(g%2))
		for k := range 4 {
			var values []float64
			for range 2 * x.Count(k) {
				values = append(values, float64(r.IntN(9)-4))
			}
			b.SetCochain(k, values)
		}
	}
	return must(b.Collection()), all
}

// eachBatch calls what for the batches of a Dataset, with the complexes in each.
func eachBatch(t *testing.T, c *datasets.Collection, size int, what func(batch train.Batch, ids []int32)) {
	t.Helper()
	d := must(layers.NewDataset(c, nil, size, nil))
	from := 0
	for batch, err := range d.Iter() {
		require.NoError(t, err)
		to := min(from+size, c.Len())
		what(batch, c.IDs()[from:to])
		from = to
	}
	require.Equal(t, c.Len(), from)
}

// run computes a graph of tensors, the first of which are coordinates, in float64 and with the same weights
// every time. It returns float32.
func run(t *testing.T, backend compute.Backend, store *model.Store, in []*tensors.Tensor,
	build func(scope *model.Scope, in []*Node) []*Node) [][]float32 {
	t.Helper()
	var args []any
	for _, x := range in {
		args = append(args, x)
	}
	double := func(scope *model.Scope, in []*Node) []*Node {
		out := build(scope, append([]*Node{ConvertDType(in[0], dtypes.Float64)}, in[1:]...))
		for i := range out {
			out[i] = ConvertDType(out[i], dtypes.Float32)
		}
		return out
	}
	out := must(model.CallOnceN(backend, store, double, args...))
	values := make([][]float32, len(out))
	for i, x := range out {
		values[i] = tensors.MustCopyFlatData[float32](x)
	}
	return values
}

// single returns the complex as tensors.
func single(c *datasets.Collection, k, g int) []*tensors.Tensor {
	return []*tensors.Tensor{
		tensors.FromFlatDataAndDimensions(datasets.Float32s(c.Points(g)), c.Count(0, g), c.Dim),
		tensors.FromFlatDataAndDimensions(c.Corners(k, g), c.Count(k, g), k+1),
	}
}

// requireClose compares numbers that were computed in float64 and rounded to float32, which are exact to
// 6e-8, or sums of some of them.
func requireClose(t *testing.T, want, got []float32, message string, args ...any) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		tolerance := 1e-6 * (1 + math.Abs(float64(want[i])))
		require.InDelta(t, want[i], got[i], tolerance, fmt.Sprintf(message, args...))
	}
}

// TestBatchEqualsItsComplexes: padding and the other complexes change no integral, no readout and no
// gradient.
func TestBatchEqualsItsComplexes(t *testing.T) {
	backend := backendtest.Get(t, "go")
	c, _ := tetrahedra(10)
	for k := range 4 {
		store := seeded()
		integral := func(scope *model.Scope, in []*Node) []*Node {
			x := exterior.Integrate(neural(scope, k), in[0], in[1])
			out := []*Node{x, ReduceSum(Square(x), 0), ReduceSum(x, 0), Sqrt(ReduceSum(Square(x), 0))}
			return append(out, backendtest.Gradients(scope.Store(), ReduceAllSum(Square(x)))...)
		}
		eachBatch(t, c, 4, func(batch train.Batch, ids []int32) {
			got := run(t, backend, store, batch.Inputs, func(scope *model.Scope, in []*Node) []*Node {
				b, forms := layers.Unpack(batch.Spec, in), neural(scope, k)
				readout := b.Readout(layers.SquaredL2, forms)
				out := []*Node{b.Integrate(forms), readout, b.Readout(layers.Sum, forms),
					b.Readout(layers.L2, forms)}
				return append(out, backendtest.Gradients(scope.Store(), ReduceAllSum(readout))...)
			})
			row := 0
			sums := make([][]float32, len(got)-4)
			for i := range sums {
				sums[i] = make([]float32, len(got[4+i]))
			}
			for place, g := range ids {
				if c.Count(k, int(g)) == 0 {
					require.Equal(t, make([]float32, 3), got[1][3*place:3*place+3])
					continue
				}
				own := run(t, backend, store, single(c, k, int(g)), integral)
				requireClose(t, own[0], got[0][3*row:3*row+len(own[0])], "integrals of degree %d", k)
				row += c.Count(k, int(g))
				for i := 1; i < 4; i++ {
					requireClose(t, own[i], got[i][3*place:3*place+3], "readout %d of degree %d", i, k)
				}
				for i, x := range own[4:] {
					for j := range x {
						sums[i][j] += x[j]
					}
				}
			}
			for place := len(ids); place < 4; place++ {
				require.Equal(t, make([]float32, 3), got[1][3*place:3*place+3], "padding")
			}
			for i := range sums {
				requireClose(t, sums[i], got[4+i], "gradient of degree %d", k)
			}
			if k > 0 {
				require.Equal(t, make([]float32, len(got[0])-3*row), got[0][3*row:], "padding has no volume")
			}
		})
	}
}

// TestIncidenceOfBatches: coboundary and boundary of cochains of a batch are the boundary operators of
// its complexes, number for number.
func TestIncidenceOfBatches(t *testing.T) {
	backend := backendtest.Get(t, "go")
	c, all := tetrahedra(10)
	for k := 1; k < 4; k++ {
		eachBatch(t, c, 4, func(batch train.Batch, ids []int32) {
			got := run(t, backend, seeded(), batch.Inputs, func(_ *model.Scope, in []*Node) []*Node {
				b := layers.Unpack(batch.Spec, in)
				incidence := b.Incidence(k)
				first := func(x *Node) *Node { return SliceAxis(x, 1, AxisElem(0)) }
				return []*Node{incidence.Coboundary(first(b.Cochain(k - 1))),
					incidence.Boundary(first(b.Cochain(k)))}
			})
			var up, down []float32
			for _, g := range ids {
				x := all[g]
				d, delta := make([]float64, x.Count(k)), make([]float64, x.Count(k-1))
				x.Boundary(k).MulVecTo(d, true, column(onCochains(c, k-1, int(g))))
				x.Boundary(k).MulVecTo(delta, false, column(onCochains(c, k, int(g))))
				up, down = append(up, float32s(d)...), append(down, float32s(delta)...)
			}
			up = append(up, make([]float32, len(got[0])-len(up))...)
			down = append(down, make([]float32, len(got[1])-len(down))...)
			require.Equal(t, up, got[0], "the coboundary of degree %d", k)
			require.Equal(t, down, got[1], "the boundary of degree %d", k)
		})
	}
}

// onCochains returns the cochain of a complex.
func onCochains(c *datasets.Collection, k, g int) (x []float64) {
	from, to := 0, 0
	for h := range g + 1 {
		from, to = to, to+c.Count(k, h)
	}
	return c.Simplices[k].Cochain[2*from : 2*to]
}

// column returns the first of the two columns of a cochain.
func column(x []float64) (first []float64) {
	for i := 0; i < len(x); i += 2 {
		first = append(first, x[i])
	}
	return first
}

func float32s(x []float64) []float32 {
	out := make([]float32, len(x))
	for i, v := range x {
		out[i] = float32(v) + 0 // no negative zeros
	}
	return out
}

// TestDistinctEqualsPlain: what repeats itself and is integrated once has the values and gradients of what is
// written out.
func TestDistinctEqualsPlain(t *testing.T) {
	backend := backendtest.Get(t, "go")
	c, _ := tetrahedra(8)
	var in [2][]*tensors.Tensor
	var layouts [2]*packing.Layout
	for i, p := range []*packing.Packer{packing.New(c), packing.Distinct(c, 100)} {
		usual, bound, err := p.Budgets(8)
		require.NoError(t, err)
		require.Equal(t, i == 1, usual.Distinct != nil)
		layouts[i] = p.Layout(bound)
		row := make([]int32, layouts[i].Width())
		require.True(t, must(p.Pack(layouts[i], c.IDs(), row)))
		table := make([]float32, 3*p.TableRows())
		p.Coordinates(table)
		in[i] = []*tensors.Tensor{tensors.FromFlatDataAndDimensions(table, len(table)/3, 3),
			tensors.FromFlatDataAndDimensions(row, len(row))}
	}
	signs := layouts[1].View(layouts[1].Find(packing.DistinctSign, 1),
		tensors.MustCopyFlatData[int32](in[1][1]))
	require.Contains(t, signs, int32(-1))
	require.Less(t, in[1][0].Shape().Dimensions[0], in[0][0].Shape().Dimensions[0]/3, "vertices of cubes")
	for k := range 4 {
		var got [2][][]float32
		for i := range got {
			got[i] = run(t, backend, seeded(), in[i], func(scope *model.Scope, in []*Node) []*Node {
				b := layers.Unpack(layouts[i], in)
				forms := neural(scope, k)
				require.Equal(t, 8, b.Complexes())
				require.Equal(t, 3, b.Degree())
				require.Equal(t, 3, b.Dim())
				x := b.Integrate(forms)
				rows := 0
				out := []*Node{x, b.Vertices(), b.PerVertex(func(x *Node) *Node {
					rows = x.Shape().Dimensions[0]
					return Sin(x)
				})}
				require.Equal(t, min(b.Count(0), in[0].Shape().Dimensions[0]), rows)
				loss := ReduceAllSum(Square(x))
				if k == 0 { // all padding vertices count, so take those of complexes
					loss = ReduceAllSum(b.Readout(layers.SquaredL2, forms))
				}
				for _, reduction := range []layers.Reduction{layers.Sum, layers.Mass, layers.L2,
					layers.SquaredL2} {
					y := b.Readout(reduction, forms)
					out, loss = append(out, y), Add(loss, ReduceAllSum(Sin(y)))
				}
				return append(out, backendtest.Gradients(scope.Store(), loss)...)
			})
		}
		require.Len(t, got[1], len(got[0]))
		for i := range got[0] {
			requireClose(t, got[0][i], got[1][i], "result %d of degree %d", i, k)
		}
	}
}

// byHand returns a triangle in the plane, and padding.
func byHand(g *Graph) *layers.Parts {
	return &layers.Parts{
		Vertices: Const(g, [][]float32{{0, 0}, {1, 0}, {0, 1}, {0, 0}}),
		VertexOf: Const(g, []int32{0, 0, 0, 1}),
		Corners:  []*Node{2: Const(g, [][]int64{{0, 1, 2}, {3, 3, 3}})},
		Of:       []*Node{2: Const(g, []int32{0, 1})},
		Mask:     Const(g, []bool{true}),
	}
}

// TestBatchByHand: degrees that are not there are no hindrance, indices are integers of any type, and what is
// missing or does not fit is named.
func TestBatchByHand(t *testing.T) {
	readout := func(k int, change func(g *Graph, p *layers.Parts)) (*tensors.Tensor, error) {
		return CallOnce(backendtest.Get(t, "go"), func(g *Graph) *Node {
			p := byHand(g)
			change(g, p)
			return layers.NewBatch(*p).Readout(layers.Sum, ones(2, k))
		})
	}
	for _, x := range []struct {
		k      int
		change func(g *Graph, p *layers.Parts)
		want   float32
	}{
		{2, func(*Graph, *layers.Parts) {}, 0.5},
		{0, func(*Graph, *layers.Parts) {}, 3},
		{0, func(_ *Graph, p *layers.Parts) { p.Corners = nil }, 3},
	} {
		require.Equal(t, [][]float32{{x.want}}, must(readout(x.k, x.change)).Value())
	}
	for want, change := range map[string]func(g *Graph, p *layers.Parts){
		"Mask is nil":              func(_ *Graph, p *layers.Parts) { p.Mask = nil },
		"Vertices is nil":          func(_ *Graph, p *layers.Parts) { p.Vertices = nil },
		"no simplices of degree 2": func(_ *Graph, p *layers.Parts) { p.Corners = nil },
		"Mask of shape (Bool)[1, 1]:": func(g *Graph, p *layers.Parts) {
			p.Mask = Const(g, [][]bool{{true}})
		},
		"Of is nil": func(_ *Graph, p *layers.Parts) {
			p.Of[2] = nil
		},
		"[S, forms] and [S] of integers": func(g *Graph, p *layers.Parts) {
			p.Of[2] = Const(g, []float32{0, 1})
		},
	} {
		_, err := readout(2, change)
		require.ErrorContains(t, err, want)
	}
	_, err := readout(0, func(_ *Graph, p *layers.Parts) { p.VertexOf = nil })
	require.ErrorContains(t, err, "VertexOf is nil")
}

// A batch in a graph of one's own: a path and a point, and padding up to four vertices and two edges, which
// belongs to the complex after the last.
func ExampleBatch() {
	lengths, err := CallOnce(goBackend(), func(g *Graph) *Node {
		batch := layers.NewBatch(layers.Parts{
			Vertices: Const(g, [][]float32{{0, 0}, {3, 1}, {7, 7}, {0, 0}}),
			VertexOf: Const(g, []int32{0, 0, 1, 2}),
			Corners:  []*Node{1: Const(g, [][]int32{{0, 1}, {3, 3}})},
			Of:       []*Node{1: Const(g, []int32{0, 2})},
			Mask:     Const(g, []bool{true, true}),
		})
		dx := exterior.Formula(2, 1, func(x []*Node) []*Node {
			return []*Node{OnesLike(x[0]), ZerosLike(x[0])}
		})
		return batch.Readout(layers.Sum, dx)
	})
	fmt.Println(lengths.Value(), err)
	// Output: [[3] [0]] <nil>
}

// batchOf returns a batch of that layout on a graph.
func batchOf(g *Graph, l *packing.Layout) *layers.Batch {
	return layers.Unpack(l, []*Node{Parameter(g, "table", shapes.Make(dtypes.Float32, 9, 3)),
		Parameter(g, "row", shapes.Make(dtypes.Int32, l.Width()))})
}

// TestUnread: a batch knows which of its parts it was asked for, be it by the name of the part or by a method
// that needs it; numbers and kinds ask for none. What was left out is not read as something else.
func TestUnread(t *testing.T) {
	c, _ := tetrahedra(8)
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
			require.Equal(t, []int{4, 3, 3, bound.Rows[0]},
				[]int{b.Complexes(), b.Degree(), b.Dim(), b.Count(0)})
			require.Nil(t, b.Targets())
			b.Corners(0)
			b.Count(3)
		}, nil},
		"vertices": {func(b *layers.Batch) { require.Same(t, b.Vertices(), b.Vertices()) },
			[]part{{packing.Rows, 0}}},
		"named": {func(b *layers.Batch) { b.Corners(3); b.Of(0); b.Of(1); b.Cochain(2) },
			[]part{{packing.Corners, 3}, {packing.VertexOf, 0}, {packing.SimplexOf, 1},
				{packing.Cochain, 2}}},
		"classes": {func(b *layers.Batch) { b.Labels(); b.Mask() },
			[]part{{packing.Labels, 0}, {packing.Mask, 0}}},
		"edges": {func(b *layers.Batch) { b.Incidence(1) }, []part{{packing.Corners, 1}}},
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
	c, _ := tetrahedra(8)
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
