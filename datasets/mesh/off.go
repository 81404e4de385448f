package mesh

import (
	"bytes"
)

// off reads the Object File Format of Geomview: a magic word, the numbers of vertices, faces and edges, a
// line for each vertex, and for each face a line with its number of corners and their numbers. Colors,
// normals and texture coordinates are skipped, faces of one or two corners are no surface.
func (in *input) off() error {
	in.asText()
	fields, err := in.must()
	if err != nil {
		return err
	}
	if magic := fields[0]; offMagic.Match(magic) {
		if bytes.ContainsAny(magic[:bytes.Index(magic, []byte("OFF"))], "4n") {
			return in.fail("%s: vertices of other than three coordinates are not read", magic)
		}
		fields = fields[1:]
		if digits := magic[bytes.Index(magic, []byte("OFF"))+3:]; len(digits) > 0 {
			fields = append([][]byte{digits}, fields...)
		}
		if len(fields) > 0 && string(fields[0]) == "BINARY" {
			return in.fail("binary OFF is not read: save it as text, or as PLY")
		}
		if len(fields) == 0 {
			if fields, err = in.must(); err != nil {
				return err
			}
		}
	}
	if len(fields) < 2 || len(fields) > 3 {
		return in.fail("%d numbers: want those of vertices, faces and edges", len(fields))
	}
	vertices, err := in.count(fields[0], "number of vertices")
	if err != nil {
		return err
	}
	faces, err := in.count(fields[1], "number of faces")
	if err != nil {
		return err
	}
	in.reserve(vertices, len("0 0 0\n"), faces, len("3 0 0 0\n"))
	for range vertices {
		if fields, err = in.must(); err != nil {
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
