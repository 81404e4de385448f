// Package images reads images as surfaces: a pixel is a vertex, whose coordinates are its position and its
// brightness or color, and a square of four pixels is two triangles. Neural 1-forms and 2-forms are
// integrated over them.
//
// What is transparent shows a white ground. JPEG files are turned as their Exif data say.
package images

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // read, as are PNG files
	_ "image/png"
	"math"
	"path"
	"slices"
	"strings"

	"golang.org/x/image/draw"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/internal/folder"
)

// Set is a list of images.
type Set struct {
	datasets.Info
	files    []string
	contents [][]byte    // of the files: decoded images take far more memory
	targets  [][]float64 // the number of the class of each, or nothing
}

func isImage(name string) bool {
	return slices.Contains([]string{".png", ".jpg", ".jpeg"}, strings.ToLower(path.Ext(name)))
}

// Open reads the PNG and JPEG files of a folder, in the order of their paths. If all files are in subfolders,
// these are the classes. It is an error if there is no image, or one is damaged or has more than 2²⁴ pixels.
func Open(place string) (*Set, error) {
	s := &Set{}
	var err error
	s.Info, s.files, s.targets, err = folder.Load(place, "images, such as .png or .jpg", isImage,
		func(content []byte) error {
			size, _, err := image.DecodeConfig(bytes.NewReader(content))
			if err == nil && size.Width*size.Height > 1<<24 {
				err = fmt.Errorf("%d × %d pixels are too many", size.Width, size.Height)
			}
			if err != nil {
				return err
			}
			s.contents = append(s.contents, content)
			_, _, err = image.Decode(bytes.NewReader(content))
			return err
		})
	return s, err
}

// Kind returns "images".
func (s *Set) Kind() string { return "images" }

// Len returns the number of images.
func (s *Set) Len() int { return len(s.files) }

// Row returns the path of an image.
func (s *Set) Row(g int) []datasets.Field {
	return []datasets.Field{{Name: "image", Column: "image", Value: s.files[g]}}
}

// Encoder returns an encoder to grids of 16 vertices along the longer side, with the features "gray", the
// default, or "color".
func (s *Set) Encoder(features string) (datasets.Encoder, error) {
	if features == "" {
		features = "gray"
	}
	e := encoder{features, 16}
	return e, e.Check()
}

// NewEncoder returns an empty encoder, to read a saved one into.
func NewEncoder() datasets.Encoder { return new(encoder) }

// encoder makes surfaces of images.
type encoder struct {
	Features string `json:"features"` // "gray": x, y, brightness; "color": x, y, red, green, blue
	Side     int    `json:"side"`     // vertices along the longer side
}

// dimension is that of the space in which surfaces lie, by features.
var dimension = map[string]int{"gray": 3, "color": 5}

// Check returns an error for invalid features or an invalid size.
func (e encoder) Check() error {
	if dimension[e.Features] == 0 || e.Side < 2 || e.Side > 1024 {
		return fmt.Errorf("images as %q, %d a side: want gray or color, 2 to 1024", e.Features, e.Side)
	}
	return nil
}

// Encode returns a surface for each image, scaled to the size of the encoder. Positions are within [-1, 1],
// brightness and colors within [0, 1].
func (e encoder) Encode(s datasets.Source) (*datasets.Collection, error) {
	set, ok := s.(*Set)
	if !ok {
		return nil, errors.New("another kind of data: want images")
	}
	b := datasets.NewBuilder(dimension[e.Features])
	b.Info = set.Info
	b.Features = e.Features
	for g, content := range set.contents {
		img, _, err := image.Decode(bytes.NewReader(content))
		if err != nil {
			return nil, err
		}
		vertices, edges, triangles := e.surface(img, orientationOf(content))
		b.Add(vertices, [][]int32{1: edges, 2: triangles}, set.targets[g]...)
	}
	return b.Collection()
}

// surface returns the vertices of an image, row after row, and the edges and triangles between them.
func (e encoder) surface(img image.Image, turned orientation) (vertices []float64, edges, triangles []int32) {
	size := img.Bounds().Size()
	side := func(n int) int { return max(2, n*e.Side/max(size.X, size.Y)) }
	stored := image.Rect(0, 0, side(size.X), side(size.Y))
	var grid draw.Image = image.NewGray16(stored)
	if e.Features == "color" {
		grid = image.NewRGBA64(stored)
	}
	draw.Draw(grid, stored, image.White, image.Point{}, draw.Src)
	draw.BiLinear.Scale(grid, stored, img, img.Bounds(), draw.Over, nil) // means of pixels
	width, height := stored.Dx(), stored.Dy()
	if turned.swaps() {
		width, height = height, width
	}
	for v := range int32(width * height) {
		x, y, longer := int(v)%width, int(v)/width, float64(max(width, height))
		vertices = append(vertices, float64(2*x+1-width)/longer, float64(height-2*y-1)/longer)
		pixel := grid.At(turned.stored(x, y, width, height))
		red, green, blue, _ := pixel.RGBA() // equal where the grid is gray
		for _, value := range []uint32{red, green, blue}[:dimension[e.Features]-2] {
			vertices = append(vertices, float64(value)/math.MaxUint16)
		}
		right, below := v+1, v+int32(width)
		if x+1 < width {
			edges = append(edges, v, right)
		}
		if y+1 < height {
			edges = append(edges, v, below)
		}
		if x+1 < width && y+1 < height {
			edges = append(edges, below, right)
			triangles = append(triangles, v, below, right, right, below, below+1)
		}
	}
	return vertices, edges, triangles
}
