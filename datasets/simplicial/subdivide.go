package simplicial

// Subdivide returns the barycentric subdivision and the subdivision operators, sd[k] for k =
// 0..Dim(), which map each simplex to the sum, with signs, of those it is cut into: ∂ sd = sd ∂,
// and integrals over a chain and its subdivision agree.
//
// The vertices of the subdivision are the barycentres of all simplices, by degree and then by
// index, so those of c come first. Its k-simplices are the flags σ0 ⊂ … ⊂ σk. It is an error if it
// would exceed MaxSize.
func (c *Complex) Subdivide() (fine *Complex, sd []*Operator, err error) {
	offset := make([]int, c.Dim()+2) // offset[k]+i is the barycentre of the i-th k-simplex
	for k := range c.levels {
		offset[k+1] = offset[k] + c.Count(k)
	}
	total := offset[c.Dim()+1]
	n := c.ambient
	coords := make([]float64, total*n)
	upper := make([][]int32, total)
	size := total
	var face []int32
	for k := range c.levels {
		for i := range c.Count(k) {
			simplex, b := c.at(k, i), offset[k]+i
			for _, v := range simplex {
				for a := range n {
					coords[b*n+a] += c.coords[int(v)*n+a] / float64(k+1)
				}
			}
			if size += 2 * (1<<(k+1) - 2); size > MaxSize {
				return nil, nil, errSize("this subdivision")
			}
			for set := 1; set < 1<<(k+1)-1; set++ {
				face = face[:0]
				for j, v := range simplex {
					if set>>j&1 == 1 {
						face = append(face, v)
					}
				}
				f := offset[len(face)-1] + find(c.levels[len(face)-1], face)
				upper[f] = append(upper[f], int32(b))
			}
		}
	}
	// Flags are the sets of simplices of which each two are nested.
	if fine, err = expand(n, coords, upper, max(c.Dim(), 0), nil); err != nil {
		return nil, nil, err
	}
	return fine, c.subdivision(fine, offset), nil
}

// subdivision returns the subdivision operators, by sd[v] = [v] and sd σ = b_σ * sd ∂σ with the
// cone b * [v0 … vk] = [b v0 … vk] over the barycentre b of σ.
func (c *Complex) subdivision(fine *Complex, offset []int) []*Operator {
	sd := make([]*Operator, len(c.levels))
	for k := range sd {
		sd[k] = newOperator(k, k, fine.Count(k), c.Count(k), fine.Count(k))
		boundary := c.Boundary(k)
		flag := make([]int32, k+1)
		// The barycentre is the last vertex of each flag, k places from where the cone puts it.
		sign := float64(1 - 2*(k%2))
		for i := range c.Count(k) {
			var index []int32
			var coeff []float64
			flag[k] = int32(offset[k] + i)
			if k == 0 { // ∂ of a vertex is 0, and the recursion has to begin somewhere.
				index, coeff = []int32{int32(i)}, []float64{1}
			}
			for p := boundary.start[i]; p < boundary.start[i+1]; p++ {
				below, j := sd[k-1], boundary.row[p]
				for q := below.start[j]; q < below.start[j+1]; q++ {
					copy(flag, fine.at(k-1, int(below.row[q])))
					index = append(index, int32(find(fine.levels[k], flag)))
					coeff = append(coeff, sign*boundary.val[p]*below.val[q])
				}
			}
			sd[k].add(newChain(k, index, coeff))
		}
	}
	return sd
}
