package figures

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// raster is an image of triangles in space, of which the nearest are seen.
type raster struct {
	image *image.NRGBA
	near  []float64 // of what each pixel shows
}

// newRaster returns an empty image.
func newRaster(width, height int) *raster {
	r := &raster{image.NewNRGBA(image.Rect(0, 0, max(2, width), max(2, height))), nil}
	r.near = make([]float64, len(r.image.Pix)/4)
	for i := range r.near {
		r.near[i] = math.Inf(-1)
	}
	return r
}

// triangle paints a triangle whose corners are pixels (X, Y) and nearness Z. at returns the color at a point
// with barycentric coordinates w, which change by dx and dy from a pixel to the next.
func (r *raster) triangle(p [3]r3.Vec, at func(w, dx, dy r3.Vec) color.NRGBA) {
	double := (p[1].X-p[0].X)*(p[2].Y-p[0].Y) - (p[1].Y-p[0].Y)*(p[2].X-p[0].X)
	if double == 0 || math.IsNaN(double) || math.IsInf(double, 0) {
		return
	}
	dx := r3.Scale(1/double, r3.Vec{X: p[1].Y - p[2].Y, Y: p[2].Y - p[0].Y, Z: p[0].Y - p[1].Y})
	dy := r3.Scale(1/double, r3.Vec{X: p[2].X - p[1].X, Y: p[0].X - p[2].X, Z: p[1].X - p[0].X})
	depths := r3.Vec{X: p[0].Z, Y: p[1].Z, Z: p[2].Z}
	size := r.image.Rect.Size()
	within := func(a, b, c float64, end int) (from, to int) {
		return int(max(0, min(a, b, c)-1)), int(max(0, min(float64(end), max(a, b, c)+1)))
	}
	top, bottom := within(p[0].Y, p[1].Y, p[2].Y, size.Y)
	left, right := within(p[0].X, p[1].X, p[2].X, size.X)
	for y := top; y < bottom; y++ {
		for x := left; x < right; x++ {
			u, v := float64(x)+0.5-p[0].X, float64(y)+0.5-p[0].Y
			w := r3.Add(r3.Vec{X: 1}, r3.Add(r3.Scale(u, dx), r3.Scale(v, dy)))
			near, i := r3.Dot(w, depths), y*size.X+x
			if min(w.X, w.Y, w.Z) < -1e-9 || near <= r.near[i] {
				continue
			}
			r.near[i] = near
			r.image.SetNRGBA(x, y, at(w, dx, dy))
		}
	}
}

// half returns the image at half its size: each pixel is the mean of four.
func (r *raster) half() *image.NRGBA {
	size := r.image.Rect.Size().Div(2)
	out := image.NewNRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			var sum [3]int
			covered := 0
			for i := range 4 {
				c := r.image.NRGBAAt(2*x+i%2, 2*y+i/2)
				if c.A > 0 {
					covered++
					sum[0], sum[1], sum[2] = sum[0]+int(c.R), sum[1]+int(c.G), sum[2]+int(c.B)
				}
			}
			if covered > 0 {
				out.SetNRGBA(x, y, color.NRGBA{R: uint8(sum[0] / covered), G: uint8(sum[1] / covered),
					B: uint8(sum[2] / covered), A: uint8(255 * covered / 4)})
			}
		}
	}
	return out
}
