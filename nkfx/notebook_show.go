package nkfx

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"image"
	"image/png"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/janpfeifer/gonb/gonbui/comms"
	"github.com/janpfeifer/gonb/gonbui/dom"
	"github.com/janpfeifer/gonb/gonbui/protocol"
	"github.com/janpfeifer/gonb/gonbui/widgets"
)

// Show shows items in the output of a cell, one below the other:
//
//   - figures: whatever has a method SVG() ([]byte, error);
//   - figures that also have a method HTML() string, for a page that turns or plays them;
//   - tables: whatever has a method HTML() string;
//   - images of package image;
//   - text in Markdown: strings.
//
// Package figures makes figures of any plotter of gonum/plot. Outside of a notebook Show does nothing. A
// figure that cannot be drawn, or an item of another kind, ends the program as with [Must].
func Show(items ...any) {
	for _, item := range items {
		v, ok := item.(value)
		if ok {
			item = v.CellValue()
		}
		Check(show(item, attributes{value: ok}))
	}
	notebook.sync()
}

// figure and table are items that can be shown. A value is that of the last expression of a cell.
type (
	value  interface{ CellValue() any }
	figure interface{ SVG() ([]byte, error) }
	table  interface{ HTML() string }
)

func show(item any, with attributes) error {
	if text, ok := item.(string); ok {
		notebook.display(protocol.MIMETextMarkdown, text, with)
		return nil
	}
	if picture, ok := item.(image.Image); ok {
		var content bytes.Buffer
		err := png.Encode(&content, picture)
		notebook.display(protocol.MIMEImagePNG, content.Bytes(), with)
		return err
	}
	drawing, isFigure := item.(figure)
	page, isTable := item.(table)
	if !isFigure && !isTable {
		return noWay(item)
	}
	if isFigure {
		if err := showFigure(drawing, with); err != nil {
			return err
		}
	}
	if isTable {
		notebook.display(protocol.MIMETextHTML, page.HTML(), with)
	}
	return nil
}

func noWay(item any) error {
	return fmt.Errorf("there is no way to show a %T: nkfx.Show takes figures, tables, images and text; "+
		"fmt.Println writes anything", item)
}

// showFigure shows a figure as PNG if it has a method PNG() ([]byte, error): a notebook that is
// opened again hides SVG and HTML until it is trusted.
func showFigure(x figure, with attributes) error {
	with.alt = described(x)
	svg, err := x.SVG()
	if err != nil {
		return err
	}
	drawn, ok := x.(interface{ PNG() ([]byte, error) })
	if !ok {
		notebook.display(protocol.MIMEImageSVG, element(svg), with)
		return nil
	}
	content, err := drawn.PNG()
	if err != nil {
		return err
	}
	with.width = screenWidth(svg)
	if content, err = card(content, with.width); err != nil {
		return err
	}
	notebook.display(protocol.MIMEImagePNG, content, with)
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

// screenWidth returns the width of a drawing on the screen, or 0 if it has none.
func screenWidth(svg []byte) int {
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
	switch x := item.(type) {
	case figure:
		svg, err := x.SVG()
		const card = `<svg role="img" aria-label="%s" style="max-width:100%%;height:auto;` +
			`border:1px solid %s;border-radius:%dpx"`
		onCard := fmt.Sprintf(card, escape(described(x)), cardEdge, cardRadius)
		return strings.Replace(element(svg), "<svg", onCard, 1), err
	case table:
		return x.HTML(), nil
	case string:
		return escape(x), nil
	}
	return "", noWay(item)
}

// escape returns text as HTML.
func escape(text string) string { return html.EscapeString(text) }

// Slider shows an item of [Show], the result of draw for a value, below a slider for values from low to high.
// It ends when the button beside it is pressed, the cell is interrupted, or its page has gone: no slider is
// left in a page that is loaded again.
//
// Without a browser, as when nbconvert executes a notebook, it shows the first value and returns. What can be
// drawn ahead is better a figures.Animate, for which no cell waits.
func Slider(label string, low, high, value int, draw func(value int) any) {
	if os.Getenv(protocol.GONB_JUPYTER_KERNEL_ID_ENV) == "" {
		Show(draw(value))
		return
	}
	text := func(value int) string { return fmt.Sprintf("%s %d", escape(label), value) }
	picture := func(value int) string {
		out, err := markup(draw(value))
		Check(err)
		return out
	}
	root := dom.CreateTransientDiv()
	dom.Append(root, fmt.Sprintf(`<label id="%s_label">%s</label> `, root, text(value)))
	slider := widgets.Slider(low, high, value).AppendTo(root).Done()
	done := widgets.Button("Done").AppendTo(root).Done()
	dom.Append(root, fmt.Sprintf(`<div id="%s_picture" class="nkf-picture">%s</div>`, root, picture(value)))
	moved, pressed := slider.Listen().LatestOnly(), done.Listen()
	alive := comms.Listen[int](root + "/alive").LatestOnly()
	dom.TransientJavascript(fmt.Sprintf(beats, root+"/alive"))
	Check(slide(Context(), moved.C, pressed.C, alive.C, func(value int) {
		dom.SetInnerHtml(root+"_picture", picture(value))
		dom.SetInnerText(root+"_label", text(value))
	}))
	dom.TransientJavascript("clearInterval(globalThis.nkf_beats)")
	moved.Close()
	pressed.Close()
	alive.Close()
	dom.Remove(slider.HtmlId())
	dom.Remove(done.HtmlId())
	dom.Persist(root)
	notebook.sync()
}

// beats is the program of a page with a slider: it says every two seconds that it is there.
const beats = `clearInterval(globalThis.nkf_beats);
globalThis.nkf_beats = setInterval(() => globalThis.gonb_comm?.send('%s', 1), 2000);`

// silence is for how long a page may say nothing: browsers let those that nobody sees speak once a minute.
const silence = 150 * time.Second

// slide draws for the values to which a slider moves until a button is pressed. It returns an error if the
// cell is interrupted, or its page goes: alive says nothing.
func slide(ctx context.Context, moved, pressed, alive <-chan int, draw func(value int)) error {
	heard := time.NewTimer(silence)
	defer heard.Stop()
	for {
		select {
		case value := <-moved:
			draw(value)
		case <-alive:
			heard.Reset(silence)
		case <-heard.C:
			return errGone
		case <-pressed:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

var errGone = errors.New("the page with the slider has gone: run the cell again")
