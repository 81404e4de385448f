package nkfx

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// frontend is where notebook output goes.
type frontend struct {
	// width is in pixels, 0 for the usual.
	display func(mime protocol.MIMEType, content any, width int)
	update  func(id, text string) // shows HTML in the place of the last with that id
	sync    func()                // waits until all that is above was sent
	errors  io.Writer
	exit    func(code int)
	// patience is how long the program may go on after an interrupt, 0 for as long as it likes.
	patience time.Duration
}

// notebook is the notebook in which the program runs; elsewhere what one shows comes to nothing.
var notebook = func() *frontend {
	f := &frontend{
		display: display, update: gonbui.UpdateHTML, sync: gonbui.Sync, errors: os.Stderr, exit: os.Exit,
		patience: patience,
	}
	if !gonbui.IsNotebook {
		f.display = func(protocol.MIMEType, any, int) {}
		f.update, f.sync, f.patience = func(string, string) {}, func() {}, 0
	}
	return f
}()

// display sends something to the notebook.
func display(mime protocol.MIMEType, content any, width int) {
	data := &protocol.DisplayData{Data: map[protocol.MIMEType]any{mime: content}}
	if width > 0 {
		data.Metadata = map[string]any{string(mime): map[string]int{"width": width}}
	}
	gonbui.SendData(data)
}

// Must returns value if err is nil. Otherwise it ends the program, a cell of a notebook, where no caller
// could mend it. On standard error it says what is wrong, in a sentence, and which line of which cell led
// there.
func Must[T any](value T, err error) T {
	Check(err)
	return value
}

// Check ends the program as [Must] does unless err is nil.
func Check(err error) {
	if err == nil {
		return
	}
	notebook.sync()
	code, said := 1, where(err)+sentence(err)
	if errors.Is(err, context.Canceled) {
		code, said = 130, "interrupted"
	}
	fmt.Fprintf(notebook.errors, "nkf: %s\n", said)
	notebook.exit(code)
}

// patience is how long a cell may go on after an interrupt: GoNB kills it after five seconds, without a word.
const patience = 3 * time.Second

// Context returns a context that ends when the cell is interrupted; a second interrupt ends the program. So
// does the first in a notebook, after some seconds: a compiler, say, does not listen.
func Context() context.Context {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	wait := notebook.patience
	context.AfterFunc(ctx, func() {
		stop()
		if wait > 0 {
			time.AfterFunc(wait, func() { Check(context.Canceled) })
		}
	})
	return ctx
}

// Show shows items in the output of a cell, one below the other: figures (whatever has a method
// SVG() ([]byte, error)), tables (HTML() string) and text in Markdown (string). Elsewhere than in a notebook
// it does nothing. On a figure that cannot be drawn and on anything else it ends the program as [Must] does.
func Show(items ...any) {
	for _, item := range items {
		Check(show(item))
	}
	notebook.sync()
}

func show(item any) error {
	switch x := item.(type) {
	case string:
		notebook.display(protocol.MIMETextMarkdown, x, 0)
		return nil
	case interface{ HTML() string }:
		notebook.display(protocol.MIMETextHTML, x.HTML(), 0)
		return nil
	case interface{ SVG() ([]byte, error) }:
		return showFigure(x)
	}
	return noWay(item)
}

func noWay(item any) error {
	return fmt.Errorf("there is no way to show a %T: use figures, tables and text", item)
}

// showFigure shows a figure as PNG if it has a method PNG() ([]byte, error). Where a notebook is opened
// again, SVG and HTML stay hidden until it is trusted, and others show PNG alone.
func showFigure(figure interface{ SVG() ([]byte, error) }) error {
	svg, err := figure.SVG()
	if err != nil {
		return err
	}
	drawn, ok := figure.(interface{ PNG() ([]byte, error) })
	if !ok {
		notebook.display(protocol.MIMEImageSVG, element(svg), 0)
		return nil
	}
	image, err := drawn.PNG()
	if err != nil {
		return err
	}
	if image, err = reduce(image); err != nil {
		return err
	}
	notebook.display(protocol.MIMEImagePNG, image, pixels(svg))
	return nil
}

// svgWidth finds the width of a drawing in points.
var svgWidth = regexp.MustCompile(`<svg[^>]*? width="([\d.]+)pt"`)

// pixels returns the width of a drawing on the screen, or 0 if it does not say.
func pixels(svg []byte) int {
	found := svgWidth.FindSubmatch(svg)
	if found == nil {
		return 0
	}
	points, _ := strconv.ParseFloat(string(found[1]), 64) // digits are a number
	return int(points * 96 / 72)
}

// element returns the drawing of an SVG file without the head, which HTML does not know.
func element(svg []byte) string { return string(svg[max(0, bytes.Index(svg, []byte("<svg"))):]) }

// markup returns a figure, a table or text as HTML, never wider than the page.
func markup(item any) (string, error) {
	switch x := item.(type) {
	case interface{ SVG() ([]byte, error) }:
		svg, err := x.SVG()
		return strings.Replace(element(svg), "<svg", `<svg style="max-width:100%;height:auto"`, 1), err
	case interface{ HTML() string }:
		return x.HTML(), nil
	case string:
		return escape(x), nil
	}
	return "", noWay(item)
}

// escape returns text as HTML.
func escape(text string) string { return html.EscapeString(text) }
