// Package path holds networks on paths that stack running integrals of neural 1-forms.
//
// A path is a complex of degree 1 whose edges come in order, such as a time series, a stroke of a pen or a
// track: vertices x_0, …, x_{T-1}, integrated over from the first to the last. A layer of a [Network] has
// ℓ forms on the space Rᵐ in which the vertices are, decomposable ones of rank one with a function of the
// place in front,
//
//	ω_j = silu(⟨a_j, x⟩ + b_j) (⟨v_j, dx⟩ + c_j dt),
//
// and their integrals along the path, R_t = ∫ from x_0 to x_t. What the path has done before a vertex and
// what it does after it, in windows of some edges or to its ends,
//
//	R_t - R_{t-w},   R_{t+w} - R_t,
//
// moves the vertex: x_t ← normalize(x_t + ψ(x_t, before, after)). The next layer integrates along the path
// that has been moved, so that what the network reads are iterated integrals (Chen, Integration of paths,
// 1957), with a network between any two of them. In every layer it reads out where the integrals end, how
// much they move in all, and how far they range.
//
// Such a network costs time linear in T. It sees a path through the plane as a path and not as a row of
// numbers: with windows to the ends, and without dt and velocities, points added on an edge change no
// integral of the first layer, but by what the two Gauss points of an edge are off. Later layers have moved
// the added points as well, so that their integrals change, the less the closer the points lie.
//
// [CNN], [Inception] and [Signature] are controls: other networks on the same paths, augmented alike.
//
// All can hold several members, networks that differ in their first weights and in what chance does
// to them, side by side in one graph. As GoMLX layers do, functions take the scope first and panic, with a
// sentence, on shapes that do not fit.
package path
