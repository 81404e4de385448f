package path

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	gomlx "github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/initializer"
	"github.com/gomlx/gomlx/ml/nn"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/internal/scoped"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// Config is the size and the kind of a [Network]. Two kinds are controls of experiments: with "constant" the
// integrals are those of constant 1-forms, which do not depend on the position, and with "differences" the
// vertices receive the differences of functions to their two neighbors.
type Config struct {
	Points  int     // T, of every path, 2 or more
	Width   int     // m: dimension of the space in which the vertices move
	Forms   int     // ℓ: 1-forms of a layer
	Hidden  int     // width of the network ψ that moves a vertex
	Layers  int     // layers that move vertices; one more only reads
	Windows []int   // edges before and after a vertex, 0 to the ends; each has an equal share of the forms
	Dropout float64 // in [0, 1): share of the readout that a training step drops
	Augment Augment // random changes to the paths of a training step
	Kind    string  // what vertices receive: "" or "integrals" of neural 1-forms, "constant", "differences"
	Rank    int     // number of products a du that a 1-form is the sum of; 0: one
	Place   bool    // see positions alone, without velocities and times
}

// The kinds of networks, of which all but the first are controls.
const (
	ofIntegrals   = "integrals"   // of neural 1-forms
	ofConstant    = "constant"    // integrals of constant 1-forms, which do not depend on the place
	ofDifferences = "differences" // to the neighbors, of functions
)

// Check returns an error for sizes or a kind that no network has; [Network] panics with it.
func (c Config) Check() error {
	kinds := []string{ofIntegrals, ofConstant, ofDifferences}
	if !slices.Contains(kinds, cmp.Or(c.Kind, ofIntegrals)) {
		return fmt.Errorf("path.Network: no kind %q of networks on paths: want one of %v", c.Kind, kinds)
	}
	if c.Width < 1 || c.Forms < len(c.Windows) || c.Hidden < 1 || c.Layers < 0 ||
		len(c.Windows) == 0 || slices.Min(c.Windows) < 0 || c.Rank < 0 || c.Dropout < 0 || c.Dropout >= 1 {
		return fmt.Errorf("path.Network: %+v: want widths of 1 or more, one or more windows of 0 or more, "+
			"at least as many forms as windows, and a share in [0, 1) to drop", c)
	}
	return nil
}

// Network returns the logits [B, outputs] of a batch of B paths in Rⁿ, all of Config.Points points.
// Coordinates should have mean 0 and standard deviation 1 over the training data. The network adds the
// velocities, differences over three points on either side, normalized over the batch, and the time, from -1
// to 1. Its forms are on the space of positions, velocities and times. A layer that moves more than 33
// vertices keeps every second one, the first included.
func Network(scope *model.Scope, batch *layers.Batch, config Config, outputs int) *Node {
	if err := config.Check(); err != nil {
		panic(err)
	}
	x := linear(scope.In("embedding"), ExpandAxes(config.input(scope, batch), 0), config.Width)
	var read []*Node
	for i := range config.Layers + 1 {
		var r []*Node
		x, r = config.layer(scope.In("layer_%d", i), x, i == config.Layers)
		read = append(read, r...)
	}
	read = append(read, ReduceMean(x, 2), ReduceMax(config.resting(x), 2))
	h := layers.BatchNorm(scope.In("norm"), Squeeze(Concatenate(read, -1), 0), batch.Mask()) // [B, columns]
	head := scope.In("head")
	return Squeeze(linear(head, ExpandAxes(gomlx.DropoutStatic(head, h, config.Dropout), 0), outputs), 0)
}

// linear is [layers.Linear] as a product of a batch of one. All arrays of the network have this axis: without
// it XLA rounds in another way, and a training ends with other digits than those of published tables.
func linear(scope *model.Scope, x *Node, out int) *Node {
	return apply(scoped.Affine(scope, x, x.Shape().Dim(-1), out), x)
}

// apply returns x·W + B for x [1, ..., in].
func apply(a exterior.Affine, x *Node) *Node {
	dims := slices.Clone(x.Shape().Dimensions)
	last := len(dims) - 1
	x, w := Reshape(x, 1, -1, dims[last]), ExpandAxes(a.W, 0)
	dims[last] = w.Shape().Dim(2)
	x = Dot(x, w).General([]int{2}, []int{0}, []int{1}, []int{0})
	return Reshape(Add(x, ExpandLeftToRank(a.B, 3)), dims...)
}

// halved is the number of points of which every second one is left by a layer: beyond it.
const halved = 33

// layer moves the vertices x [1, B, T, m] and returns them, every second of them where they are many, and
// what is read out, [1, B, columns] each. The last layer does not move them.
func (c Config) layer(scope *model.Scope, x *Node, last bool) (moved *Node, read []*Node) {
	receive := c.received
	if c.Kind == ofDifferences {
		receive = c.differences
	}
	received, read := receive(scope, x)
	if last {
		return x, read
	}
	if x.Shape().Dimensions[2] > halved {
		second := func(x *Node) *Node { return SliceAxis(x, 2, AxisRange().Stride(2)) }
		x = second(x)
		for i := range received {
			received[i] = second(received[i])
		}
	}
	h := Concatenate(append([]*Node{x}, received...), -1)
	h = layers.SiLU(linear(scope.In("hear"), h, c.Hidden))
	h = Add(x, linear(scope.In("move"), h, c.Width))
	norm := scope.In("norm")
	scale := func(name string, init model.VariableInitializer) *Node {
		return ExpandLeftToRank(scoped.Variable(norm, h, name, init, c.Width), 4)
	}
	h = Mul(nn.LayerNorm(h, []int{-1}, 1e-5, nil, nil, nil), scale("gamma", initializer.One))
	return Add(h, scale("beta", initializer.Zero)), read
}

// received returns the integrals in windows that the vertices receive, and what is read of them.
func (c Config) received(scope *model.Scope, x *Node) (received, read []*Node) {
	integrals := c.integrals(scope, x) // [1, B, T-1, ℓ]
	running := cumulative(integrals)   // [1, B, T, ℓ]
	read = []*Node{
		Squeeze(SliceAxis(running, 2, AxisElem(-1)), 2),
		ReduceSum(Abs(integrals), 2),
		Sub(ReduceMax(c.resting(running), 2), ReduceMin(c.resting(running), 2)),
	}
	var before, after []*Node
	share := c.Forms / len(c.Windows)
	for i, w := range c.Windows {
		of := AxisRange(i*share, (i+1)*share)
		if i == len(c.Windows)-1 {
			of = AxisRange(i*share, c.Forms)
		}
		b, a := window(SliceAxis(running, 3, of), w)
		before, after = append(before, b), append(after, a)
	}
	return append(before, after...), read
}

// resting returns x [1, B, T, columns], of which the largest or least over the points is taken. Where a path
// rests several points have it, in networks without time: they share the gradient, of which GoMLX gives each
// of them the whole.
func (c Config) resting(x *Node) *Node {
	if !c.Place {
		return x
	}
	return IdentityWithCustomGradient(x, func(_, v *Node) *Node {
		points := ReduceAndKeep(ConvertDType(NotEqual(v, ZerosLike(v)), v.DType()), ReduceSum, 2)
		return Div(v, MaxScalar(points, 1))
	})
}

// differences returns those of functions to the neighbors, which the vertices receive without integrals, and
// the mean and the maximum of the functions, which are read.
func (c Config) differences(scope *model.Scope, x *Node) (received, read []*Node) {
	z := linear(scope.In("forms"), x, c.Forms)
	read = []*Node{ReduceMean(z, 2), ReduceMax(c.resting(z), 2)}
	d := Sub(SliceAxis(z, 2, AxisRangeToEnd(1)), SliceAxis(z, 2, AxisRangeFromStart(-1)))
	zero := ZerosLike(SliceAxis(z, 2, AxisElem(0)))
	return []*Node{Concatenate([]*Node{zero, d}, 2), Concatenate([]*Node{d, zero}, 2)}, read
}

// integrals returns the integrals of the forms of a layer over the edges, [1, B, T-1, ℓ].
func (c Config) integrals(scope *model.Scope, x *Node) *Node {
	d := x.Shape().Dimensions
	count := c.Forms * max(1, c.Rank) // of products, which are summed in the end
	activation, columns := layers.SiLU, 2*count
	if c.Kind == ofConstant {
		activation, columns = OnesLike, count
	}
	form := exterior.Decomposable(d[3], 1, count, func(x *Node) *Node {
		z := scoped.Affine(scope.In("forms"), x, d[3], columns)
		// Columns of functions come first in the weights, and last in Decomposable.
		turned := func(x *Node) *Node {
			return Concatenate([]*Node{SliceAxis(x, -1, AxisRange(columns-count)),
				SliceAxis(x, -1, AxisRange(0, count))}, -1)
		}
		z.W, z.B = turned(z.W), turned(z.B)
		if c.Place {
			return apply(z, x)
		}
		dt := scoped.Variable(scope, x, "time", initializer.RandomNormalFn(scope, 1), count)
		t := DivScalar(Iota(x.Graph(), shapes.Make(x.DType(), 1, 1, d[2], 1), 2), float64(d[2]-1))
		dt = ExpandLeftToRank(Concatenate([]*Node{dt, ZerosLike(dt)}, 0), 4)
		return Add(apply(z, x), Mul(t, dt))
	}, activation)
	form.Rule = quadrature.Gauss(2)
	products := exterior.IntegratePaths(form, x)
	return ReduceSum(Reshape(products, d[0], d[1], d[2]-1, -1, c.Forms), 3)
}

// cumulative returns the running integrals [1, B, T, ℓ] of those over edges [1, B, T-1, ℓ], as a product with
// a triangular matrix. It has the precision of the other products here, compiles in half the time of sums in
// blocks, and makes a step a tenth faster.
func cumulative(edges *Node) *Node {
	d := edges.Shape().Dimensions
	upTo := make([][]float32, d[2])
	for e := range upTo {
		upTo[e] = make([]float32, d[2]+1)
		for t := e + 1; t <= d[2]; t++ {
			upTo[e][t] = 1
		}
	}
	rows := Reshape(TransposeAllAxes(edges, 0, 1, 3, 2), -1, d[2])
	sums := MatMul(rows, ConvertDType(Const(edges.Graph(), upTo), edges.DType()))
	return TransposeAllAxes(Reshape(sums, d[0], d[1], d[3], d[2]+1), 0, 1, 3, 2)
}

// window returns the integrals over w edges before and after every vertex, fewer at the ends, of running
// integrals [1, B, T, ℓ].
func window(running *Node, w int) (before, after *Node) {
	points := running.Shape().Dimensions[2]
	end := SliceAxis(running, 2, AxisElem(-1))
	if w == 0 || w >= points-1 {
		return running, Sub(end, running)
	}
	d := Sub(SliceAxis(running, 2, AxisRange(w)), SliceAxis(running, 2, AxisRange(0, points-w)))
	before = Concatenate([]*Node{SliceAxis(running, 2, AxisRange(0, w)), d}, 2)
	after = Concatenate([]*Node{d, Sub(end, SliceAxis(running, 2, AxisRange(points-w)))}, 2)
	return before, after
}
