package figures

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/nkfx/internal/pixels"
)

// Figure is a grid of panels on a white card, with a title, a key to its colors and color bars.
type Figure struct {
	Title   string
	Alt     string // what it shows, for those who do not see it; "" for the title
	Panels  []*Panel
	Columns int       // panels in a row
	Side    vg.Length // width of a panel, such as 5*vg.Centimeter; 0 for 228 points
	Ratio   vg.Length // of the height of a panel to its width; 0 for 1
	Key     []Key
	Notes   []string // lines below title and key, such as a warning
	Bars    []Bar    // to the right of the panels
}

// Key is the meaning of a color.
type Key struct {
	Name  string
	Color color.NRGBA
}

// Bar is a color bar.
type Bar struct {
	Label string
	Scale *Scale
}

// Arrange returns the figure of panels in rows of that many columns.
func Arrange(title string, columns int, panels ...*Panel) *Figure {
	return &Figure{Title: title, Panels: panels, Columns: columns}
}

// Description returns what the figure shows, in words: Alt, or else the titles.
func (f *Figure) Description() string {
	if f.Alt != "" {
		return f.Alt
	}
	var titles []string
	for _, p := range f.Panels {
		if p.Title.Text != "" {
			titles = append(titles, p.Title.Text)
		}
	}
	list := strings.Join(titles, "; ")
	if f.Title != "" && list != "" {
		return f.Title + ": " + list
	}
	return f.Title + list
}

// barWidth is the room that color bars take to the right of the panels, labels included.
const barWidth = vg.Length(64)

// sizes are those of a figure: all of it, a panel, and what is above the panels.
type sizes struct{ width, height, side, tall, header vg.Length }

// sizes returns the sizes, and the number of panels in a row.
func (f *Figure) sizes() (l sizes, columns int) {
	l.side = cmp.Or(f.Side, panelSide)
	l.tall = cmp.Or(l.side*f.Ratio, l.side)
	columns = max(1, min(f.Columns, len(f.Panels)))
	rows := max(1, (len(f.Panels)+columns-1)/columns)
	width := gap + vg.Length(columns)*(l.side+gap)
	if len(f.Bars) > 0 {
		width += barWidth
	}
	l.width, l.header = f.head(nil, 0)
	l.width = max(l.width, width)
	l.height = l.header + vg.Length(rows)*(l.tall+gap)
	return l, columns
}

// head draws title, key and notes from the top down, on a canvas if there is one, and returns how wide
// and how tall they are.
func (f *Figure) head(c *draw.Canvas, top vg.Length) (width, height vg.Length) {
	height = gap
	put := func(s string, x, size vg.Length) (end vg.Length) {
		if c != nil {
			write(*c, s, vg.Point{X: x, Y: top - height + 1}, size, text.XLeft, text.YTop)
		}
		end = x + textStyle(size).Width(s)
		width = max(width, end+gap)
		return end
	}
	if f.Title != "" {
		put(f.Title, gap, titleSize+1)
		height += titleSize + gap
	}
	x := gap
	for _, k := range f.Key {
		if c != nil {
			paint(sub(*c, x, top-height-textSize, textSize, textSize), k.Color)
		}
		x = put(k.Name, x+textSize+4, textSize) + 2*gap
	}
	if len(f.Key) > 0 {
		height += textSize + gap
	}
	for _, note := range f.Notes {
		put(note, gap, textSize)
		height += textSize + 0.75*gap
	}
	return width, height
}

// draw draws the figure on a canvas of its size.
func (f *Figure) draw(c draw.Canvas) {
	l, columns := f.sizes()
	paint(c, White)
	f.head(&c, l.height)
	column := func(i int) vg.Length { return gap + vg.Length(i)*(l.side+gap) }
	top := l.height - l.header
	for i, p := range f.Panels {
		p.draw(sub(c, column(i%columns), top-vg.Length(i/columns+1)*(l.tall+gap)+gap, l.side, l.tall))
	}
	// Beside the last panel of a row a bar is no longer than a panel.
	room := min(l.tall+gap, top/vg.Length(max(1, len(f.Bars))))
	for i, bar := range f.Bars {
		p := NewChart("", &plotter.ColorBar{ColorMap: colorMap{Scale: bar.Scale}, Vertical: true})
		p.X.Width, p.Y.Width = 0, 0
		p.HideX()
		y := top - vg.Length(i+1)*room + 2*gap
		p.Axes("", bar.Label).draw(sub(c, column(columns), y, barWidth-1.5*gap, room-4*gap))
	}
}

// SVG returns the figure as SVG, for a notebook to show.
func (f *Figure) SVG() ([]byte, error) { return f.svg(false) }

// svg returns the figure as SVG. In a small one images have few colors.
func (f *Figure) svg(small bool) ([]byte, error) {
	l, _ := f.sizes()
	canvas := measured{vgsvg.New(l.width, l.height), new([]vg.Length), small}
	data, err := f.render(canvas, canvas)
	if err != nil {
		return nil, err
	}
	return []byte(strings.Map(inXML, mended.Replace(canvas.fixed(string(data))))), nil
}

// measured is a canvas that remembers how wide its texts are.
type measured struct {
	*vgsvg.Canvas
	widths *[]vg.Length
	small  bool
}

// DrawImage draws an image, if it is large and has to be small in few colors.
func (m measured) DrawImage(rect vg.Rectangle, img image.Image) {
	const large = 1 << 14
	if size := img.Bounds().Size(); m.small && size.X*size.Y > large {
		img = pixels.Reduce(img, 255)
	}
	m.Canvas.DrawImage(rect, img)
}

// FillString writes a text without the spaces before it, such as that after a superscript: SVG leaves them
// out, and the text would be stretched to their width.
func (m measured) FillString(face font.Face, at vg.Point, s string) {
	text := strings.TrimLeft(s, " ")
	*m.widths = append(*m.widths, face.Width(text))
	m.Canvas.FillString(face, at.Add(vg.Point{X: face.Width(s) - face.Width(text)}), text)
}

// fixed returns SVG in which every text is as wide as in the font of figures. In others, which a browser may
// take, the parts of dx∧dy would overlap.
func (m measured) fixed(svg string) string {
	const text = "<text "
	parts := strings.Split(svg, text)
	for i, width := range *m.widths {
		if width > 0 {
			parts[i+1] = fmt.Sprintf(`textLength="%.4g" lengthAdjust="spacingAndGlyphs" `, width.Points()) +
				parts[i+1]
		}
	}
	return strings.Join(parts, text)
}

// inXML returns a character that XML may have: U+FFFD for control characters and bytes that are not UTF-8.
func inXML(r rune) rune {
	if r < ' ' && !strings.ContainsRune("\t\n\r", r) || r == '\ufffe' || r == '\uffff' {
		return utf8.RuneError
	}
	return r
}

// mended is what gonum/plot writes as SVG, mended: few machines have its fonts, and others look alike; images
// are PNG, and fill their places, or color bars would be hairlines. Where pages are dark, colors keep their
// hue and change their lightness, which makes the white card a dark one.
var mended = strings.NewReplacer(
	"font-family:Liberation Sans;", "font-family:'Liberation Sans',Arial,Helvetica,sans-serif;",
	"data:image/jpg;", "data:image/png;",
	"<image ", `<image preserveAspectRatio="none" `,
	"<svg ", `<svg class="nkf-figure" `,
	"</svg>", `<style>`+dark+`</style></svg>`,
)

// dark is the style of figures on dark pages: in the dark themes of JupyterLab and of the site, and elsewhere
// for readers who prefer dark ones.
const dark = `:is([data-jp-theme-light="false"],[data-theme="dark"]) svg.nkf-figure` +
	`{filter:invert(.92) hue-rotate(180deg)}` +
	`@media (prefers-color-scheme:dark){svg.nkf-figure:not([data-jp-theme-light] *,[data-theme="light"] *)` +
	`{filter:invert(.92) hue-rotate(180deg)}}`

// PNG returns the figure as PNG with 144 dots per inch, sharp on dense screens.
func (f *Figure) PNG() ([]byte, error) { return f.png(144) }

func (f *Figure) png(dpi int) ([]byte, error) {
	l, _ := f.sizes()
	canvas := vgimg.NewWith(vgimg.UseWH(l.width, l.height), vgimg.UseDPI(dpi),
		vgimg.UseBackgroundColor(White))
	return f.render(kerned{canvas}, vgimg.PngCanvas{Canvas: canvas})
}

// render draws on a canvas and returns what that writes. What gonum/plot panics with is an error.
func (f *Figure) render(c vg.CanvasSizer, written io.WriterTo) (data []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("figure %q: %v", f.Title, p)
		}
	}()
	f.draw(draw.New(c))
	var out bytes.Buffer
	if _, err := written.WriteTo(&out); err != nil {
		return nil, fmt.Errorf("figure %q: %w", f.Title, err)
	}
	return out.Bytes(), nil
}

// kerned is a canvas that places every letter by the metrics of its font. The faces of
// golang.org/x/image/font/opentype, with which vgimg writes whole strings, kern by pixels of a font
// that is as many pixels large as it has units: pairs such as "Te" overlap at the sizes of a figure.
type kerned struct{ *vgimg.Canvas }

// FillString writes the letters one by one, each where the string that ends with it ends.
func (k kerned) FillString(face font.Face, at vg.Point, s string) {
	for i, r := range s {
		letter := string(r)
		end := face.Width(s[:i] + letter)
		k.Canvas.FillString(face, vg.Point{X: at.X + end - face.Width(letter), Y: at.Y}, letter)
	}
}

// Save writes the figure to a file in the format that its extension names, .svg or .png. Missing
// folders are made, and the file appears complete or not at all.
func (f *Figure) Save(path string) error {
	ext := strings.ToLower(filepath.Ext(path))
	format := map[string]func() ([]byte, error){".svg": f.SVG, ".png": f.PNG}[ext]
	if format == nil {
		return fmt.Errorf("figure %s: no format %q: use .svg or .png", path, ext)
	}
	data, err := format()
	if err != nil {
		return err
	}
	return fileio.Write(path, 0o666, fileio.Bytes(data))
}
