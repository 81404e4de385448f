package mesh

import "regexp"

// offMagic is the first word of OFF files: the parts of vertices, of which those with other than three
// coordinates are the second submatch, and what some programs write right after it, the number of vertices.
var offMagic = regexp.MustCompile(`^((?:ST)?C?N?)(4?n?)OFF(\d*)$`)

// off reads the Object File Format of Geomview: a magic word, the numbers of vertices, faces and edges, the
// coordinates of vertices, and for each face its number of corners and their numbers, in lines of any length.
// The color of a face ends at its line, as do colors, normals and texture coordinates of a vertex, which the
// magic word announces: they are skipped.
func (in *input) off() error {
	in.asText()
	if err := in.must(); err != nil {
		return err
	}
	more := false // than coordinates in the line of a vertex
	if magic := offMagic.FindSubmatch(in.fields[0]); magic != nil {
		if len(magic[2]) > 0 {
			return in.fail("%s: vertices of other than three coordinates are not read", in.fields[0])
		}
		more = len(magic[1]) > 0
		if in.fields[0] = magic[3]; len(magic[3]) == 0 {
			in.fields = in.fields[1:]
		}
	}
	if len(in.fields) > 0 && string(in.fields[0]) == "BINARY" {
		return in.fail("binary OFF is not read: save it as text, or as PLY")
	}
	vertices, faces, err := in.offCounts()
	if err != nil {
		return err
	}
	in.reserve(vertices, len("0 0 0\n"), faces, len("3 0 0 0\n"))
	for range vertices {
		if err := in.offVertex(more); err != nil {
			return err
		}
	}
	for range faces {
		if err := in.offFace(vertices); err != nil {
			return err
		}
	}
	if len(in.fields) > 0 {
		return in.fail("there is more after the last vertex of the file")
	}
	return in.end("face", 0)
}

// offCounts reads the numbers of vertices, faces and edges. The last may be missing after two in a line.
func (in *input) offCounts() (vertices, faces int, err error) {
	field, err := in.token()
	if err != nil {
		return 0, 0, err
	}
	if vertices, err = in.integer(field, 0, maxCount, "number of vertices"); err != nil {
		return 0, 0, err
	}
	together := len(in.fields) > 0
	if field, err = in.token(); err != nil {
		return 0, 0, err
	}
	if faces, err = in.integer(field, 0, maxCount, "number of faces"); err != nil {
		return 0, 0, err
	}
	if len(in.fields) > 0 || !together {
		_, err = in.token()
	}
	return vertices, faces, err
}

// offVertex reads a vertex, with more than coordinates up to the end of its line or without.
func (in *input) offVertex(more bool) (err error) {
	var x [3]float64
	for i := range x {
		field, err := in.token()
		if err == nil {
			x[i], err = in.number(field)
		}
		if err != nil {
			return err
		}
	}
	if more {
		in.fields = nil
	}
	return in.vertex(x[0], x[1], x[2])
}

// offFace reads a face, up to the end of its line.
func (in *input) offFace(vertices int) error {
	field, err := in.token()
	if err != nil {
		return err
	}
	corners, err := in.integer(field, 0, maxCount, "number of corners")
	if err != nil {
		return err
	}
	for range corners {
		if field, err = in.token(); err != nil {
			return err
		}
		v, err := in.integer(field, -maxCount, maxCount, "vertex number")
		if err == nil {
			err = in.corner(v, vertices)
		}
		if err != nil {
			return err
		}
	}
	in.fields = nil
	return in.face()
}
