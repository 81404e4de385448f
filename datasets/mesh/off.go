package mesh

import (
	"bytes"
)

// off reads the Object File Format of Geomview: a magic word, the numbers of vertices, faces and edges, a
// line for each vertex, and for each face a line with its number of corners and their numbers. Colors,
// normals and texture coordinates are skipped, faces of one or two corners are no surface.
func (in *input) off() error {
	in.asText()
	vertices, faces, err := in.offCounts()
	if err != nil {
		return err
	}
	in.reserve(vertices, len("0 0 0\n"), faces, len("3 0 0 0\n"))
	for range vertices {
		fields, err := in.must()
		if err != nil {
			return err
		}
		if err := in.point(fields); err != nil {
			return err
		}
	}
	for range faces {
		if err := in.offFace(vertices); err != nil {
			return err
		}
	}
	return in.end("%d vertices and %d faces, which is all that the file begins with", vertices, faces)
}

// offCounts reads the magic word, if it is there, and the numbers of vertices and faces.
func (in *input) offCounts() (vertices, faces int, err error) {
	fields, err := in.must()
	if err == nil && offMagic.Match(fields[0]) {
		fields, err = in.offMagic(fields)
	}
	if err != nil {
		return 0, 0, err
	}
	if len(fields) < 2 || len(fields) > 3 {
		return 0, 0, in.fail("%d numbers: want those of vertices, faces and edges", len(fields))
	}
	if vertices, err = in.count(fields[0], "number of vertices"); err != nil {
		return 0, 0, err
	}
	faces, err = in.count(fields[1], "number of faces")
	return vertices, faces, err
}

// offMagic returns the fields after the magic word, with the digits that end it.
func (in *input) offMagic(fields [][]byte) ([][]byte, error) {
	magic, fields := fields[0], fields[1:]
	variant, digits, _ := bytes.Cut(magic, []byte("OFF"))
	if bytes.ContainsAny(variant, "4n") {
		return nil, in.fail("%s: vertices of other than three coordinates are not read", magic)
	}
	if len(digits) > 0 {
		fields = append([][]byte{digits}, fields...)
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
	corners, err := in.count(fields[0], "number of corners")
	if err != nil {
		return err
	}
	if corners == 0 || len(fields) <= corners {
		return in.fail("a face of %d corners with %d vertex numbers", corners, len(fields)-1)
	}
	for _, field := range fields[1 : corners+1] {
		n, err := in.integer(field, maxCount, "vertex number")
		if err != nil {
			return err
		}
		v, err := in.inRange(n, vertices)
		if err != nil {
			return err
		}
		if err := in.corner(v); err != nil {
			return err
		}
	}
	return in.face()
}
