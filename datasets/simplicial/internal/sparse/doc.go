// Package sparse provides sparse matrices, the factorization of symmetric matrices, and the smallest
// eigenpairs of symmetric eigenproblems K x = λ M x with K positive semidefinite and M positive definite,
// such as Hodge Laplacians with their mass matrices.
package sparse
