package figures

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/neuralkforms/nkf/nkfx/internal/typeset"
)

// Scene is a figure whose panels show meshes and boxes in space. In a browser it can be rotated, all panels
// together, with the mouse, a finger or the arrow keys. As SVG and PNG it is the figure from one side.
type Scene struct {
	*Figure
}

// Turnable makes a figure a scene. Of its panels it keeps the layers of types [Mesh] and [Box].
func Turnable(f *Figure) *Scene { return &Scene{f} }

// PNG returns the figure as PNG with 96 dots per inch, for pages that do not run scripts and so cannot show
// the scene.
func (s *Scene) PNG() ([]byte, error) { return s.png(96) }

// object is a part of the data of a scene, as the viewer reads it.
type object = map[string]any

// HTML returns the scene for a page: its data, and the program that draws them. It replaces the picture
// before it in the output of a cell. Pages that are not trusted, or shown without scripts, show the picture.
func (s *Scene) HTML() (out string) {
	defer unlessBroken(s.Title, &out)
	data, err := json.Marshal(s.data())
	if err != nil {
		panic(err)
	}
	return paged("scene", string(data))
}

// data returns what the viewer reads.
func (s *Scene) data() object {
	l, columns := s.sizes()
	keys, bars, panels, view := []object{}, []object{}, []object{}, View{}
	for _, k := range s.Key {
		keys = append(keys, object{"name": k.Name, "color": hex(k.Color)})
	}
	for _, b := range s.Bars {
		end := func(x float64) string { return typeset.Text(fmt.Sprintf("%.3g", x)) }
		bars = append(bars, object{"label": b.Label, "colors": b.Scale.stops(), "low": end(b.Scale.Low),
			"high": end(b.Scale.High)})
	}
	for _, p := range s.Panels {
		meshes, boxes := []object{}, []object{}
		for _, layer := range p.Layers {
			switch x := layer.(type) {
			case *Mesh:
				for _, part := range x.parts() {
					meshes = append(meshes, part.data())
				}
				view = x.View
			case *Box:
				boxes, view = append(boxes, object{"low": x.Low, "high": x.High, "labels": x.Labels}), x.View
			}
		}
		panels = append(panels, object{"title": p.Title.Text, "meshes": meshes, "boxes": boxes})
	}
	return object{"title": s.Title, "alt": s.Description(), "columns": columns, "side": int(l.side * 96 / 72),
		"view": object{"azimuth": view.Azimuth, "elevation": view.Elevation},
		"key":  keys, "bars": bars, "panels": panels}
}

// data returns facets as the viewer reads them, with numbers in base64, little endian: points [P, 3], uint16
// in steps from low; values [P], uint16 from 0, the low end of the scale, to 65,534, and 65,535 for none;
// normals [P, 3], int8; and faces [F, 3] of points, uint16 or, if wide, uint32. Corners that are alike are
// one point. Where edges are dark, the points are the corners of one triangle after the other, values and
// normals are those of triangles, and there are no faces.
func (f facets) data() object {
	flat := f.seam > 0
	numbers := map[vertex]uint32{}
	var points, values []uint16
	var normals []int8
	var faces []uint32
	low, step := steps(f.corners)
	for t, corners := range f.corners {
		for i := range corners {
			v := f.vertex(t, i, low, step)
			number, known := numbers[v]
			if !known && !flat {
				number = uint32(len(values))
				numbers[v] = number
				faces = append(faces, number)
			} else if known {
				faces = append(faces, number)
				continue
			}
			points = append(points, v.at[:]...)
			if !flat || i == 0 {
				values = append(values, v.value)
				if f.normals != nil {
					normals = append(normals, v.normal[:]...)
				}
			}
		}
	}
	wide, packedFaces := len(values) > 1<<16, packed(faces)
	if !wide {
		narrow := make([]uint16, len(faces))
		for i, p := range faces {
			narrow[i] = uint16(p)
		}
		packedFaces = packed(narrow)
	}
	return object{"points": packed(points), "low": low, "step": step, "values": packed(values),
		"normals": packed(normals), "faces": packedFaces, "wide": wide, "flat": flat,
		"colors": f.scale.stops(), "shaded": f.normals != nil, "lines": f.lines, "seam": f.seam,
		"lift": f.lift}
}

// vertex is a corner of a triangle as the viewer reads it.
type vertex struct {
	at     [3]uint16
	value  uint16
	normal [3]int8
}

// vertex returns corner i of triangle t.
func (f facets) vertex(t, i int, low [3]float64, step float64) vertex {
	v := vertex{value: math.MaxUint16}
	for axis, x := range coordinates(f.corners[t][i]) {
		v.at[axis] = uint16(math.Round((x - low[axis]) / step))
	}
	if x := f.values[t][i]; !math.IsNaN(x) {
		v.value = uint16(math.Round(f.scale.share(x) * (math.MaxUint16 - 1)))
	}
	if f.normals != nil {
		for axis, x := range coordinates(f.normals[t][i]) {
			v.normal[axis] = int8(math.Round(x * math.MaxInt8))
		}
	}
	return v
}

// stops returns the colors at equal distances from the low end of a scale to the high one.
func (s *Scale) stops() (colors []string) {
	const stops = 16
	for i := range stops + 1 {
		colors = append(colors, hex(s.At(s.Low+(s.High-s.Low)*float64(i)/stops)))
	}
	return colors
}

// coordinates returns those of a point.
func coordinates(p r3.Vec) [3]float64 { return [3]float64{p.X, p.Y, p.Z} }

// steps returns the low corner of the box around triangles, and the size of one of the 65,535 steps that its
// longest side has; 1 where there is no such side.
func steps(triangles []r3.Triangle) (low [3]float64, step float64) {
	var points []float64
	for _, t := range triangles {
		for _, p := range t {
			at := coordinates(p)
			points = append(points, at[:]...)
		}
	}
	box := boxed(points, View{}, "", "", "")
	longest := max(box.High[0]-box.Low[0], box.High[1]-box.Low[1], box.High[2]-box.Low[2])
	if math.IsInf(longest, 0) || math.IsNaN(longest) {
		panic("a vertex is infinite or not a number")
	}
	return box.Low, cmp.Or(longest/math.MaxUint16, 1)
}

// packed returns numbers in base64.
func packed[T uint32 | uint16 | int8 | float32](numbers []T) string {
	data, err := binary.Append(nil, binary.LittleEndian, numbers)
	if err != nil {
		panic(err) // there is none for numbers of a fixed size
	}
	return base64.StdEncoding.EncodeToString(data)
}

// hex returns a color as pages write it.
func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
