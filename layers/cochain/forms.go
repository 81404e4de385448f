package cochain

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/indices"
	"github.com/neuralkforms/nkf/layers/internal/scoped"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// Forms is a bundle of neural k-forms on Rᵐ whose coefficients are
//
//	f(x) = SiLU(x·A + a_t)·B + b,   B: [Hidden, C(m,k)·Count],
//
// with a bias a_t for each type t of simplex, so that forms differ between
// types and share all else: it is one network whose inputs are the point and
// the type, one-hot. They begin as PyTorch's Linear does.
//
// Forms are what their fields say: two with the same scope are one bundle,
// wherever they are written down, and others in the scope of a bundle panic.
type Forms struct {
	Scope  *model.Scope // "first" and "last" below it hold the variables
	Degree int          // k
	Count  int          // ℓ
	Hidden int          // width of the hidden layer
	Types  int          // of simplices; 0 or 1 for no types
	Rule   quadrature.Rule
}

// Integrate returns the k-cochains [S, ℓ] of the integrals over simplices
// [S, k+1] of vertices x [V, m]. types [S] are integers below Types, one for
// each simplex; without types they do not count, and may be nil. Numbers that
// are no vertices or types make wrong integrals without a word, unless package
// indices is asked to find them.
//
// The affine maps commute with the integral, as in [exterior.MLP.Integrate]:
// the first is computed at the corners, the last once a simplex.
func (f Forms) Integrate(x, simplices, types *Node) *Node {
	if x.Rank() != 2 || simplices.Rank() != 2 || simplices.Shape().Dimensions[1] != f.Degree+1 ||
		!simplices.DType().IsInt() || simplices.Shape().Dimensions[0] == 0 {
		exceptions.Panicf("cochain.Forms: %d-forms on vertices of shape %s, simplices of shape %s: want "+
			"[V, m] and integers [S, k+1], S 1 or more", f.Degree, x.Shape(), simplices.Shape())
	}
	m, count := x.Shape().Dimensions[1], simplices.Shape().Dimensions[0]
	if f.Degree > m {
		exceptions.Panicf("cochain.Forms: no forms of degree %d on vertices of dimension %d", f.Degree, m)
	}
	if f.Types > 1 && (types == nil || types.Rank() != 1 || !types.DType().IsInt() ||
		types.Shape().Dimensions[0] != count) {
		got := "none"
		if types != nil {
			got = "some of shape " + types.Shape().String()
		}
		exceptions.Panicf("cochain.Forms: forms of %d types of simplices, and for the types of %d simplices "+
			"%s: want integers [%d]", f.Types, count, got, count)
	}
	if f.Rule == nil {
		exceptions.Panicf("cochain.Forms: no rule to integrate by: want one of package quadrature as Rule")
	}
	nodes, err := f.Rule.Nodes(f.Degree)
	if err != nil {
		panic(err)
	}
	// One gather for all corners, and of the m columns of x rather than the
	// Hidden ones of x·A: gathers and the sums of their gradients cost most.
	check := indices.New("cochain.Forms", "simplices", "vertices", simplices, x.Shape().Dimensions[0])
	x, simplices = check.Guard(x), check.Index(simplices)
	if f.Types > 1 {
		x = indices.New("cochain.Forms", "types", "types", types, f.Types).Guard(x)
	}
	corners := f.Degree + 1
	rows := Gather(x, Reshape(Transpose(simplices, 0, 1), corners*count, 1))
	hidden := Reshape(f.first(rows, types), corners, count, f.Hidden)
	at := func(rows *Node, a int) *Node { return Squeeze(SliceAxis(rows, 0, AxisElem(a)), 0) }
	var mean *Node
	volume := 0.0 // 1/k!
	for q, w := range nodes.Weights {
		var z *Node
		for a, lambda := range nodes.Point(q) {
			z = plus(z, MulScalar(at(hidden, a), lambda))
		}
		mean = plus(mean, MulScalar(layers.SiLU(z), w))
		volume += w
	}
	last, outputs := f.Scope.At("last"), exterior.Components(m, f.Degree)*f.Count
	bias := MulScalar(biases(last, x, f.Hidden, outputs), volume)
	mean = MatMul(mean, matrix(last, x, f.Hidden, outputs))
	if f.Degree == 0 {
		return Add(mean, bias)
	}
	points := Reshape(rows, corners, count, m)
	edges := make([]*Node, f.Degree)
	for i := range edges {
		edges[i] = Sub(at(points, i+1), at(points, 0))
	}
	blade := exterior.Blade(edges...)
	mean = ReduceSum(Mul(ExpandAxes(blade, -1), Reshape(mean, count, -1, f.Count)), 1)
	// The gradient of a bias that is added to rows is a sum over rows, which
	// is slow on CPUs where a product of matrices is not.
	return Add(mean, MatMul(blade, Reshape(bias, -1, f.Count)))
}

// bundles are the forms on a graph, by the path of their scope.
type bundles struct{}

// claim panics where the graph has other forms in the scope: weights of the
// same size would be theirs too, those of 1-forms and 2-forms in space say.
func (f Forms) claim(x *Node) {
	known, _ := x.Graph().State(bundles{}).(map[string]Forms)
	if known == nil {
		known = map[string]Forms{}
		x.Graph().AttachState(bundles{}, known)
	}
	path := f.Scope.Scope()
	f.Types = max(1, f.Types)
	before, ok := known[path]
	if !ok {
		known[path], before = f, f
	}
	if before.Degree != f.Degree || before.Count != f.Count || before.Hidden != f.Hidden ||
		before.Types != f.Types {
		exceptions.Panicf(
			"cochain.Forms: scope %q has %d %d-forms of width %d and %d types, and here %d %d-forms "+
				"of width %d and %d types: give every bundle a scope of its own",
			path, before.Count, before.Degree, before.Hidden, before.Types,
			f.Count, f.Degree, f.Hidden, f.Types)
	}
}

// first returns the first affine map of points and types of simplices, which
// repeat for each corner: points are a multiple of types.
func (f Forms) first(points, types *Node) *Node {
	f.claim(points)
	kind := ones(points)
	if f.Types > 1 {
		kind = OneHot(types, f.Types, points.DType())
		repeat := make([]*Node, points.Shape().Dimensions[0]/types.Shape().Dimensions[0])
		for i := range repeat {
			repeat[i] = kind
		}
		kind = Concatenate(repeat, 0)
	}
	scope, m := f.Scope.At("first"), points.Shape().Dimensions[1]
	_, uniform := layers.FanInUniform(scope, m)
	table := scoped.Variable(scope, points, "biases", uniform, max(1, f.Types), f.Hidden)
	return MatMul(Concatenate([]*Node{points, kind}, 1),
		Concatenate([]*Node{matrix(scope, points, m, f.Hidden), table}, 0))
}

// At returns the coefficients of the forms of one type at points [P, m]:
// [P, C(m,k), ℓ], with multi-indices in lexicographic order. Without types the
// one type is 0.
func (f Forms) At(points *Node, kind int) *Node {
	if points.Rank() != 2 || kind < 0 || kind >= max(1, f.Types) {
		exceptions.Panicf("cochain.Forms: coefficients of type %d at points of shape %s: want a type from 0 "+
			"to %d and points [P, m]", kind, points.Shape(), max(1, f.Types)-1)
	}
	m, count := points.Shape().Dimensions[1], points.Shape().Dimensions[0]
	types := BroadcastToDims(Const(points.Graph(), int32(kind)), count)
	out := linear(
		f.Scope.At("last"),
		layers.SiLU(f.first(points, types)),
		exterior.Components(m, f.Degree)*f.Count,
	)
	return Reshape(out, count, -1, f.Count)
}
