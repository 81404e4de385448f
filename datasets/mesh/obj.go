package mesh

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
)

// skipped are the statements of Wavefront's OBJ that say nothing about the surface that polygons make:
// normals, textures, points and lines, groups, materials and how to draw all that.
var skipped = func() map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq("vn vt vp p l g s o mg bevel c_interp d_interp lod usemtl mtllib " +
		"usemap maplib shadow_obj trace_obj call csh") {
		set[word] = true
	}
	return set
}()

// isStatement reports whether a line of an OBJ file may begin so.
func isStatement(word string) bool { return word == "v" || word == "f" || skipped[word] }

// obj reads Wavefront's OBJ: lines "v x y z" and "f a b c …", where a corner is the number of a vertex from
// 1, or from the last with -1, with numbers of texture coordinates and normals after slashes.
func (in *input) obj() error {
	in.asText()
	in.joins = true
	largest, place := -1, 0 // vertex number, and its line
	for {
		fields, err := in.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		switch word := fields[0]; {
		case len(word) == 1 && word[0] == 'v':
			err = in.point(fields[1:])
		case len(word) == 1 && word[0] == 'f':
			var last int
			if last, err = in.objFace(fields[1:]); last > largest {
				largest, place = last, in.line
			}
		case !skipped[string(word)]:
			err = in.fail("the statement %s is not read: polygons are \"f\", vertices \"v\"", show(word))
		}
		if err != nil {
			return err
		}
	}
	if vertices, _ := in.mesh.Len(); largest >= vertices {
		in.line = place
		return in.fail("vertex number %d, but there are %d vertices, numbered from 1", largest+1, vertices)
	}
	return nil
}

// join returns a line with those that it goes on in.
func (in *input) join(line []byte) ([]byte, error) {
	joined := bytes.TrimRight(bytes.Clone(line), "\r\n")
	for bytes.HasSuffix(joined, []byte(`\`)) {
		joined[len(joined)-1] = ' '
		next, err := in.nextLine()
		if errors.Is(err, io.EOF) {
			return nil, in.unreadable(err)
		}
		if err != nil {
			return nil, err
		}
		if joined = append(joined, bytes.TrimRight(next, "\r\n")...); len(joined) > maxLine {
			return nil, in.fail("more than %d bytes: a line is a vertex or a polygon", maxLine)
		}
	}
	return joined, nil
}

// objFace reads a polygon and returns its largest vertex number, from 0.
func (in *input) objFace(fields [][]byte) (largest int, err error) {
	if len(fields) < 3 {
		return 0, in.fail("a face of %d corners: it needs three", len(fields))
	}
	vertices, _ := in.mesh.Len()
	for _, field := range fields {
		if slash := bytes.IndexByte(field, '/'); slash >= 0 {
			field = field[:slash]
		}
		n, err := in.integer(field, math.MaxInt32, "vertex number")
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
		largest = max(largest, n-1)
		if err := in.corner(int32(n - 1)); err != nil {
			return 0, err
		}
	}
	return largest, in.face()
}
