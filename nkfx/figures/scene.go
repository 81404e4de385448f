package figures

import (
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

// The data of a scene, as the viewer reads it.
type (
	sceneData struct {
		Title   string       `json:"title"`
		Alt     string       `json:"alt"`
		Columns int          `json:"columns"`
		Side    int          `json:"side"` // of a panel, in pixels
		View    viewData     `json:"view"`
		Key     []keyData    `json:"key"`
		Bars    []barData    `json:"bars"`
		Panels  []*panelData `json:"panels"`
	}
	viewData struct {
		Azimuth   float64 `json:"azimuth"`
		Elevation float64 `json:"elevation"`
	}
	keyData struct {
		Name  string `json:"name"`
		Color string `json:"color"`
	}
	barData struct {
		Label  string   `json:"label"`
		Low    string   `json:"low"`
		High   string   `json:"high"`
		Colors []string `json:"colors"`
	}
	panelData struct {
		Title  string      `json:"title"`
		Meshes []*meshData `json:"meshes"`
		Boxes  []*boxData  `json:"boxes"`
	}
	// meshData has its numbers in base64, little endian.
	meshData struct {
		Points  string     `json:"points"` // [P, 3] uint16: steps from Low
		Low     [3]float64 `json:"low"`
		Step    float64    `json:"step"`
		Faces   string     `json:"faces"` // [F, 3] uint16, or uint32 if Wide: points
		Wide    bool       `json:"wide"`
		Colors  string     `json:"colors"`  // [F, 3] uint8
		Surface int        `json:"surface"` // faces of the surface; those of arrows follow
		Lift    float64    `json:"lift"`
		Seam    float64    `json:"seam"`
	}
	boxData struct {
		Low    [3]float64 `json:"low"`
		High   [3]float64 `json:"high"`
		Labels [3]string  `json:"labels"`
	}
)

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
		return "<p>" + html.EscapeString(fmt.Sprintf("figure %q: %v", s.Title, err)) + "</p>"
	}
	return `<div class="nkf-scene" data-scene="` + html.EscapeString(string(data)) +
		`" data-lm-suppress-shortcuts="true"></div><script>` + viewer + "</script>"
}

// data returns what the viewer reads.
func (s *Scene) data() *sceneData {
	l, columns := s.sizes()
	out := &sceneData{Title: s.Title, Alt: s.Description(), Columns: columns, Side: int(l.side * 96 / 72),
		Key: []keyData{}, Bars: []barData{}, Panels: []*panelData{}}
	for _, k := range s.Key {
		out.Key = append(out.Key, keyData{k.Name, hex(k.Color)})
	}
	for _, b := range s.Bars {
		const stops = 16
		bar := barData{Label: b.Label, Low: typeset(fmt.Sprintf("%.3g", b.Scale.Low)),
			High: typeset(fmt.Sprintf("%.3g", b.Scale.High))}
		for i := range stops + 1 {
			at := b.Scale.Low + (b.Scale.High-b.Scale.Low)*float64(i)/stops
			bar.Colors = append(bar.Colors, hex(b.Scale.At(at)))
		}
		out.Bars = append(out.Bars, bar)
	}
	for _, p := range s.Panels {
		panel := &panelData{Title: p.Title.Text, Meshes: []*meshData{}, Boxes: []*boxData{}}
		for _, layer := range p.Layers {
			switch x := layer.(type) {
			case *Mesh:
				panel.Meshes = append(panel.Meshes, x.data())
				out.View = viewData(x.View)
			case *Box:
				panel.Boxes = append(panel.Boxes, &boxData{x.Low, x.High, x.Labels})
				out.View = viewData(x.View)
			}
		}
		out.Panels = append(out.Panels, panel)
	}
	return out
}

// data returns the mesh as the viewer reads it. Corners at one place are one point.
func (m *Mesh) data() *meshData {
	out := &meshData{Surface: len(m.Triangles) / 3, Lift: m.lift(), Seam: m.seam()}
	var points []uint16
	var faces []uint32
	var colors []byte
	numbers := map[[3]uint16]uint32{}
	list := m.faces()
	low, step := steps(list)
	out.Low, out.Step = [3]float64{low.X, low.Y, low.Z}, step
	for _, f := range list {
		for _, p := range f.corners {
			p = r3.Scale(1/step, r3.Sub(p, low))
			at := [3]uint16{uint16(math.Round(p.X)), uint16(math.Round(p.Y)), uint16(math.Round(p.Z))}
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
	out.Points, out.Colors = packed(points), packed(colors)
	if out.Wide = len(points) > 3<<16; out.Wide {
		out.Faces = packed(faces)
		return out
	}
	narrow := make([]uint16, len(faces))
	for i, p := range faces {
		narrow[i] = uint16(p)
	}
	out.Faces = packed(narrow)
	return out
}

// steps returns the low corner of the box around faces, and the size of one of the 65,535 steps that its
// longest side has; 1 where there is no such side.
func steps(faces []face) (low r3.Vec, step float64) {
	if len(faces) == 0 {
		return r3.Vec{}, 1
	}
	low = faces[0].corners[0]
	high := low
	for _, f := range faces {
		for _, p := range f.corners {
			low = r3.Vec{X: min(low.X, p.X), Y: min(low.Y, p.Y), Z: min(low.Z, p.Z)}
			high = r3.Vec{X: max(high.X, p.X), Y: max(high.Y, p.Y), Z: max(high.Z, p.Z)}
		}
	}
	size := r3.Sub(high, low)
	longest := max(size.X, size.Y, size.Z)
	if math.IsInf(longest, 0) || math.IsNaN(longest) {
		panic("a vertex is infinite or not a number")
	}
	if longest == 0 {
		return low, 1
	}
	return low, longest / math.MaxUint16
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
