package nkfx

import (
	"bytes"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"regexp"
	"strconv"
	"strings"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/janpfeifer/gonb/gonbui/protocol"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Show shows items in the output of a cell, one below the other:
//
//   - figures: whatever has a method SVG() ([]byte, error);
//   - plots of gonum/plot, and single plotters, which get axes of their own;
//   - figures that also have a method HTML() string, for a page that may turn them;
//   - tables: whatever has a method HTML() string;
//   - tensors, as tables with their shape, large ones by their corners;
//   - images of package image;
//   - text in Markdown: strings.
//
// Outside of a notebook it does nothing. A figure that cannot be drawn, or an item of another kind,
// ends the program as with [Must].
func Show(items ...any) {
	for _, item := range items {
		Check(show(item))
	}
	notebook.sync()
}

func show(item any) error {
	switch x := shown(item).(type) {
	case string:
		notebook.display(protocol.MIMETextMarkdown, x, look{})
		return nil
	case interface {
		SVG() ([]byte, error)
		HTML() string
	}:
		err := showFigure(x)
		if err == nil {
			notebook.display(protocol.MIMETextHTML, x.HTML(), look{})
		}
		return err
	case interface{ HTML() string }:
		notebook.display(protocol.MIMETextHTML, x.HTML(), look{})
		return nil
	case interface{ SVG() ([]byte, error) }:
		return showFigure(x)
	case image.Image:
		content, err := encode(x)
		if err == nil {
			notebook.display(protocol.MIMEImagePNG, content, look{})
		}
		return err
	}
	return noWay(item)
}

// shown gives plots, plotters and tensors a method SVG or HTML, and returns other items as they
// are.
func shown(item any) any {
	switch x := item.(type) {
	case interface{ HTML() string }, interface{ SVG() ([]byte, error) }:
		return x
	case *plot.Plot:
		if x != nil {
			return plotFigure{x}
		}
	case plot.Plotter:
		p := plot.New()
		p.Add(x)
		return plotFigure{p}
	case *tensors.Tensor:
		if x != nil {
			return tensorTable{x}
		}
	}
	return item
}

func noWay(item any) error {
	return fmt.Errorf("there is no way to show a %T: nkfx.Show takes figures, plots, tables, tensors, "+
		"images and text; fmt.Println writes anything", item)
}

// showFigure shows a figure as PNG if it has a method PNG() ([]byte, error): a notebook that is
// opened again hides SVG and HTML until it is trusted.
func showFigure(figure interface{ SVG() ([]byte, error) }) error {
	svg, err := figure.SVG()
	if err != nil {
		return err
	}
	drawn, ok := figure.(interface{ PNG() ([]byte, error) })
	if !ok {
		notebook.display(protocol.MIMEImageSVG, element(svg), look{alt: described(figure)})
		return nil
	}
	content, err := drawn.PNG()
	if err != nil {
		return err
	}
	width := pixels(svg)
	if content, err = card(content, width); err != nil {
		return err
	}
	notebook.display(protocol.MIMEImagePNG, content, look{width, described(figure)})
	return nil
}

// described returns what a figure shows in words, if it has a method Description() string.
func described(figure any) string {
	if x, ok := figure.(interface{ Description() string }); ok {
		return x.Description()
	}
	return ""
}

// svgWidth matches the width of a drawing in points.
var svgWidth = regexp.MustCompile(`<svg[^>]*? width="([\d.]+)pt"`)

// pixels returns the width of a drawing on the screen, or 0 if it has none.
func pixels(svg []byte) int {
	found := svgWidth.FindSubmatch(svg)
	if found == nil {
		return 0
	}
	points, _ := strconv.ParseFloat(string(found[1]), 64) // digits are a number
	return int(points * 96 / 72)
}

// element returns the drawing of an SVG file without the XML head, which HTML does not allow.
func element(svg []byte) string { return string(svg[max(0, bytes.Index(svg, []byte("<svg"))):]) }

// markup returns an item of [Show] as HTML, never wider than the page.
func markup(item any) (string, error) {
	const fits = "max-width:100%;height:auto"
	switch x := shown(item).(type) {
	case interface{ SVG() ([]byte, error) }:
		svg, err := x.SVG()
		const card = `<svg role="img" aria-label="%s" style="%s;border:1px solid %s;border-radius:%dpx"`
		onCard := fmt.Sprintf(card, escape(described(x)), fits, cardEdge, cardRadius)
		return strings.Replace(element(svg), "<svg", onCard, 1), err
	case interface{ HTML() string }:
		return x.HTML(), nil
	case image.Image:
		content, err := encode(x)
		return fmt.Sprintf(`<img style="%s" src="%s">`, fits, dataURL("image/png", content)), err
	case string:
		return escape(x), nil
	}
	return "", noWay(item)
}

// escape returns text as HTML.
func escape(text string) string { return html.EscapeString(text) }

// encode returns an image as PNG.
func encode(x image.Image) ([]byte, error) {
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, x); err != nil {
		return nil, fmt.Errorf("an image: %w", err)
	}
	return out.Bytes(), nil
}

// plotFigure makes a plot of gonum/plot a figure.
type plotFigure struct{ *plot.Plot }

// The size of a plot, the margin around it, and the resolution for dense screens.
const (
	plotWidth  = 4.8 * vg.Inch
	plotHeight = 3.2 * vg.Inch
	plotMargin = 0.15 * vg.Inch
	plotDPI    = 144
)

// SVG draws the plot as SVG.
func (p plotFigure) SVG() ([]byte, error) {
	return p.draw(vgsvg.New(plotWidth, plotHeight))
}

// PNG draws the plot as PNG.
func (p plotFigure) PNG() ([]byte, error) {
	canvas := vgimg.NewWith(vgimg.UseWH(plotWidth, plotHeight), vgimg.UseDPI(plotDPI))
	return p.draw(vgimg.PngCanvas{Canvas: canvas})
}

// draw draws the plot, and turns panics of gonum/plot into errors.
func (p plotFigure) draw(canvas vg.CanvasWriterTo) (content []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the plot %q: %v", p.Title.Text, r)
		}
	}()
	page := draw.New(canvas)
	page.FillPolygon(color.White, []vg.Point{
		page.Min, {X: page.Max.X, Y: page.Min.Y}, page.Max, {X: page.Min.X, Y: page.Max.Y},
	})
	p.Draw(draw.Crop(page, plotMargin, -plotMargin, plotMargin, -plotMargin))
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return nil, fmt.Errorf("the plot %q: %w", p.Title.Text, err)
	}
	return out.Bytes(), nil
}
