package sparse

import "slices"

// analysis is the pattern of a factor L. Columns with the same rows below them are kept together
// as one supernode, a dense block: columns first..last-1 and, below, the given rows.
//
// Numbers are those of the elimination, which goes up a forest: the parent of a column is the first
// row below its diagonal that has an entry (Liu, The role of elimination trees in sparse
// factorization, SIAM J. Matrix Anal. Appl. 11, 1990).
type analysis struct {
	order   []int32 // order[k] is the k-th variable to be eliminated
	inverse []int32
	nodes   []supernode // children before parents
	entries int         // of all dense blocks
}

// supernode is a run of columns of L.
type supernode struct {
	first, last int
	rows        []int32 // below the last column, increasing
	children    []int   // supernodes whose first row is a column of this one
}

func analyze(a *Symmetric) *analysis {
	order := minimumDegree(a)
	inverse := invert(order)
	parent := eliminationTree(a, order, inverse)
	post := postorder(parent)
	s := &analysis{order: make([]int32, a.cols)}
	for k, j := range post {
		s.order[k] = order[j]
	}
	s.inverse = invert(s.order)
	renumber := invert(post)
	tree := make([]int32, a.cols)
	for j, p := range parent {
		if p >= 0 {
			p = renumber[p]
		}
		tree[renumber[j]] = p
	}
	s.join(tree, s.counts(a, tree))
	s.fill(a)
	return s
}

// invert returns the inverse of a permutation.
func invert(order []int32) []int32 {
	inverse := make([]int32, len(order))
	for k, i := range order {
		inverse[i] = int32(k)
	}
	return inverse
}

// eliminationTree returns the parent of each column, -1 for roots.
func eliminationTree(a *Symmetric, order, inverse []int32) []int32 {
	parent, ancestor := make([]int32, a.cols), make([]int32, a.cols)
	for k, variable := range order {
		parent[k], ancestor[k] = -1, -1
		neighbors, _ := a.Column(int(variable))
		for _, other := range neighbors {
			for j := inverse[other]; j >= 0 && j < int32(k); {
				up := ancestor[j]
				ancestor[j] = int32(k) // so that later walks are short
				if up < 0 {
					parent[j] = int32(k)
				}
				j = up
			}
		}
	}
	return parent
}

// postorder lists the columns of a forest with those of every subtree in a run that its root ends.
func postorder(parent []int32) []int32 {
	n := len(parent)
	child, sibling := make([]int32, n), make([]int32, n)
	for j := range n {
		child[j] = -1
	}
	root := int32(-1)
	for j := n - 1; j >= 0; j-- {
		first := &root
		if parent[j] >= 0 {
			first = &child[parent[j]]
		}
		sibling[j], *first = *first, int32(j)
	}
	post := make([]int32, 0, n)
	for ; root >= 0; root = sibling[root] {
		stack := []int32{root}
		for len(stack) > 0 {
			top := stack[len(stack)-1]
			if next := child[top]; next >= 0 {
				child[top] = sibling[next]
				stack = append(stack, next)
				continue
			}
			post = append(post, top)
			stack = stack[:len(stack)-1]
		}
	}
	return post
}

// counts returns the number of entries of each column of L: row k has them where the paths up the
// tree go that lead from the entries of row k of the matrix to k.
func (s *analysis) counts(a *Symmetric, tree []int32) []int {
	count, seen := make([]int, a.cols), make([]int32, a.cols)
	for k, variable := range s.order {
		count[k], seen[k] = 1, int32(k)
		neighbors, _ := a.Column(int(variable))
		for _, other := range neighbors {
			for j := s.inverse[other]; j < int32(k) && seen[j] != int32(k); j = tree[j] {
				seen[j] = int32(k)
				count[j]++
			}
		}
	}
	return count
}

// join finds the supernodes. Those of few columns join the next if that adds few zeros to L, as
// larger dense blocks are faster (Ashcraft and Grimes, The influence of relaxed supernode partitions
// on the multifrontal method, ACM Trans. Math. Softw. 15, 1989).
func (s *analysis) join(tree []int32, count []int) {
	type run struct{ first, last, below, zeros int }
	var runs []run
	for j := range count {
		if k := len(runs) - 1; k >= 0 && tree[j-1] == int32(j) && count[j-1] == count[j]+1 {
			runs[k].last, runs[k].below = j+1, count[j]-1
			continue
		}
		runs = append(runs, run{j, j + 1, count[j] - 1, 0})
	}
	var joined []run
	for _, r := range runs {
		for len(joined) > 0 {
			c := joined[len(joined)-1]
			up := tree[c.last-1]
			if up < int32(r.first) || up >= int32(r.last) {
				break
			}
			width := r.last - c.first
			zeros := c.zeros + r.zeros + (c.last-c.first)*(r.last-r.first+r.below-c.below)
			if entries := width * (width + 1 + 2*r.below) / 2; !relaxed(width, zeros, entries) {
				break
			}
			r.first, r.zeros = c.first, zeros
			joined = joined[:len(joined)-1]
		}
		joined = append(joined, r)
	}
	for _, r := range joined {
		s.nodes = append(s.nodes, supernode{first: r.first, last: r.last, rows: make([]int32, 0, r.below)})
		s.entries += (r.last - r.first) * (r.last - r.first + r.below)
	}
}

// relaxed reports whether a supernode of that width may have that many zeros among its entries:
// the rule of CHOLMOD (Chen, Davis, Hager and Rajamanickam, ACM Trans. Math. Softw. 35, 2008).
func relaxed(width, zeros, entries int) bool {
	share := float64(zeros) / float64(entries)
	return width <= 4 || width <= 16 && share < 0.8 || width <= 48 && share < 0.1 || share < 0.05
}

// fill finds the children and the rows of the supernodes: those of the matrix and those of the
// children.
func (s *analysis) fill(a *Symmetric) {
	owner, seen := make([]int, a.cols), make([]int, a.cols)
	for v, node := range s.nodes {
		for j := node.first; j < node.last; j++ {
			owner[j] = v
		}
	}
	for v := range s.nodes {
		node := &s.nodes[v]
		add := func(i int32) {
			if int(i) >= node.last && seen[i] != v+1 {
				seen[i] = v + 1
				node.rows = append(node.rows, i)
			}
		}
		for j := node.first; j < node.last; j++ {
			variable := s.order[j]
			neighbors, _ := a.Column(int(variable))
			for _, other := range neighbors {
				add(s.inverse[other])
			}
		}
		for _, c := range node.children {
			for _, i := range s.nodes[c].rows {
				add(i)
			}
		}
		slices.Sort(node.rows)
		if len(node.rows) > 0 {
			up := &s.nodes[owner[node.rows[0]]]
			up.children = append(up.children, v)
		}
	}
}
