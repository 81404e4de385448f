package train

import (
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers"
)

// Batch holds the nodes of one padded batch of complexes, with V vertices and
// S simplices in all and B complexes: see datasets.Batch for the padding.
type Batch struct {
	Table        *Node // [U, n]: the coordinates that occur in the collection; the last row is zero
	Rows         *Node // [V] int32: row of each vertex in Table
	Vertices     *Node // [V, n]: coordinates, these rows; zeros for padding
	VertexOf     *Node // [V] int32, ascending: complex of each vertex; B for padding
	Simplices    *Node // [S, k+1] int32: vertex numbers in the batch
	SimplexOf    *Node // [S] int32, ascending: complex of each simplex; B for padding
	SimplexTypes *Node // [S] int32: kind of each simplex; nil where all are alike
	Mask         *Node // [B] bool: true for complexes, false for padding
	Labels       *Node // [B] int32: class numbers
	Targets      *Node // [B, tasks]: values to be learned, NaN where unknown; nil where it is the class

	distinct *distinct
}

// distinct are the simplices of a batch without repetition, see
// datasets.DistinctBatch.
type distinct struct{ vertices, simplices, of, sign, counts, chains *Node }

// Complexes returns B.
func (b *Batch) Complexes() int { return b.Mask.Shape().Dimensions[0] }

// Integrate returns the integration matrix [S, count] of forms over the
// simplices of the batch. In a collection that repeats itself, as molecules
// do, simplices whose corners have the same coordinates are integrated once.
func (b *Batch) Integrate(forms *layers.Forms) *Node {
	d := b.distinct
	if d == nil {
		return forms.Integrate(b.Vertices, b.Simplices)
	}
	x := forms.Integrate(d.vertices, d.simplices)
	sign := ConvertDType(ExpandAxes(d.sign, -1), x.DType())
	return Mul(sign, Gather(x, ExpandAxes(d.of, -1)))
}

// Readout returns the readout [B, count] of the integration matrix of forms
// over the complexes of the batch, as layers.Readout does of that by
// Integrate. In a collection that repeats itself nothing is written out for
// every simplex.
func (b *Batch) Readout(reduction layers.Reduction, forms *layers.Forms) *Node {
	d := b.distinct
	if d == nil {
		return layers.Readout(reduction, b.Integrate(forms), b.SimplexOf, b.Complexes())
	}
	counts := d.counts
	if reduction == layers.Sum {
		counts = d.chains
	}
	return layers.ReadoutCounts(reduction, forms.Integrate(d.vertices, d.simplices), counts)
}

// Model builds the outputs of a batch: logits [B, classes], or a logit or
// number for every task, [B, tasks]; numbers are in units of the standard
// deviation of the training part about its mean. It is called once for every
// program that is compiled, always with a root scope.
type Model func(scope *model.Scope, batch *Batch) *Node

// asFloats reads int32 as the float32 with the same bits.
func asFloats(bits *Node) *Node { return Bitcast(bits, dtypes.Float32) }
