package mesh

import "regexp"

// offMagic is the first word of OFF files: the parts of vertices, of which those with other than three
// coordinates are the second submatch, and what some programs write right after it, the number of vertices.
var offMagic = regexp.MustCompile(`^((?:ST)?C?N?)(4?n?)OFF(\d*)$`)

// off reads the Object File Format of Geomview: a magic word, the numbers of vertices, faces and edges, a
// line for each vertex, and for each face a line with its number of corners and their numbers. Colors,
// normals and texture coordinates are skipped, faces of one or two corners are no surface.
func (in *input) off() error {
	in.asText()
	fields, err := in.must()
	if err == nil && offMagic.Match(fields[0]) {
		fields, err = in.afterMagic(fields)
	}
	if err != nil {
		return err
	}
	if len(fields) < 2 || len(fields) > 3 {
		return in.fail("%d numbers: want those of vertices, faces and edges", len(fields))
	}
	vertices, err := in.integer(fields[0], 0, maxCount, "number of vertices")
	if err != nil {
		return err
	}
	faces, err := in.integer(fields[1], 0, maxCount, "number of faces")
	if err != nil {
		return err
	}
	in.reserve(vertices, len("0 0 0\n"), faces, len("3 0 0 0\n"))
	for range vertices {
		if fields, err = in.must(); err == nil {
			err = in.point(fields)
		}
		if err != nil {
			return err
		}
	}
	for range faces {
		if err := in.offFace(vertices); err != nil {
			return err
		}
	}
	return in.end("face")
}

// afterMagic returns the fields after the magic word.
func (in *input) afterMagic(fields [][]byte) ([][]byte, error) {
	magic := offMagic.FindSubmatch(fields[0])
	if len(magic[2]) > 0 {
		return nil, in.fail("%s: vertices of other than three coordinates are not read", fields[0])
	}
	if fields[0] = magic[3]; len(fields[0]) == 0 {
		fields = fields[1:]
	}
	if len(fields) == 0 {
		return in.must()
	}
	if string(fields[0]) == "BINARY" {
		return nil, in.fail("binary OFF is not read: save it as text, or as PLY")
	}
	return fields, nil
}

// offFace reads the line of a face.
func (in *input) offFace(vertices int) error {
	fields, err := in.must()
	if err != nil {
		return err
	}
	corners, err := in.integer(fields[0], 1, maxCount, "number of corners")
	if err != nil {
		return err
	}
	if len(fields) <= corners {
		return in.fail("a face of %d corners with %d vertex numbers", corners, len(fields)-1)
	}
	for _, field := range fields[1 : corners+1] {
		v, err := in.integer(field, -maxCount, maxCount, "vertex number")
		if err == nil {
			err = in.corner(v, vertices)
		}
		if err != nil {
			return err
		}
	}
	return in.face()
}
