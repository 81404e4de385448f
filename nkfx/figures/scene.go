package figures

import (
	"cmp"
	_ "embed"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"html"
	"image/color"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Scene is a figure whose panels show meshes and boxes in space, and that can be turned in a browser,
// all panels together: with the mouse or a finger, or by the arrow keys. As SVG and PNG it is the
// figure, seen from one side.
type Scene struct {
	*Figure
}

// Turnable makes a figure a scene. Of its panels it keeps the layers of types [Mesh] and [Box].
func Turnable(f *Figure) *Scene { return &Scene{f} }

// viewer is the program that draws a scene in a browser.
//
//go:embed scene.js
var viewer string

// object is a part of the data of a scene, as the viewer reads it.
type object = map[string]any

// HTML returns the scene for a page: its data, and the program that draws them. It takes the place of
// the picture before it in the output of a cell, if there is one: of a page that is not trusted, or read
// where programs do not run, the picture is what one sees.
func (s *Scene) HTML() (out string) {
	defer func() {
		if p := recover(); p != nil { // sizes that do not fit
			out = "<p>" + html.EscapeString(fmt.Sprintf("figure %q: %v", s.Title, p)) + "</p>"
		}
	}()
	data, err := json.Marshal(s.data())
	if err != nil {
		panic(err)
	}
	return `<div class="nkf-scene" data-scene="` + html.EscapeString(string(data)) +
		`" data-lm-suppress-shortcuts="true"></div><script>` + viewer + "</script>"
}

// data returns what the viewer reads.
func (s *Scene) data() object {
	l, columns := s.sizes()
	keys, bars, panels, view := []object{}, []object{}, []object{}, View{}
	for _, k := range s.Key {
		keys = append(keys, object{"name": k.Name, "color": hex(k.Color)})
	}
	for _, b := range s.Bars {
		const stops = 16
		var colors []string
		for i := range stops + 1 {
			colors = append(colors, hex(b.Scale.At(b.Scale.Low+(b.Scale.High-b.Scale.Low)*float64(i)/stops)))
		}
		end := func(x float64) string { return typeset(fmt.Sprintf("%.3g", x)) }
		bars = append(bars, object{"label": b.Label, "colors": colors, "low": end(b.Scale.Low),
			"high": end(b.Scale.High)})
	}
	for _, p := range s.Panels {
		meshes, boxes := []object{}, []object{}
		for _, layer := range p.Layers {
			switch x := layer.(type) {
			case *Mesh:
				meshes, view = append(meshes, x.data()), x.View
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

// data returns the mesh as the viewer reads it, with numbers in base64, little endian. Points [P, 3] are
// uint16, steps from low; corners at one place are one point. Faces [F, 3] are points, uint16 or, if wide,
// uint32. Those of arrows follow those of the surface.
func (m *Mesh) data() object {
	var points []uint16
	var faces []uint32
	var colors []byte
	numbers := map[[3]uint16]uint32{}
	list := m.faces()
	low, step := steps(list)
	for _, f := range list {
		for _, p := range f.corners {
			at := [3]uint16{}
			for axis, x := range coordinates(p) {
				at[axis] = uint16(math.Round((x - low[axis]) / step))
			}
			number, known := numbers[at]
			if !known {
				number = uint32(len(points) / 3)
				numbers[at] = number
				points = append(points, at[:]...)
			}
			faces = append(faces, number)
		}
		colors = append(colors, f.color.R, f.color.G, f.color.B)
	}
	wide, packedFaces := len(points) > 3<<16, packed(faces)
	if !wide {
		narrow := make([]uint16, len(faces))
		for i, p := range faces {
			narrow[i] = uint16(p)
		}
		packedFaces = packed(narrow)
	}
	return object{"points": packed(points), "low": low, "step": step, "faces": packedFaces, "wide": wide,
		"colors": packed(colors), "surface": len(m.Triangles) / 3, "lift": m.lift(), "seam": m.seam()}
}

// coordinates returns those of a point.
func coordinates(p r3.Vec) [3]float64 { return [3]float64{p.X, p.Y, p.Z} }

// steps returns the low corner of the box around faces, and the size of one of the 65,535 steps that its
// longest side has; 1 where there is no such side.
func steps(faces []face) (low [3]float64, step float64) {
	var points []float64
	for _, f := range faces {
		for _, p := range f.corners {
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
func packed[T uint32 | uint16 | byte](numbers []T) string {
	data, err := binary.Append(nil, binary.LittleEndian, numbers)
	if err != nil {
		panic(err) // there is none for numbers of a fixed size
	}
	return base64.StdEncoding.EncodeToString(data)
}

// hex returns a color as pages write it.
func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
