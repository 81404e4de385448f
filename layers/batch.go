package layers

import (
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/layers/exterior"
)

// Batch is a flat, padded batch of B complexes on the graph, with V vertices
// in all: what every model and trainer takes. [Unpack] makes it of what
// [Dataset] yields. In a graph of one's own the fields are set by hand: those
// that a method takes, of which it panics for one that is nil, and padding as
// package layers describes it.
type Batch struct {
	Vertices  *Node       // [V, n]: coordinates; zeros for padding
	VertexOf  *Node       // [V] integers, ascending: complex of each vertex; B for padding
	Simplices []Simplices // by degree; of degree 0 there is nothing but a cochain and chains
	Mask      *Node       // [B] bool: true for complexes, false for padding
	Labels    *Node       // [B] integers: class numbers
	Targets   *Node       // [B, tasks]: values to be learned, NaN where unknown; nil where it is the class
	Globals   *Node       // [B, width]: input data on whole complexes; 0 for padding; nil for none

	table, rows *Node      // the vertices are these rows [V] of the table [U, n]; nil if there is none
	repeated    []repeated // by degree; nil if simplices do not repeat themselves
}

// Simplices holds the S simplices of one degree k of a batch.
type Simplices struct {
	Corners *Node // [S, k+1] integers: vertex numbers in the batch, in the order that orients the simplex
	Of      *Node // [S] integers, ascending: complex of each simplex; B for padding
	Faces   *Node // [S, k+1] integers: facets, as numbers of (k-1)-simplices in the batch; nil for none
	Signs   *Node // [S, k+1]: their signs in the boundary, 1 or -1; 0 for padding; nil for none
	Cochain *Node // [S, width]: input data; nil for none
	Labels  *Node // [S] integers: class numbers, -1 where unknown and for padding; nil unless learned
	Chains  *Chains
}

// Chains holds the M chains of simplices of one degree, term by term.
type Chains struct {
	Of           *Node // [M] integers, ascending: complex of each chain; B for padding
	Simplex      *Node // [T] integers: simplex of each term
	Chain        *Node // [T] integers: chain of each term
	Coefficients *Node // [T]
}

// repeated are the distinct simplices of one degree: integrals over simplex i
// of the batch are sign[i] times those over simplex of[i] of these.
type repeated struct{ vertices, corners, of, sign, counts, chains *Node }

// Complexes returns B.
func (b *Batch) Complexes() int { return rows(field("Mask", b.Mask, 1)) }

// Labeled returns the degree of the simplices whose classes are learned, -1
// where it is something of complexes.
func (b *Batch) Labeled() int {
	return slices.IndexFunc(b.Simplices, func(s Simplices) bool { return s.Labels != nil })
}

// Classes returns the class numbers that are to be learned, and which are known
// [rows] bool: those of complexes, or of the simplices of degree Labeled. A
// model puts out a row of logits for each.
func (b *Batch) Classes() (labels, known *Node) {
	if k := b.Labeled(); k >= 0 {
		labels = field("Labels of simplices", b.Simplices[k].Labels, 1)
		return labels, GreaterOrEqual(labels, ZerosLike(labels))
	}
	return b.Labels, field("Mask", b.Mask, 1)
}

// Dim returns n, the dimension of the space.
func (b *Batch) Dim() int { return field("Vertices", b.Vertices, 2).Shape().Dimensions[1] }

// Degree returns the highest degree of the simplices, 0 where there are only
// vertices.
func (b *Batch) Degree() int { return max(0, len(b.Simplices)-1) }

func rows(x *Node) int { return x.Shape().Dimensions[0] }

// field returns a field of a batch, and panics unless it was set to a node of
// that rank.
func field(name string, x *Node, rank int) *Node {
	if x == nil {
		exceptions.Panicf("layers.Batch: %s is nil: set it for what this batch is asked for", name)
	}
	if x.Rank() != rank {
		exceptions.Panicf("layers.Batch: %s of shape %s: want %d axes", name, x.Shape(), rank)
	}
	return x
}

// simplices returns those of degree k, and panics for a method where there
// are none.
func (b *Batch) simplices(method string, k int) Simplices {
	if k < 0 || k > b.Degree() || k > 0 && b.Simplices[k].Corners == nil {
		exceptions.Panicf("layers.Batch.%s: no simplices of degree %d in a batch of degree %d", method, k,
			b.Degree())
	}
	var s Simplices
	if k < len(b.Simplices) {
		s = b.Simplices[k]
	}
	if k == 0 {
		vertices := field("Vertices", b.Vertices, 2)
		s.Of, s.Corners = b.VertexOf, Iota(vertices.Graph(), shapes.Make(dtypes.Int32, rows(vertices), 1), 0)
	}
	return s
}

// Integrate returns the integration matrix [m, ℓ] of forms over the chains of
// their degree (paper, section 4.2): without chains, each simplex is one, and
// for k = 0 each vertex. In a collection that repeats itself, as molecules do,
// simplices whose corners have the same coordinates are integrated once. Their
// corners may then come in another order: a rule that does not treat them
// alike, see quadrature.Symmetric, changes by as much as it is off.
func (b *Batch) Integrate(form exterior.Form) *Node {
	s := b.simplices("Integrate", form.Degree)
	var x *Node
	if r := b.repeats(form.Degree); r != nil {
		x = exterior.Integrate(form, r.vertices, r.corners)
		x = Mul(ConvertDType(ExpandAxes(r.sign, -1), x.DType()), Gather(x, ExpandAxes(r.of, -1)))
	} else {
		x = exterior.Integrate(form, field("Vertices", b.Vertices, 2), s.Corners)
	}
	if c := s.Chains; c != nil {
		return c.sum(x, field("Chains.Coefficients", c.Coefficients, 1))
	}
	return x
}

// sum returns the sums [M, ℓ] of the rows of x [S, ℓ] over the chains, with
// these coefficients [T].
func (c *Chains) sum(x, coefficients *Node) *Node {
	return exterior.Chains(x, field("Chains.Simplex", c.Simplex, 1), field("Chains.Chain", c.Chain, 1),
		coefficients, rows(field("Chains.Of", c.Of, 1)))
}

// Volumes returns the k-volumes [m] of what forms are integrated over: of the
// k-simplices, see exterior.Volumes, or of the chains Σ λ_σ σ of degree k, which
// have Σ |λ_σ|·|σ|. Their rows are those of Integrate.
func (b *Batch) Volumes(k int) *Node {
	s := b.simplices("Volumes", k)
	volumes := exterior.Volumes(field("Vertices", b.Vertices, 2), s.Corners)
	if c := s.Chains; c != nil {
		coefficients := Abs(field("Chains.Coefficients", c.Coefficients, 1))
		return Squeeze(c.sum(ExpandAxes(volumes, -1), coefficients), 1)
	}
	return volumes
}

// VertexVolumes returns the volumes [V] of the barycentric dual cells of the
// vertices in the k-simplices: of each simplex every corner has an equal share.
// In a mesh of triangles they are the areas that vertices stand for, the weights
// of integrals and means of functions on vertices, see [Mean]. Chains do not
// matter. Vertices of no k-simplex have 0, as padding does.
func (b *Batch) VertexVolumes(k int) *Node {
	s, vertices := b.simplices("VertexVolumes", k), field("Vertices", b.Vertices, 2)
	shares := DivScalar(exterior.Volumes(vertices, s.Corners), float64(k+1))
	shares = BroadcastToDims(ExpandAxes(shares, -1), rows(s.Corners), k+1)
	return exterior.SegmentSum(Reshape(shares, -1), Reshape(s.Corners, -1), rows(vertices), false)
}

// Readout returns the readout [B, ℓ] of the integration matrix of forms over
// the complexes of the batch; for the energy with the volumes of Volumes. In a
// collection that repeats itself nothing is written out for every simplex.
func (b *Batch) Readout(reduction Reduction, form exterior.Form) *Node {
	s := b.simplices("Readout", form.Degree)
	if r := b.repeats(form.Degree); r != nil && s.Chains == nil {
		counts := r.counts
		if reduction == Sum {
			counts = r.chains
		}
		x := exterior.Integrate(form, r.vertices, r.corners)
		if reduction == Energy {
			reduction, x = SquaredL2, Density(x, exterior.Volumes(r.vertices, r.corners))
		}
		return readoutCounts(reduction, x, counts)
	}
	name, of := "Of", s.Of
	switch {
	case s.Chains != nil:
		name, of = "Chains.Of", s.Chains.Of
	case form.Degree == 0:
		name = "VertexOf"
	}
	x := b.Integrate(form)
	if reduction == Energy {
		reduction, x = SquaredL2, Density(x, b.Volumes(form.Degree))
	}
	return Readout(reduction, x, field(name, of, 1), b.Complexes())
}

// repeats returns the distinct simplices of degree k, nil for none.
func (b *Batch) repeats(k int) *repeated {
	if k >= len(b.repeated) || b.repeated[k].corners == nil {
		return nil
	}
	return &b.repeated[k]
}

// PerVertex returns f of the coordinates of all vertices, [V, width], where f
// computes each row of its result from the same row of its argument. In a
// collection that repeats itself distinct vertices are computed once.
func (b *Batch) PerVertex(f func(coordinates *Node) *Node) *Node {
	if b.table == nil || rows(b.table) >= rows(b.Vertices) {
		return f(b.Vertices)
	}
	return Gather(f(b.table), ExpandAxes(b.rows, -1))
}

// Unpack returns the batch that a model function of GoMLX is given: the spec
// and the inputs of [Dataset]. The spec is a *packing.Layout, the inputs are
// the table of vertices [U, n] that rows refer to, or of a layout without rows
// the vertices themselves, and a row of length layout.Width() that was packed by it.
func Unpack(spec any, inputs []*Node) *Batch {
	layout, ok := spec.(*packing.Layout)
	if !ok || len(inputs) != 2 {
		exceptions.Panicf("layers.Unpack: a spec of type %T and %d inputs: want those of a batch of "+
			"layers.Dataset", spec, len(inputs))
	}
	return assemble(layout, inputs[0], views(layout, inputs[1]))
}

// views returns the parts of a row [layout.Width()]. Those that are not packed
// are zeros, since their shapes may count.
func views(layout *packing.Layout, row *Node) []*Node {
	parts, from := make([]*Node, len(layout.Parts)), 0
	for i, p := range layout.Parts {
		length := p.Rows * p.Columns
		if !p.Packed {
			parts[i] = Zeros(row.Graph(), shapes.Make(row.DType(), length))
			continue
		}
		parts[i] = SliceAxis(row, 0, AxisRange(from, from+length))
		from += length
	}
	return parts
}

// assemble makes a batch of its parts and the table of vertices [U, n] that
// rows refer to, whose last row is zero. A layout without rows has the
// vertices themselves as table.
func assemble(layout *packing.Layout, table *Node, views []*Node) *Batch {
	part := func(kind packing.Kind, degree int) *Node {
		i := layout.Find(kind, degree)
		if i < 0 {
			return nil
		}
		p := layout.Parts[i]
		x := views[i]
		switch kind {
		case packing.Targets, packing.Globals, packing.Cochain, packing.Coefficients:
			x = Bitcast(x, dtypes.Float32)
		case packing.Mask:
			return GreaterThan(x, ZerosLike(x))
		}
		switch kind {
		case packing.Corners, packing.Faces, packing.Signs, packing.Cochain, packing.Targets,
			packing.Globals, packing.DistinctCorners, packing.DistinctCounts, packing.DistinctChains:
			x = Reshape(x, p.Rows, p.Columns)
		}
		return x
	}
	at := func(table, rows *Node) *Node { return Gather(table, ExpandAxes(rows, -1)) }
	b := &Batch{
		Vertices: table, VertexOf: part(packing.VertexOf, 0), Mask: part(packing.Mask, 0),
		Labels: part(packing.Labels, 0), Targets: part(packing.Targets, 0), Globals: part(packing.Globals, 0),
		Simplices: []Simplices{{}},
	}
	if b.rows = part(packing.Rows, 0); b.rows != nil {
		b.table, b.Vertices = table, at(table, b.rows)
	}
	for _, p := range layout.Parts {
		for len(b.Simplices) <= p.Degree {
			b.Simplices = append(b.Simplices, Simplices{})
		}
	}
	for k := range b.Simplices {
		b.Simplices[k] = Simplices{
			Corners: part(packing.Corners, k), Of: part(packing.SimplexOf, k),
			Faces: part(packing.Faces, k), Signs: part(packing.Signs, k), Cochain: part(packing.Cochain, k),
			Labels: part(packing.Classes, k),
		}
		if of := part(packing.ChainOf, k); of != nil {
			b.Simplices[k].Chains = &Chains{Of: of, Simplex: part(packing.TermSimplex, k),
				Chain: part(packing.TermChain, k), Coefficients: part(packing.Coefficients, k)}
		}
		if layout.Budget.Distinct == nil {
			continue
		}
		var r repeated
		if rows := part(packing.DistinctRows, k); rows != nil {
			r = repeated{
				vertices: at(table, rows), corners: part(packing.DistinctCorners, k),
				of: part(packing.DistinctOf, k), sign: part(packing.DistinctSign, k),
				counts: part(packing.DistinctCounts, k), chains: part(packing.DistinctChains, k),
			}
		}
		b.repeated = append(b.repeated, r)
	}
	return b
}
