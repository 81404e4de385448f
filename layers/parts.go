package layers

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/datasets/packing"
)

// Parts are the nodes of a [Batch] made by hand. Those that its methods ask for
// have to be there; padding is as package layers describes it.
type Parts struct {
	Vertices  *Node       // [V, n]: coordinates; zeros for padding
	VertexOf  *Node       // [V] integers, ascending: complex of each vertex; B for padding
	Simplices []Simplices // by degree; degree 0 has only a cochain, labels and chains
	Mask      *Node       // [B] bool: true for complexes, false for padding
	Labels    *Node       // [B] integers: class numbers
	Targets   *Node       // [B, tasks]: values to be learned, NaN where unknown; nil where it is the class
	Globals   *Node       // [B, width]: input data on whole complexes; 0 for padding; nil for none
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

// NewBatch returns the batch of these parts.
func NewBatch(p Parts) *Batch {
	b := &Batch{degree: max(0, len(p.Simplices)-1), nodes: map[part]*Node{}}
	set := func(kind packing.Kind, degree int, x *Node) {
		if x != nil {
			b.nodes[part{kind, degree}] = x
		}
	}
	set(packing.Rows, 0, p.Vertices)
	set(packing.VertexOf, 0, p.VertexOf)
	set(packing.Mask, 0, p.Mask)
	set(packing.Labels, 0, p.Labels)
	set(packing.Targets, 0, p.Targets)
	set(packing.Globals, 0, p.Globals)
	for k, s := range p.Simplices {
		set(packing.Corners, k, s.Corners)
		set(packing.SimplexOf, k, s.Of)
		set(packing.Faces, k, s.Faces)
		set(packing.Signs, k, s.Signs)
		set(packing.Cochain, k, s.Cochain)
		set(packing.Classes, k, s.Labels)
		if c := s.Chains; c != nil {
			b.nodes[part{packing.ChainOf, k}] = c.Of // nil or not: there are chains
			set(packing.TermSimplex, k, c.Simplex)
			set(packing.TermChain, k, c.Chain)
			set(packing.Coefficients, k, c.Coefficients)
		}
	}
	return b
}

// described are the kinds of parts: their names, in [Parts] where they are there, and their ranks.
var described = map[packing.Kind]struct {
	name string
	rank int
}{
	packing.Rows: {"Vertices", 2}, packing.VertexOf: {"VertexOf", 1}, packing.Mask: {"Mask", 1},
	packing.Labels: {"Labels", 1}, packing.Targets: {"Targets", 2}, packing.Globals: {"Globals", 2},
	packing.Corners: {"Corners", 2}, packing.SimplexOf: {"Of", 1}, packing.Faces: {"Faces", 2},
	packing.Signs: {"Signs", 2}, packing.Cochain: {"Cochain", 2}, packing.Classes: {"Labels of simplices", 1},
	packing.ChainOf: {"Chains.Of", 1}, packing.TermSimplex: {"Chains.Simplex", 1},
	packing.TermChain: {"Chains.Chain", 1}, packing.Coefficients: {"Chains.Coefficients", 1},

	packing.DistinctRows: {"distinct vertices", 1}, packing.DistinctCorners: {"distinct corners", 2},
	packing.DistinctOf: {"distinct simplices", 1}, packing.DistinctSign: {"signs of distinct simplices", 1},
	packing.DistinctCounts: {"counts of distinct simplices", 2},
	packing.DistinctChains: {"signed counts of distinct simplices", 2},
}

// has reports whether the batch has a part.
func (b *Batch) has(kind packing.Kind, degree int) bool {
	if b.layout != nil && b.layout.Find(kind, degree) >= 0 {
		return true
	}
	_, ok := b.nodes[part{kind, degree}]
	return ok
}

// find returns a part of the batch, nil if it has none of the kind.
func (b *Batch) find(kind packing.Kind, degree int) *Node {
	if !b.has(kind, degree) {
		return nil
	}
	return b.get(kind, degree)
}

// get returns a part of the batch, and panics if it has none.
func (b *Batch) get(kind packing.Kind, degree int) *Node {
	at, want := part{kind, degree}, described[kind]
	x := b.nodes[at]
	if x == nil && b.layout != nil {
		x = b.read(kind, degree)
		b.nodes[at] = x
	}
	if x == nil {
		exceptions.Panicf("layers.Batch: %s is nil: set it for what this batch is asked for", want.name)
	}
	if b.layout == nil && x.Rank() != want.rank {
		exceptions.Panicf("layers.Batch: %s of shape %s: want %d axes", want.name, x.Shape(), want.rank)
	}
	return x
}

// rows returns the number of rows of a part without asking for it.
func (b *Batch) rows(kind packing.Kind, degree int) int {
	if b.layout != nil {
		if i := b.layout.Find(kind, degree); i >= 0 {
			return b.layout.Parts[i].Rows
		}
	}
	return rows(b.get(kind, degree))
}

// graph returns the graph of the batch.
func (b *Batch) graph() *Graph {
	if b.row != nil {
		return b.row.Graph()
	}
	return b.Vertices().Graph()
}
