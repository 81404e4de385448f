package nkfx

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"
)

// frontend is where notebook output goes.
type frontend struct {
	html     func(text string)     // shows HTML
	markdown func(text string)     // shows Markdown
	update   func(id, text string) // shows HTML, in the place of the last with the same id
	sync     func()                // waits until all that is above was sent
	errors   io.Writer
	exit     func(code int)
}

// notebook is the notebook in which the program runs; elsewhere what one shows comes to nothing.
var notebook = func() *frontend {
	f := &frontend{
		html: gonbui.DisplayHTML, markdown: gonbui.DisplayMarkdown,
		update: gonbui.UpdateHTML, sync: gonbui.Sync, errors: os.Stderr, exit: os.Exit,
	}
	if !gonbui.IsNotebook {
		f.html, f.markdown = func(string) {}, func(string) {}
		f.update, f.sync = func(string, string) {}, func() {}
	}
	return f
}()

// Must returns value if err is nil. Otherwise it says what err is on standard error and ends the program, a
// cell of a notebook, where no caller could mend it.
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
	code := 1
	if errors.Is(err, context.Canceled) {
		err, code = errors.New("interrupted"), 130
	}
	fmt.Fprintf(notebook.errors, "nkf: %v\n", err)
	notebook.exit(code)
}

// Context returns a context that ends when the cell is interrupted; a second interrupt ends the program.
func Context() context.Context {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop)
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
	if text, ok := item.(string); ok {
		notebook.markdown(text)
		return nil
	}
	out, err := markup(item)
	if err == nil {
		notebook.html(out)
	}
	return err
}

// markup returns a figure or a table as HTML.
func markup(item any) (string, error) {
	switch x := item.(type) {
	case interface{ SVG() ([]byte, error) }:
		svg, err := x.SVG()
		if err != nil {
			return "", err
		}
		if drawn, ok := item.(interface{ PNG() ([]byte, error) }); ok && len(svg) > largestSVG {
			return embedPNG(svg, drawn.PNG)
		}
		return embed(svg), nil
	case interface{ HTML() string }:
		return x.HTML(), nil
	case string:
		return escape(x), nil
	}
	return "", fmt.Errorf("there is no way to show a %T: use figures, tables and text", item)
}

// largestSVG is the size from which a figure with a method PNG() ([]byte, error) is shown as PNG: fields of
// many arrows would make notebooks of megabytes.
const largestSVG = 160 << 10

// svgWidth finds the width of a drawing, with its unit.
var svgWidth = regexp.MustCompile(`<svg[^>]*? width="([\d.]+\w*)"`)

// embedPNG returns an image as wide as the drawing svg as HTML.
func embedPNG(svg []byte, png func() ([]byte, error)) (string, error) {
	image, err := png()
	if err != nil {
		return "", err
	}
	width := "auto"
	if found := svgWidth.FindSubmatch(svg); found != nil {
		width = string(found[1])
	}
	return fmt.Sprintf(`<img style="width:%s;max-width:100%%" src="data:image/png;base64,%s">`, width,
		base64.StdEncoding.EncodeToString(image)), nil
}

// embed returns the drawing of an SVG file as HTML that is never wider than the page.
func embed(svg []byte) string {
	if at := bytes.Index(svg, []byte("<svg")); at >= 0 {
		svg = svg[at:] // without the head, which HTML does not know
	}
	return strings.Replace(string(svg), "<svg", `<svg style="max-width:100%;height:auto"`, 1)
}

// escape returns text as HTML.
func escape(text string) string { return html.EscapeString(text) }
