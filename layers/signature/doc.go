// Package signature integrates along paths: iterated integrals of 1-forms,
// running and whole, signatures and log-signatures. Everything here is a function
// on graph nodes without variables; package exterior and its forms are all that
// it needs.
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
//
// # Signatures
//
// With the coordinate forms dx_1, …, dx_n these integrals for all words up to a
// depth are the signature of the path, a truncated tensor
//
//	S(γ) = 1 + Σ_i ∫dx_i e_i + Σ_{ij} ∫dx_i dx_j e_i⊗e_j + …
//
// (Lyons, Differential equations driven by rough signals, Rev. Mat. Iberoam. 14,
// 1998). A segment with step v has exp(v) = Σ_k v^⊗k/k!, and Chen's identity
// S(γ·η) = S(γ) ⊗ S(η) makes that of a polyline a product. [Signature] computes it
// in a loop on the device, with a gradient whose memory does not grow with the
// number of points beyond that of the paths, [Stream] at every point,
// [LogSignature] the coordinates of its logarithm at Lyndon words. See Kidger and
// Lyons, Signatory: differentiable computations of the signature and logsignature
// transforms, ICLR 2021, and Reizenstein and Graham, The iisignature library:
// efficient calculation of iterated-integral signatures and log signatures, 2018.
//
// [Windows] cuts paths into parts, [WithTime], [WithBasepoint] and [LeadLag]
// augment them; integrals of the results are those of any other path.
package signature
