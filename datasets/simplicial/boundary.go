package simplicial

// Faces returns for each k-simplex [v0 … vk] the indices of its k+1 faces among the (k-1)-simplices,
// a flat table [Count(k), k+1] whose column i is the face without vi, and the signs (-1)^i that the
// faces have in the boundary, a table of the same shape. Both are new, and nil for k <= 0 or above Dim.
//
// They are the boundary matrix in the form that tensors and the layers of cochain networks take, k+1
// entries a column.
func (c *Complex) Faces(k int) (faces []int32, signs []float32) {
	if k <= 0 || k > c.Dim() {
		return nil, nil
	}
	faces = make([]int32, 0, len(c.levels[k]))
	signs = make([]float32, 0, len(c.levels[k]))
	face := make([]int32, k)
	for j := range c.Count(k) {
		simplex := c.at(k, j)
		for i := range simplex {
			copy(face, simplex[:i])
			copy(face[i:], simplex[i+1:])
			faces = append(faces, int32(find(c.levels[k-1], face)))
			signs = append(signs, float32(1-2*(i%2)))
		}
	}
	return faces, signs
}

// Boundary returns the boundary operator ∂_k from k-chains to (k-1)-chains, ∂[v0 … vk] = Σ_i (-1)^i
// [v0 … v̂i … vk].
//
// Every degree is allowed: ∂_k has Count(k) columns and Count(k-1) rows, of which there are none
// for k <= 0. Its Pull is the coboundary of (k-1)-cochains.
func (c *Complex) Boundary(k int) *Operator {
	faces, signs := c.Faces(k)
	m := newOperator(k, k-1, c.Count(k-1), c.Count(k), len(faces))
	for j := range c.Count(k) {
		// The face without a later vertex comes earlier in lexicographic order, so rows increase.
		for p := min(len(faces), (j+1)*(k+1)) - 1; p >= min(len(faces), j*(k+1)); p-- {
			m.row = append(m.row, faces[p])
			m.val = append(m.val, float64(signs[p]))
		}
		m.start = append(m.start, len(m.row))
	}
	m.cols = c.Count(k)
	return m
}
