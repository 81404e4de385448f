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

// surface is a batch of surfaces on its way through the network.
type surface struct {
	SurfaceConfig
	batch     *layers.Batch
	edges     *layers.Incidence // of edges and vertices
	triangles *layers.Incidence // of triangles and vertices
	inside    *Node             // [V] bool: no padding
	degree    *Node             // [V, 1], 1 or more
	share     *Node             // [V]: areas of vertices
	area      *Node             // [T]: areas of triangles
	least     *Node             // [T]: what areas of triangles are increased by where they divide
	total     *Node             // [B, 1]: areas of complexes
	places    *Node             // [V, 3]: points, see place; nil if they are not read
	normals   *Node             // [T, 6]: n nᵀ - 1/3 of triangles; likewise
	twice     *Node             // [T]: twice the areas of triangles in units of the radius; likewise
}

// Surface returns the logits [B, outputs] of a network on triangle meshes, or
// those of its members, [members, B, outputs]. It reads the cochain of the
// vertices, whose last column is the area of each and whose others are features,
// and that of the triangles, their areas. Of coordinates, in R³ and seen from the
// centroid, it reads lengths of equivariant tensors alone, if Tensors asks for
// them: features that do not depend on how a mesh lies in space, as those
// of package mesh, make logits that do not. Nor do orientations change them.
//
// The features, normalized over the batch, are embedded in Rᵐ, where each layer
// moves the vertices, x ← normalize(x + ψ(x, messages)). What is read out of a
// complex of area A are the means and deviations of the features over the
// surface, the logarithm of A, those of the mass Σ_T |∫_T ω| / A and
// the energy Σ_T (∫_T ω)² / ((|T| + t) A) of 2-forms ω on Rᵐ, where t is 0.3 of
// the mean area of the complex's triangles, so that those without area do not
// count too much, the means over the surface of functions g of x, and the lengths
// of the means of the vectors g p and the symmetric tensors g (p pᵀ - |p|²/3·I) and
// g (n nᵀ - I/3) of points p and normals n, in units of the root mean square of
// |p|: these move with the embedding, and their lengths do not. Data that a batch
// has on whole complexes are read beside them.
//
// Where simplices of some degree have labels, the logits are theirs, [S, outputs]:
// made of the features and places of their corners, of triangles the areas and the
// densities of the 2-forms, and of what is read out of their complexes.
func Surface(scope *model.Scope, batch *layers.Batch, config SurfaceConfig, outputs int) *Node {
	config.check()
	if batch.Degree() < 2 || batch.Cochain(0) == nil || batch.Cochain(2) == nil {
		exceptions.Panicf("cochain.Surface: a batch of degree %d: want triangles, and features and areas as "+
			"cochains of vertices and triangles, see mesh.Encoder", batch.Degree())
	}
	if config.Members <= 1 {
		return newSurface(batch, config).logits(scope, outputs)
	}
	members := make([]*Node, config.Members)
	for i := range members {
		members[i] = newSurface(batch, config).logits(scope.In("member_%d", i),
			outputs)
	}
	return Stack(members, 0)
}

func newSurface(batch *layers.Batch, config SurfaceConfig) *surface {
	vertices, complexes := batch.Count(0), batch.Complexes()
	corners := batch.Corners(2)
	s := &surface{SurfaceConfig: config, batch: batch}
	s.edges = layers.Edges(batch.Corners(1), vertices)
	cochain := batch.Cochain(2)
	ones := Ones(cochain.Graph(), shapes.Make(cochain.DType(), corners.Shape().Dimensions...))
	s.triangles = layers.NewIncidence(corners, ones, vertices)
	s.inside = LessThan(batch.Of(0), Scalar(cochain.Graph(), batch.Of(0).DType(), complexes))
	s.area = Squeeze(cochain, 1)
	return s
}

// begin returns the features of the vertices, and sets areas.
func (s *surface) begin(scope *model.Scope) *Node {
	cochain, complexes := s.batch.Cochain(0), s.batch.Complexes()
	g, columns := cochain.Graph(), cochain.Shape().Dimensions[1]-1
	x := SliceAxis(cochain, 1, AxisRange(0, columns))
	s.share = Squeeze(SliceAxis(cochain, 1, AxisElem(-1)), 1)
	if scope.IsTraining(g) && (s.Scale > 0 || s.Noise > 0) {
		size := MulScalar(scope.RandomNormal(g, shapes.Make(x.DType(), complexes+1, 1)), s.Scale)
		at := Gather(size, ExpandAxes(s.batch.Of(0), -1))
		logs := LessThan(Iota(g, shapes.Make(dtypes.Int32, 1, columns), 1), Scalar(g, dtypes.Int32, s.Logs))
		x = Add(x, Mul(at, ConvertDType(logs, x.DType())))
		x = Add(x, MulScalar(scope.RandomNormal(g, x.Shape()), s.Noise))
		s.share = Mul(s.share, Squeeze(Exp(MulScalar(at, 2)), 1))
		at = Gather(size, ExpandAxes(s.batch.Of(2), -1))
		s.area = Mul(s.area, Squeeze(Exp(MulScalar(at, 2)), 1))
	}
	one := ExpandAxes(OnesLike(s.area), -1)
	sums := layers.Readout(layers.Sum, Concatenate([]*Node{ExpandAxes(s.area, -1), one}, 1),
		s.batch.Of(2), complexes)
	mean := Div(SliceAxis(sums, 1, AxisElem(0)), MaxScalar(SliceAxis(sums, 1, AxisElem(1)), 1))
	// The dummy complex divides by 1.
	mean = Concatenate([]*Node{MulScalar(mean, 0.3), Ones(g, shapes.Make(mean.DType(), 1, 1))}, 0)
	s.least = MaxScalar(Squeeze(Gather(mean, ExpandAxes(s.batch.Of(2), -1)), 1), 1e-12)
	s.total = layers.Readout(layers.Sum, ExpandAxes(s.share, -1), s.batch.Of(0), complexes)
	s.total = MaxScalar(s.total, 1e-12)
	s.degree = MaxScalar(s.edges.Star(Ones(g, shapes.Make(x.DType(),
		s.batch.Count(1), 1))), 1)
	if s.Tensors > 0 {
		s.place()
	}
	return layers.BatchNorm(scope.In("features"), x, s.inside)
}

// logits returns those of one network.
func (s *surface) logits(scope *model.Scope, outputs int) *Node {
	in := scope.In
	features, x := s.moved(scope)
	read := append(s.moments(features), Log(s.total))
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
		read = append(read, layers.Mean(f, s.share, s.batch.Of(0), s.batch.Complexes()))
	}
	if s.Tensors > 0 {
		read = append(read, s.tensors(in("tensors"), x)...)
	}
	h := layers.BatchNorm(in("norm"), Concatenate(read, 1), s.batch.Mask())
	head := in("head")
	h = gomlx.DropoutStatic(head, h, s.Dropout)
	if k := s.batch.Labeled(); k >= 0 {
		return s.cochain(head, h, s.local(features, x, masses, k), k, outputs)
	}
	h = layers.SiLU(layers.Linear(head.In("first"), h, s.Head))
	h = gomlx.DropoutStatic(head, h, s.Dropout)
	return layers.Linear(head.In("last"), h, outputs)
}

// local returns what is known around each k-simplex, [S, columns]: the means of
// features and places x of its corners, and of triangles their areas, in units of
// the mean area of the complex's triangles, and the densities of 2-forms.
func (s *surface) local(features, x, masses *Node, k int) *Node {
	at := Concatenate([]*Node{features, x}, 1)
	if k == 0 {
		return at
	}
	corners := s.batch.Corners(k)
	var sum *Node
	for i := range k + 1 {
		corner := Gather(at, SliceAxis(corners, 1, AxisElem(i)))
		if sum == nil {
			sum = corner
		} else {
			sum = Add(sum, corner)
		}
	}
	known := []*Node{DivScalar(sum, float64(k+1))}
	if k == 2 {
		known = append(known, ExpandAxes(Log1P(Div(s.area, s.least)), -1))
		if masses != nil {
			known = append(known, Log1P(Div(Abs(masses), ExpandAxes(Add(s.area, s.least), -1))))
		}
	}
	return Concatenate(known, 1)
}

// cochain returns the logits of the k-simplices, [S, outputs], from what is known
// around them and what is read out of their complexes.
func (s *surface) cochain(head *model.Scope, whole, local *Node, k, outputs int) *Node {
	in := head.In
	of := s.batch.Of(0)
	if k > 0 {
		of = s.batch.Of(k)
	}
	inside := LessThan(of, Scalar(of.Graph(), of.DType(), s.batch.Complexes()))
	h := layers.Linear(in("first"), layers.BatchNorm(in("norm"), local, inside), s.Head)
	whole = layers.Linear(in("whole"), whole, s.Head)
	whole = Concatenate([]*Node{whole, Zeros(whole.Graph(), shapes.Make(whole.DType(), 1, s.Head))}, 0)
	h = layers.SiLU(Add(h, Gather(whole, ExpandAxes(of, -1)))) // of padding from the row of zeros
	return layers.Linear(in("last"), gomlx.DropoutStatic(head, h, s.Dropout), outputs)
}

// moved returns the features of the vertices, and where the layers move them
// [V, m].
func (s *surface) moved(scope *model.Scope) (features, x *Node) {
	in := scope.In
	features = s.begin(scope)
	x = perceptron(in("embedding"), features, s.Hidden, s.Width)
	for i := range s.Layers {
		layer := in("layer_%d", i)
		heard := Concatenate(append([]*Node{x}, s.messages(layer, x)...), 1)
		x = layers.LayerNorm(Add(x, perceptron(layer.In("update"), heard,
			s.Hidden, s.Width)))
	}
	return features, x
}

// Densities returns the densities |∫_T ω| / (|T| + t) of the 2-forms of a
// [Surface] of that scope and size on all triangles of a batch, [T, forms], of
// all members one after another. They show where on a surface the energies
// come from.
func Densities(scope *model.Scope, batch *layers.Batch, config SurfaceConfig) *Node {
	if config.Forms == 0 {
		exceptions.Panicf("cochain.Densities: a network without 2-forms")
	}
	var all []*Node
	for i := range max(1, config.Members) {
		member := scope
		if config.Members > 1 {
			member = scope.In("member_%d", i)
		}
		s := newSurface(batch, config)
		_, x := s.moved(member)
		masses := integrals(member.In("forms"), x, batch.Corners(2),
			config.Forms)
		all = append(all, Div(Abs(masses), ExpandAxes(Add(s.area, s.least), -1)))
	}
	return Concatenate(all, 1)
}

// moments returns the means and the deviations of x [V, columns] over each
// complex.
func (s *surface) moments(x *Node) []*Node {
	columns := x.Shape().Dimensions[1]
	both := layers.Mean(Concatenate([]*Node{x, Square(x)}, 1), s.share, s.batch.Of(0), s.batch.Complexes())
	mean := SliceAxis(both, 1, AxisRange(0, columns))
	variance := MaxScalar(Sub(SliceAxis(both, 1, AxisRange(columns)), Square(mean)), 0)
	// A root has no gradient at 0.
	return []*Node{mean, Sqrt(AddScalar(variance, 1e-4))}
}

// messages returns what vertices x [V, m] hear.
func (s *surface) messages(scope *model.Scope, x *Node) (heard []*Node) {
	if s.Neighbors {
		heard = append(heard, Div(s.edges.Neighbors(x), s.degree))
	}
	if s.Currents > 0 {
		flow := s.edges.Codifferential(integrals(scope.In("currents"), x,
			s.batch.Corners(1), s.Currents))
		heard = append(heard, Div(flow, s.degree))
	}
	if s.Masses > 0 {
		mass := Abs(integrals(scope.In("masses"), x,
			s.batch.Corners(2), s.Masses))
		area := ExpandAxes(s.area, -1)
		density := Log1P(Div(mass, Add(area, ExpandAxes(s.least, -1))))
		around := s.triangles.Star(Concatenate([]*Node{Mul(density, area), area}, 1))
		total := SliceAxis(around, 1, AxisElem(-1))
		total = Where(LessOrEqual(total, ZerosLike(total)), OnesLike(total), total)
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

// forms returns masses and energies of integrals [T, forms], as logarithms.
func (s *surface) forms(masses *Node) *Node {
	of, complexes := s.batch.Of(2), s.batch.Complexes()
	energies := Div(Square(masses), ExpandAxes(Add(s.area, s.least), -1))
	sums := layers.Readout(layers.Sum, Concatenate([]*Node{Abs(masses), energies}, 1), of, complexes)
	return Log(AddScalar(Div(sums, s.total), 1e-3))
}
