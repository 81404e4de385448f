package cochain

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	gomlx "github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/internal/scoped"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// SurfaceConfig has the sizes and the parts of a [Surface] network.
type SurfaceConfig struct {
	Members int // networks side by side; 0: one
	Width   int // m: features of a vertex
	Hidden  int // width of the networks that embed and move vertices
	Layers  int // how often vertices are moved
	// Neighbors sends to each vertex the mean of its neighbors; Currents the
	// integrals of as many 1-forms over its edges, directed towards it; Masses
	// the means of the densities |ω|/|T| of as many 2-forms on its triangles.
	Neighbors bool
	Currents  int
	Masses    int
	Forms     int     // 2-forms whose mass and energy are read out; 0 for none
	Functions int     // whose means over the surface are read out; 0 for none
	Tensors   int     // functions for each kind of vectors and tensors that are read out; 0 for none
	Head      int     // hidden width of the classifier
	Dropout   float64 // share of the readout, and of Head, that a training step does without
	// A training step adds to the first Logs features of all vertices of a
	// complex a random number of deviation Scale, as another size of the complex
	// would, and to each feature one of deviation Noise.
	Logs         int
	Scale, Noise float64
}

// check panics for a network that cannot be.
func (c SurfaceConfig) check() {
	none := min(c.Members, c.Layers, c.Currents, c.Masses, c.Forms, c.Functions, c.Tensors) < 0
	mute := c.Layers > 0 && !c.Neighbors && c.Currents+c.Masses == 0
	if none || mute || c.Width < 2 || min(c.Hidden, c.Head, c.Forms+c.Functions+c.Tensors) < 1 ||
		c.Dropout < 0 || c.Dropout >= 1 {
		exceptions.Panicf("cochain.Surface: %+v: want widths of 1 or more (of vertices 2), forms or "+
			"functions to read out, layers with messages, and a share in [0, 1) to drop", c)
	}
}

// Surface returns the logits [B, outputs] of a network on triangle meshes, or
// those of its members, [members, B, outputs]. It reads the cochain of the
// vertices, whose last column is the area of each and whose others are
// features, and that of the triangles, their areas. From the coordinates, in R³
// and relative to the centroid, it uses only lengths of equivariant tensors,
// and only if Tensors is positive. If the features are invariant under rigid
// motions, as those of package mesh, so are the logits. Orientations do not
// change them either.
//
// The features, normalized over the batch, are embedded in Rᵐ, where each layer
// moves the vertices, x ← normalize(x + ψ(x, messages)). The readout of a
// complex of area A consists of the means and deviations of the features over
// the surface, the logarithm of A, those of the mass Σ_T |∫_T ω| / A and the
// energy Σ_T (∫_T ω)² / ((|T| + t) A) of 2-forms ω on Rᵐ, where t is 0.3 of the
// mean area of the complex's triangles, so that those without area do not
// dominate, the means over the surface of functions g of x, and the lengths of
// the means of the vectors g p and the symmetric tensors g (p pᵀ - |p|²/3·I)
// and g (n nᵀ - I/3) of points p and normals n, in units of the root mean
// square of |p|: these are equivariant, and their lengths are invariant. Data
// of whole complexes are appended.
//
// If simplices of some degree have labels, the logits are theirs, [S, outputs],
// computed from the features and positions of their corners, for triangles the
// areas and the densities of the 2-forms, and the readout of their complexes.
func Surface(scope *model.Scope, batch *layers.Batch, config SurfaceConfig, outputs int) *Node {
	return scoped.Members(scope, config.Members, func(scope *model.Scope) *Node {
		return newSurface(scope, batch, config).logits(scope, outputs)
	})
}

// surface is a batch of surfaces, with what is read of it.
type surface struct {
	SurfaceConfig
	batch     *layers.Batch
	edges     *layers.Incidence // of edges and vertices
	triangles *layers.Incidence // of triangles and vertices
	features  *Node             // [V, columns], normalized over the batch
	degree    *Node             // [V, 1], 1 or more
	share     *Node             // [V]: areas of vertices
	area      *Node             // [T]: areas of triangles
	least     *Node             // [T]: what areas of triangles are increased by where they divide
	total     *Node             // [B, 1]: areas of complexes
	places    *Node             // [V, 3]: points, see place; nil if they are not read
	normals   *Node             // [T, 6]: n nᵀ - 1/3 of triangles; likewise
	twice     *Node             // [T]: twice the areas of triangles in units of the radius; likewise
}

func newSurface(scope *model.Scope, batch *layers.Batch, config SurfaceConfig) *surface {
	config.check()
	if batch.Degree() < 2 || batch.Cochain(0) == nil || batch.Cochain(2) == nil {
		exceptions.Panicf("cochain.Surface: a batch of degree %d: want triangles, and features and areas as "+
			"cochains of vertices and triangles, see mesh.Encoder", batch.Degree())
	}
	x, corners := batch.Cochain(0), batch.Corners(2)
	g, dtype := x.Graph(), x.DType()
	ones := func(rows, columns int) *Node { return Ones(g, shapes.Make(dtype, rows, columns)) }
	s := &surface{SurfaceConfig: config, batch: batch, area: Squeeze(batch.Cochain(2), 1)}
	s.edges = layers.Edges(batch.Corners(1), batch.Count(0))
	s.triangles = layers.NewIncidence(corners, ones(batch.Count(2), 3), batch.Count(0))
	s.degree = MaxScalar(s.edges.Star(ones(batch.Count(1), 1)), 1)
	s.share = Squeeze(SliceAxis(x, 1, AxisElem(-1)), 1)
	x = SliceAxis(x, 1, AxisRange(0, -1))
	if scope.IsTraining(g) && (s.Scale > 0 || s.Noise > 0) {
		x = s.augment(scope, x)
	}
	s.total = MaxScalar(s.sum(0, ExpandAxes(s.share, -1)), 1e-12)
	sums := s.sum(2, Concatenate([]*Node{ExpandAxes(s.area, -1), ones(batch.Count(2), 1)}, 1))
	mean := Div(SliceAxis(sums, 1, AxisElem(0)), MaxScalar(SliceAxis(sums, 1, AxisElem(1)), 1))
	s.least = MaxScalar(Squeeze(layers.Spread(MulScalar(mean, 0.3), batch.Of(2), 1), 1), 1e-12)
	if s.Tensors > 0 {
		s.place()
	}
	s.features = layers.BatchNorm(scope.In("features"), x, s.inside(0))
	return s
}

// augment returns the features x of a training step, and changes areas with them.
func (s *surface) augment(scope *model.Scope, x *Node) *Node {
	g, columns := x.Graph(), x.Shape().Dimensions[1]
	size := MulScalar(scope.RandomNormal(g, shapes.Make(x.DType(), s.batch.Complexes()+1, 1)), s.Scale)
	at := func(k int) *Node { return Gather(size, ExpandAxes(s.batch.Of(k), -1)) }
	logs := LessThan(Iota(g, shapes.Make(dtypes.Int32, 1, columns), 1), Scalar(g, dtypes.Int32, s.Logs))
	x = Add(x, Mul(at(0), ConvertDType(logs, x.DType())))
	s.share = Mul(s.share, Squeeze(Exp(MulScalar(at(0), 2)), 1))
	s.area = Mul(s.area, Squeeze(Exp(MulScalar(at(2), 2)), 1))
	return Add(x, MulScalar(scope.RandomNormal(g, x.Shape()), s.Noise))
}

// sum and mean return those of the rows of x on k-simplices over each complex;
// means of functions on vertices and triangles are weighted.
func (s *surface) sum(k int, x *Node) *Node {
	return layers.Readout(layers.Sum, x, s.batch.Of(k), s.batch.Complexes())
}

func (s *surface) mean(k int, x, weights *Node) *Node {
	return layers.Mean(x, weights, s.batch.Of(k), s.batch.Complexes())
}

// inside returns which k-simplices are no padding, [S].
func (s *surface) inside(k int) *Node {
	mask := ConvertDType(ExpandAxes(s.batch.Mask(), -1), dtypes.Int32)
	inside := Squeeze(layers.Spread(mask, s.batch.Of(k), 0), 1)
	return GreaterThan(inside, ZerosLike(inside))
}

// density returns the densities of integrals [T, forms].
func (s *surface) density(masses *Node) *Node {
	return Div(Abs(masses), ExpandAxes(Add(s.area, s.least), -1))
}

// orOne returns x where it is positive, and 1 elsewhere.
func orOne(x *Node) *Node { return Where(LessOrEqual(x, ZerosLike(x)), OnesLike(x), x) }

// cornerMeans returns the means of rows [V, columns] over the corners of the
// k-simplices. It asks for the rows of each corner anew: the sum of gradients
// depends on that in its last bits.
func (s *surface) cornerMeans(k int, rows func() *Node) *Node {
	if k == 0 {
		return rows()
	}
	corner := func(i int) *Node { return Gather(rows(), SliceAxis(s.batch.Corners(k), 1, AxisElem(i))) }
	sum := corner(0)
	for i := range k {
		sum = Add(sum, corner(i+1))
	}
	return DivScalar(sum, float64(k+1))
}

// moved returns where the layers move the vertices, [V, m].
func (s *surface) moved(scope *model.Scope) *Node {
	in := scope.In
	x := perceptron(in("embedding"), s.features, s.Hidden, s.Width)
	for i := range s.Layers {
		layer := in("layer_%d", i)
		heard := Concatenate(append([]*Node{x}, s.messages(layer, x)...), 1)
		x = layers.LayerNorm(Add(x, perceptron(layer.In("update"), heard, s.Hidden, s.Width)))
	}
	return x
}

// messages returns what vertices x [V, m] hear.
func (s *surface) messages(scope *model.Scope, x *Node) (heard []*Node) {
	if s.Neighbors {
		heard = append(heard, Div(s.edges.Neighbors(x), s.degree))
	}
	if s.Currents > 0 {
		currents := integrals(scope.In("currents"), x, s.batch.Corners(1), s.Currents)
		heard = append(heard, Div(s.edges.Codifferential(currents), s.degree))
	}
	if s.Masses > 0 {
		density := Log1P(s.density(integrals(scope.In("masses"), x, s.batch.Corners(2), s.Masses)))
		area := ExpandAxes(s.area, -1)
		around := s.triangles.Star(Concatenate([]*Node{Mul(density, area), area}, 1))
		total := orOne(SliceAxis(around, 1, AxisElem(-1)))
		heard = append(heard, Div(SliceAxis(around, 1, AxisRange(0, s.Masses)), total))
	}
	return heard
}

// integrals returns those of decomposable forms c du_1∧…∧du_k on Rᵐ with affine c
// and u, over simplices with the given corners [S, k+1] among vertices x [V, m]:
// [S, count].
func integrals(scope *model.Scope, x, corners *Node, count int) *Node {
	k := corners.Shape().Dimensions[1] - 1
	form := exterior.Decomposable(x.Shape().Dimensions[1], k, count,
		func(x *Node) *Node { return layers.Linear(scope, x, (k+1)*count) }, nil)
	form.Rule = quadrature.Gauss(1)
	return exterior.Integrate(form, x, corners)
}

// logits returns those of one network.
func (s *surface) logits(scope *model.Scope, outputs int) *Node {
	in := scope.In
	x := s.moved(scope)
	read := append(s.moments(s.features), Log(s.total))
	if s.batch.Globals() != nil {
		read = append(read, s.batch.Globals())
	}
	var masses *Node
	if s.Forms > 0 {
		masses = integrals(in("forms"), x, s.batch.Corners(2), s.Forms)
		read = append(read, s.forms(masses))
	}
	if s.Functions > 0 {
		f := perceptron(in("functions"), x, s.Hidden, s.Functions)
		read = append(read, s.mean(0, f, s.share))
	}
	if s.Tensors > 0 {
		read = append(read, s.lengths(perceptron(in("tensors"), x, s.Hidden, 3*s.Tensors))...)
	}
	h := layers.BatchNorm(in("norm"), Concatenate(read, 1), s.batch.Mask())
	head := in("head")
	h = gomlx.DropoutStatic(head, h, s.Dropout)
	if k := s.batch.Labeled(); k >= 0 {
		return s.cochain(head, h, s.local(x, masses, k), k, outputs)
	}
	h = layers.SiLU(layers.Linear(head.In("first"), h, s.Head))
	return layers.Linear(head.In("last"), gomlx.DropoutStatic(head, h, s.Dropout), outputs)
}

// moments returns the means and the deviations of x [V, columns] over each
// complex.
func (s *surface) moments(x *Node) []*Node {
	columns := x.Shape().Dimensions[1]
	both := s.mean(0, Concatenate([]*Node{x, Square(x)}, 1), s.share)
	mean := SliceAxis(both, 1, AxisRange(0, columns))
	variance := MaxScalar(Sub(SliceAxis(both, 1, AxisRange(columns)), Square(mean)), 0)
	// A root has no gradient at 0.
	return []*Node{mean, Sqrt(AddScalar(variance, 1e-4))}
}

// forms returns masses and energies of integrals [T, forms], as logarithms.
func (s *surface) forms(masses *Node) *Node {
	energies := Div(Square(masses), ExpandAxes(Add(s.area, s.least), -1))
	sums := s.sum(2, Concatenate([]*Node{Abs(masses), energies}, 1))
	return Log(AddScalar(Div(sums, s.total), 1e-3))
}

// local returns what is known around each k-simplex, [S, columns]: the means of
// features and places x of its corners, and of triangles their areas, in units of
// the mean area of the complex's triangles, and the densities of 2-forms.
func (s *surface) local(x, masses *Node, k int) *Node {
	at := Concatenate([]*Node{s.features, x}, 1)
	known := []*Node{s.cornerMeans(k, func() *Node { return at })}
	if k == 2 {
		known = append(known, ExpandAxes(Log1P(Div(s.area, s.least)), -1))
		if masses != nil {
			known = append(known, Log1P(s.density(masses)))
		}
	}
	return Concatenate(known, 1)
}

// cochain returns the logits of the k-simplices, [S, outputs], from what is known
// around them and what is read out of their complexes.
func (s *surface) cochain(head *model.Scope, whole, local *Node, k, outputs int) *Node {
	in := head.In
	h := layers.Linear(in("first"), layers.BatchNorm(in("norm"), local, s.inside(k)), s.Head)
	whole = layers.Linear(in("whole"), whole, s.Head)
	h = layers.SiLU(Add(h, layers.Spread(whole, s.batch.Of(k), 0)))
	return layers.Linear(in("last"), gomlx.DropoutStatic(head, h, s.Dropout), outputs)
}
