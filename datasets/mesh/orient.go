package mesh

// patches are the parts of a surface that triangles make which meet at an edge of two triangles: across such
// an edge one orientation follows from the other.
type patches struct {
	parent []int32 // of triangles, as union-find has it
	flip   []bool  // from the orientation of the parent
	twist  []bool  // by root: the patch is not orientable
}

// patches finds the patches.
func (m *Mesh) patches(e *edges) *patches {
	_, triangles := m.Len()
	p := &patches{parent: make([]int32, triangles), flip: make([]bool, triangles),
		twist: make([]bool, triangles)}
	for t := range p.parent {
		p.parent[t] = int32(t)
	}
	for edge := range e.len() {
		if s := e.of(edge); len(s) == 2 {
			p.join(s[0]/3, s[1]/3, m.forward(s[0]) == m.forward(s[1]))
		}
	}
	return p
}

// find returns the root of a triangle and whether it is oriented against it. Paths are halved on the way.
func (p *patches) find(t int32) (root int32, flip bool) {
	for p.parent[t] != t {
		if up := p.parent[t]; p.parent[up] != up {
			p.flip[t] = p.flip[t] != p.flip[up]
			p.parent[t] = p.parent[up]
		}
		flip = flip != p.flip[t]
		t = p.parent[t]
	}
	return t, flip
}

// join joins the patches of two triangles that are oriented alike or against each other.
func (p *patches) join(a, b int32, against bool) {
	rootA, flipA := p.find(a)
	rootB, flipB := p.find(b)
	switch {
	case rootA != rootB:
		low, high := min(rootA, rootB), max(rootA, rootB)
		p.parent[high] = low
		p.flip[high] = (flipA != flipB) != against
		p.twist[low] = p.twist[low] || p.twist[high]
	case (flipA != flipB) != against:
		p.twist[rootA] = true
	}
}

// Orient reverses triangles so that any two that share an edge, with no third, run through it in opposite
// directions, wherever that is possible, and returns the number of reversed triangles. Of the two
// orientations of a patch of triangles it chooses the one with fewer reversals. Edges of three or more
// triangles impose no condition; patches that are not orientable, such as a Möbius band, stay as they are.
func (m *Mesh) Orient() (turned int) {
	m.valid()
	p := m.patches(m.edges())
	_, triangles := m.Len()
	against := make([]int32, triangles)
	size := make([]int32, triangles)
	for t := range int32(triangles) {
		root, flip := p.find(t)
		if size[root]++; flip {
			against[root]++
		}
	}
	for t := range int32(triangles) {
		root, flip := p.find(t)
		if !p.twist[root] && flip == (2*against[root] <= size[root]) {
			m.Triangles[3*t+1], m.Triangles[3*t+2] = m.Triangles[3*t+2], m.Triangles[3*t+1]
			turned++
		}
	}
	return turned
}
