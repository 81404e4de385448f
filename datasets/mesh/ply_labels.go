package mesh

import "math"

// keepLabels gives new vertices and triangles the last labels.
func (p *plyFile) keepLabels() {
	m := &p.mesh
	vertices, triangles := m.Len()
	for len(m.Labels) < vertices && p.labeled[0] {
		m.Labels = append(m.Labels, p.label[0])
	}
	for len(m.FaceLabels) < triangles && p.labeled[1] {
		m.FaceLabels = append(m.FaceLabels, p.label[1])
	}
}

// takeLabels makes integers "label" of vertices or faces their labels.
func (p *plyFile) takeLabels(e element, which int) {
	q := e.property("label")
	if q == nil || q.length.size > 0 || q.value.kind == 'f' {
		return
	}
	p.labeled[which] = true
	q.take = func(x float64) error {
		if x < math.MinInt32 || x >= math.MaxInt32 {
			return p.fail("the label %v is too large", x)
		}
		p.label[which] = int32(x)
		return nil
	}
}
