// Package signature integrates along paths: iterated integrals of 1-forms,
// running and whole. Everything here is a function on graph nodes without
// variables; package exterior and its forms are all that it needs.
//
// # Paths
//
// A path is a polyline, a node [..., T, n] of T points. Paths of unequal lengths
// share a node [B, T, n], in which the shorter ones stand still at their last
// point, see [Hold]: standing still adds nothing to an integral. A flat batch,
// such as layers.Batch, whose complexes are paths has its vertices in the order of
// each path; [FromVertices] and [ToVertices] lead there and back.
//
// # Iterated integrals
//
// For 1-forms ω_1, …, ω_r and a path γ on [0, 1] (Chen, Integration of paths,
// geometric invariants and a generalized Baker–Hausdorff formula, Ann. of Math. 65,
// 1957)
//
//	∫_γ ω_1⋯ω_r = ∫_{0<t_1<…<t_r<1} γ*ω_1(t_1) ⋯ γ*ω_r(t_r).
//
// [Integrals] gives those of any words of forms at every vertex, in the linear
// time of a scan; [Iterate] those of functions along the edges that are known at
// the points of a quadrature rule, such as a layer's own; [Running] sums up what
// edges have.
package signature
