// Package signature integrates along paths: running and iterated integrals of 1-forms, signatures and
// log-signatures. All functions act on graph nodes and have no variables.
//
// A path is a polyline, a node [..., T, n] of T points. Paths of unequal lengths share a node [B, T, n], in
// which shorter paths repeat their last point: a repeated point adds nothing to an integral. [FromVertices]
// makes such a node of a flat batch of paths, such as a layers.Batch.
//
// For 1-forms ω_1, …, ω_r and a path γ on [0, 1] the iterated integral is (Chen, Integration of paths,
// geometric invariants and a generalized Baker–Hausdorff formula, Ann. of Math. 65, 1957)
//
//	∫_γ ω_1⋯ω_r = ∫_{0<t_1<…<t_r<1} γ*ω_1(t_1) ⋯ γ*ω_r(t_r).
//
// [Integrals] computes them for any words of forms at every vertex.
//
// The integrals of all words in the coordinate forms dx_1, …, dx_n up to a depth are the signature of the
// path, a truncated tensor
//
//	S(γ) = 1 + Σ_i ∫dx_i e_i + Σ_{ij} ∫dx_i dx_j e_i⊗e_j + …
//
// (Lyons, Differential equations driven by rough signals, Rev. Mat. Iberoam. 14, 1998). The signature of a
// segment with step v is exp(v) = Σ_k v^⊗k/k!, and by Chen's identity S(γ·η) = S(γ) ⊗ S(η) the signature of a
// polyline is a product. [Signature] computes it in a loop on the device; apart from the paths, the memory of
// its gradient does not grow with the number of points. [LogSignature] has the coordinates of its logarithm
// at Lyndon words. See Kidger and Lyons, Signatory: differentiable computations of the signature and
// logsignature transforms, ICLR 2021.
//
// [WithTime], [WithBasepoint] and [LeadLag] augment paths. The results are paths too.
//
// A classifier of a batch b of package layers, whose complexes are paths of up to 100 points, by the
// signatures of their paths to depth 3, within a GoMLX model function:
//
//	paths := signature.FromVertices(b.Vertices(), b.Of(0), b.Complexes(), 100)    // [B, 100, n]
//	features := signature.Signature(signature.WithTime(paths), 3)                 // [B, entries]
//	logits := layers.MLP(scope.In("head"), features, 32, classes)                 // [B, classes]
//
// Like GoMLX's, all functions panic on wrong shapes, and [Signature] and [LogSignature] on a depth below 1.
package signature
