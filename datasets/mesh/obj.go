package mesh

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"
)

// objStatements are those of Wavefront's OBJ that are read or skipped without a note: vertices and polygons,
// normals, textures, points and lines, which may go on in the next line; and groups, materials and how to
// draw all that, which may end in a name.
var objStatements = func() map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq("v f vn vt vp p l") {
		set[word] = true
	}
	for word := range strings.FieldsSeq("g s o mg bevel c_interp d_interp lod usemtl mtllib usemap maplib " +
		"shadow_obj trace_obj call csh") {
		set[word] = false
	}
	return set
}()

// objWord is a word that a statement may begin with.
var objWord = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// obj reads Wavefront's OBJ: lines "v x y z" and "f a b c …", where a corner is the number of a vertex from
// 1, or from the last with -1, with numbers of texture coordinates and normals after slashes.
func (in *input) obj() error {
	in.asText()
	var largest, place int64 // vertex number from 1, and its line
	for {
		err := in.statement()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		word := string(in.fields[0])
		_, known := objStatements[word]
		in.fields = in.fields[1:]
		switch {
		case word == "v":
			var x [3]float64
			if err = in.numbers(x[:]); err == nil {
				err = in.vertex(x[0], x[1], x[2])
			}
		case word == "f":
			var last int32
			if last, err = in.objFace(); int64(last) > largest {
				largest, place = int64(last), in.place
			}
		case !known && objWord.MatchString(word):
			in.mesh.left.statements++
		case !known:
			err = in.fail("the statement %s is not read: polygons are \"f\", vertices \"v\"", show(word))
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

// statement reads the fields of the next statement. A backslash at the end of its line continues it on the
// next, unless it belongs to a comment or to a name, such as that of a folder.
func (in *input) statement() error {
	if err := in.next(); err != nil {
		return err
	}
	if !objStatements[string(in.fields[0])] || !continues(in.lines.Bytes()) {
		return nil
	}
	var whole []byte
	for line := in.lines.Bytes(); ; {
		line = bytes.TrimRight(line, "\r")
		more := continues(line)
		whole = append(append(whole, bytes.TrimSuffix(line, []byte(`\`))...), ' ')
		if len(whole) > maxLine {
			return in.fail("more than %d bytes: a line is a vertex or a polygon", maxLine)
		}
		if !more {
			break
		}
		var err error
		if line, err = in.line(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
	}
	in.split(whole)
	return nil
}

// continues reports a line that goes on in the next.
func continues(line []byte) bool {
	return bytes.HasSuffix(bytes.TrimRight(line, "\r"), []byte(`\`)) && bytes.IndexByte(line, '#') < 0
}

// objFace reads a polygon and returns its largest vertex number, from 1.
func (in *input) objFace() (largest int32, err error) {
	vertices, _ := in.mesh.Len()
	for _, field := range in.fields {
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
