// Package path holds networks on paths that stack running integrals of neural 1-forms.
//
// A path is a complex of degree 1 whose edges are in order, such as a time series, a pen stroke or a track.
// A layer of a [Network] has ℓ forms on the space Rᵐ of the vertices x_0, …, x_{T-1}. They are decomposable
// of rank one, times a function of the position,
//
//	ω_j = silu(⟨a_j, x⟩ + b_j) (⟨v_j, dx⟩ + c_j dt),
//
// and their integrals along the path are R_t = ∫ from x_0 to x_t. The integrals over the path before and
// after a vertex, in windows of some edges or to the ends of the path,
//
//	R_t - R_{t-w},   R_{t+w} - R_t,
//
// move the vertex: x_t ← normalize(x_t + ψ(x_t, before, after)). The next layer integrates along the moved
// path, so the network computes iterated integrals (Chen, Integration of paths, 1957), with a network between
// any two of them. Every layer reads out the final value, total variation and range of each integral. The
// cost is linear in T.
//
// Within a GoMLX model function, with a batch of paths as package layers describes and the sizes of the model
// "path" of package models:
//
//	config := path.Config{Points: 100, Width: 20, Forms: 20, Hidden: 40, Layers: 3,
//		Windows: []int{1, 2, 4, 8, 0}, Dropout: 0.2}
//	logits := path.Network(scope, batch, config, classes) // [B, classes]
//
// [CNN] is a baseline on the same paths, with the same augmentation.
package path
