// Package simplicial provides embedded simplicial complexes, their chains and cochains, and the
// linear algebra of Hodge theory on them. The boundary of a square has a loop, around which a harmonic
// 1-cochain runs:
//
//	c, err := simplicial.New(4, [][]int{{0, 1}, {1, 2}, {2, 3}, {0, 3}})
//	fmt.Println(c.Betti()) // [1 1]
//	eigen, err := c.Eigen(1, 1)
//	fmt.Println(eigen.Values, eigen.Parts) // [0] [harmonic]
//
// # Complexes
//
// A Complex has vertices 0..N-1 and, in every degree k, its k-simplices [v0 < v1 < … < vk] in lexicographic
// order. The position in that order is the index of a simplex, and the increasing order of its vertices is
// its orientation. Simplices are stored flat, row after row, as []int32 with k+1 columns, and coordinates as
// []float64 with n columns, so both convert to tensors unchanged. A complex without coordinates is embedded
// in R^0. Complexes are immutable and may be shared between goroutines.
//
// Complexes are built as the closure of given simplices (New), from points (Rips), and as grids (Grid).
//
// # Chains, cochains and signs
//
// A simplex given with its vertices in any order is ± the stored one, with the sign of the
// permutation that sorts them. The boundary of a simplex is
//
//	∂[v0 … vk] = Σ_i (-1)^i [v0 … v̂i … vk]
//
// and ∂ of a vertex is 0. A k-chain or k-cochain has one number for each k-simplex; their inner
// product is the value of the cochain on the chain. Linear maps between chain groups are sparse matrices
// (Matrix) with a column for each simplex of the source. The matrix of ∂ is Boundary(k), and its transpose is
// the coboundary d of (k-1)-cochains, with ⟨dω, c⟩ = ⟨ω, ∂c⟩. Chains refer to simplices by index, so they are
// valid for the complex that made them and for complexes with the same simplices, such as its re-embeddings.
//
// # Hodge theory
//
// If the simplices of each degree are orthonormal, Boundary(k) is also the codifferential of k-cochains, the
// matrix of the Hodge Laplacian is
//
//	L_k = ∂_kᵀ ∂_k + ∂_{k+1} ∂_{k+1}ᵀ
//
// and every k-cochain splits orthogonally into a gradient in the image of ∂_kᵀ, a curl in the image
// of ∂_{k+1}, and a harmonic part in the kernel of L_k, whose dimension is the k-th Betti number
// (Eckmann 1944; Lim, Hodge Laplacians on Graphs, SIAM Review 2020). On a triangulated manifold with
// boundary this is the decomposition with the natural (absolute) boundary condition: curl and harmonic
// 1-cochains are tangential to the boundary, and gradients are those of all functions. Complex.Hodge splits a
// cochain; Complex.Eigen finds eigenvectors that lie in one part each.
//
// # Metrics
//
// Complex.WithMetric sets the inner products M_k that the embedding induces: the L² products of Whitney
// forms. Then the codifferential is δ = M_{k-1}⁻¹ ∂_k M_k, the Laplacian is the Hodge Laplacian dδ + δd, and
// Hodge and Eigen use both, in any degree and dimension. This is the mixed finite element method,
// whose eigenvalues converge on every shape-regular mesh; the inverse M_{k-1}⁻¹ is applied, never formed.
// Sharp and Flat convert between 1-cochains and fields on the simplices: the gradient of a function is ♯df,
// the divergence of a field -δ♭X, its curl d♭X. Volumes returns volumes.
//
// # Errors
//
// Functions return errors rather than panic, whatever the data. A complex holds at most 2²⁶ vertex numbers.
package simplicial
