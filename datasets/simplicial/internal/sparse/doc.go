// Package sparse has sparse matrices, the factorization of symmetric matrices, and the smallest eigenpairs
// of symmetric eigenproblems.
//
// The problem is K x = λ M x with K positive semidefinite and M positive definite: Hodge Laplacians
// with M the identity, and stiffness and mass matrices of finite elements. New and NewMatrix assemble
// matrices from entries, Factorize factors a symmetric one as L D Lᵀ, and Solver.Smallest finds
// eigenpairs.
//
// Smallest is a block Lanczos method with shift and invert. Its result is complete: by Sylvester's law of
// inertia the signs of D in the factorization of K - τM count the eigenvalues below τ, and the search
// continues until none is missing, whatever their multiplicity. The result is deterministic: the same problem
// gives the same bits on one kind of processor.
package sparse
