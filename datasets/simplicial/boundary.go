package simplicial

// Boundary returns the boundary operator ∂_k from k-chains to (k-1)-chains, ∂[v0 … vk] = Σ_i (-1)^i
// [v0 … v̂i … vk].
//
// Every degree is allowed: ∂_k has Count(k) columns and Count(k-1) rows, of which there are none
// for k <= 0. Its Pull is the coboundary of (k-1)-cochains.
func (c *Complex) Boundary(k int) *Operator {
	count := c.Count(k)
	m := newOperator(k, k-1, c.Count(k-1), count, count*(k+1))
	if k <= 0 || count == 0 {
		m.cols = count
		m.start = make([]int, count+1)
		return m
	}
	face := make([]int32, k)
	for j := range count {
		simplex := c.at(k, j)
		// Dropping a later vertex gives an earlier face, so the rows come out increasing.
		for i := k; i >= 0; i-- {
			copy(face, simplex[:i])
			copy(face[i:], simplex[i+1:])
			m.row = append(m.row, int32(find(c.levels[k-1], face)))
			m.val = append(m.val, float64(1-2*(i%2)))
		}
		m.start = append(m.start, len(m.row))
	}
	m.cols = count
	return m
}
