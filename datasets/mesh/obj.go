package mesh

import (
	"bytes"
	"errors"
	"io"
	"strings"
)

// objStatements are those of Wavefront's OBJ that are read or skipped: vertices and polygons; normals,
// textures, points and lines, groups, materials and how to draw all that.
var objStatements = func() map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq("v f vn vt vp p l g s o mg bevel c_interp d_interp lod usemtl " +
		"mtllib usemap maplib shadow_obj trace_obj call csh") {
		set[word] = true
	}
	return set
}()

// obj reads Wavefront's OBJ: lines "v x y z" and "f a b c …", where a corner is the number of a vertex from
// 1, or from the last with -1, with numbers of texture coordinates and normals after slashes.
func (in *input) obj() error {
	in.asText()
	in.joins = true
	var largest, place int64 // vertex number from 1, and its line
	for {
		fields, err := in.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		switch word := string(fields[0]); {
		case word == "v":
			err = in.point(fields[1:])
		case word == "f":
			var last int32
			if last, err = in.objFace(fields[1:]); int64(last) > largest {
				largest, place = int64(last), in.place
			}
		case !objStatements[word]:
			err = in.fail("the statement %s is not read: polygons are \"f\", vertices \"v\"",
				show(fields[0]))
		}
		if err != nil {
			return err
		}
	}
	if vertices, _ := in.mesh.Len(); largest > int64(vertices) {
		in.place = place
		return in.fail("vertex number %d, but there are %d vertices, numbered from 1", largest, vertices)
	}
	return nil
}

// objFace reads a polygon and returns its largest vertex number, from 1.
func (in *input) objFace(fields [][]byte) (largest int32, err error) {
	if len(fields) < 3 {
		return 0, in.fail("a face of %d corners: it needs three", len(fields))
	}
	vertices, _ := in.mesh.Len()
	for _, field := range fields {
		field, _, _ = bytes.Cut(field, []byte("/"))
		n, err := in.integer(field, -maxCount, maxCount, "vertex number")
		if err != nil {
			return 0, err
		}
		switch {
		case n == 0:
			return 0, in.fail("vertex number 0: they count from 1")
		case n < -vertices:
			return 0, in.fail("vertex number %d, but only %d vertices before it", n, vertices)
		case n < 0:
			n += vertices + 1
		}
		largest = max(largest, int32(n))
		in.corners = append(in.corners, int32(n-1))
	}
	return largest, in.face()
}
