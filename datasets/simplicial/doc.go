// Package simplicial provides embedded simplicial complexes, their chains and cochains, and the
// linear algebra of Hodge theory on them.
//
// # Complexes
//
// A Complex has vertices 0..N-1 and, in every degree k, its k-simplices [v0 < v1 < … < vk] in
// lexicographic order. The position in that order is the index of a simplex, and the increasing
// order of its vertices orients it. Simplices are stored flat, row after row, as []int32 with k+1
// columns, and coordinates as []float64 with n columns, so both become tensors unchanged. A complex
// without coordinates is embedded in R^0. Complexes never change once built and may be shared
// between goroutines.
//
// They arise as the closure of given simplices (New), from points (Rips, Cech, Nearest, Delaunay, Alpha),
// from graphs (Complex.Clique), as grids (Grid), by barycentric subdivision (Complex.Subdivide), and by
// triangulating polygons and polyhedra (Triangulate).
//
// # Chains, cochains and signs
//
// A simplex named in any order of its vertices is ± the stored one, with the sign of the
// permutation that sorts it. The boundary of a simplex is
//
//	∂[v0 … vk] = Σ_i (-1)^i [v0 … v̂i … vk]
//
// and ∂ of a vertex is 0. A k-chain and a k-cochain are one number for each k-simplex; the inner
// product is the value of a cochain on a chain. Linear maps between chain groups are sparse matrices
// (Matrix) with a column for each simplex of the source. So ∂ is Boundary(k), its transpose the
// coboundary d of (k-1)-cochains, with ⟨dω, c⟩ = ⟨ω, ∂c⟩; where the simplices of each degree are
// orthonormal, Boundary(k) is the codifferential of k-cochains as well. Faces has the same as flat
// tables. Chains number simplices, so they belong to the complex that made them and to those with the
// same simplices, such as its re-embeddings.
//
// # Hodge theory
//
// With the simplices of each degree orthonormal, the matrix of the Hodge Laplacian is
//
//	L_k = ∂_kᵀ ∂_k + ∂_{k+1} ∂_{k+1}ᵀ
//
// and every k-cochain splits orthogonally into a gradient in the image of ∂_kᵀ, a curl in the image
// of ∂_{k+1}, and a harmonic part in the kernel of L_k, whose dimension is the k-th Betti number
// (Eckmann 1944; Lim, Hodge Laplacians on Graphs, SIAM Review 2020). Of a triangulated manifold with
// boundary this is the decomposition with the natural, absolute boundary condition: curl and harmonic
// 1-cochains run along the boundary, and gradients are those of all functions. Complex.Hodge splits a
// cochain; Complex.Eigen finds eigenvectors that lie in one part each.
//
// # Persistence
//
// Complex.Persistence finds in which range of values each class of homology of a filtration lives, over
// Z/p: of Rips complexes by Diameters, of alpha complexes by their radii. Sublevel takes out the complex
// of one value. Betti is rational; BettiModulo sees torsion.
//
// # Metrics
//
// Complex.WithMetric takes other inner products M_k, those that the embedding induces: the L² products of
// Whitney forms, or diagonal Hodge stars of circumcentric or barycentric dual cells. Then the codifferential
// is δ = M_{k-1}⁻¹ ∂_k M_k, the Laplacian that of Laplace and de Rham, dδ + δd, and Hodge and Eigen follow,
// in any degree and dimension. With Whitney forms this is the mixed finite element method, whose eigenvalues
// converge on every shape-regular mesh; the inverse M_{k-1}⁻¹ is applied, never formed. Whitney interpolates
// a cochain by a form; Sharp and Flat go from 1-cochains to fields on the simplices and back: the gradient of
// a function is ♯df, the divergence of a field -δ♭X, its curl d♭X. Volumes and AngleDefects measure.
//
// # Errors
//
// Whatever the data, functions return errors rather than panic. MaxSize bounds what is built.
package simplicial
