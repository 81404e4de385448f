package figures

import (
	"bytes"
	"fmt"
	"image/color"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/neuralkforms/nkf/datasets"
)

// Figure is a grid of panels on a white card, with a title, a key to its
// colours and colour bars.
type Figure struct {
	Title   string
	Panels  []*Panel
	Columns int       // panels in a row
	Side    vg.Length // width of a panel; 0 for the usual
	Ratio   vg.Length // of the height of a panel to its width; 0 for 1
	Key     []Key
	Notes   []string // lines below title and key, such as a warning
	Bars    []Bar    // to the right of the panels
	// Below puts bar i below column i of the panels, for scales that the
	// panels of a column share.
	Below bool
}

// Key says what a colour stands for.
type Key struct {
	Name  string
	Color color.NRGBA
}

// Bar is a colour bar.
type Bar struct {
	Label string
	Scale *Scale
}

// Arrange returns the figure of panels in rows of that many columns.
func Arrange(title string, columns int, panels ...*Panel) *Figure {
	return &Figure{Title: title, Panels: panels, Columns: columns}
}

// barWidth is the room that colour bars take to the right of the panels, and
// barHeight below them, labels included.
const barWidth, barHeight = vg.Length(64), vg.Length(46)

// sizes are those of a figure: all of it, a panel, what is above the panels
// and below them.
type sizes struct{ width, height, side, tall, header, footer vg.Length }

// layout returns the sizes, and the number of panels in a row.
func (f *Figure) layout() (l sizes, columns int) {
	if l.side = f.Side; l.side == 0 {
		l.side = panelSide
	}
	if l.tall = l.side * f.Ratio; l.tall == 0 {
		l.tall = l.side
	}
	columns = max(1, min(f.Columns, len(f.Panels)))
	rows := max(1, (len(f.Panels)+columns-1)/columns)
	l.width = gap + vg.Length(columns)*(l.side+gap)
	switch {
	case len(f.Bars) > 0 && f.Below:
		l.footer = barHeight
	case len(f.Bars) > 0:
		l.width += barWidth
	}
	l.header = gap
	if f.Title != "" {
		l.header += titleSize + gap
		l.width = max(l.width, 2*gap+textStyle(titleSize+1).Width(f.Title))
	}
	if len(f.Key) > 0 {
		l.header += textSize + gap
		l.width = max(l.width, f.drawKey(nil, 0))
	}
	if len(f.Notes) > 0 {
		l.header += gap / 2
	}
	for _, note := range f.Notes {
		l.header += textSize + gap/4
		l.width = max(l.width, 2*gap+textStyle(textSize).Width(note))
	}
	l.height = l.header + vg.Length(rows)*(l.tall+gap) + l.footer
	return l, columns
}

// draw draws the figure on a canvas of its size.
func (f *Figure) draw(c draw.Canvas) {
	l, columns := f.layout()
	fill(c, []vg.Point{{}, {X: l.width}, {X: l.width, Y: l.height}, {Y: l.height}}, White)
	top := l.height - gap
	if f.Title != "" {
		write(c, f.Title, vg.Point{X: gap, Y: top}, titleSize+1, text.XLeft, text.YTop)
		top -= titleSize + gap
	}
	f.drawKey(&c, top)
	if len(f.Key) > 0 {
		top -= textSize + gap*3/4
	}
	for _, note := range f.Notes {
		write(c, note, vg.Point{X: gap, Y: top}, textSize, text.XLeft, text.YTop)
		top -= textSize + gap/4
	}
	for i, p := range f.Panels {
		x := gap + vg.Length(i%columns)*(l.side+gap)
		y := l.height - l.header - vg.Length(i/columns+1)*(l.tall+gap) + gap
		p.draw(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + l.side, Y: y + l.tall},
		}})
	}
	f.drawBars(c, l, columns)
}

// drawBars draws the colour bars.
func (f *Figure) drawBars(c draw.Canvas, l sizes, columns int) {
	if f.Below {
		for i, bar := range f.Bars {
			x := gap + vg.Length(i)*(l.side+gap)
			bar.draw(c, vg.Point{X: x + 2*gap, Y: barHeight}, l.side-4*gap, true)
		}
		return
	}
	// Beside the last panel of a row, and no longer than a panel.
	x := gap + vg.Length(columns)*(l.side+gap)
	room := min(l.tall+gap, (l.height-l.header)/vg.Length(max(1, len(f.Bars))))
	for i, bar := range f.Bars {
		bottom := l.height - l.header - vg.Length(i+1)*room
		bar.draw(c, vg.Point{X: x, Y: bottom + 2*gap}, room-4*gap, false)
	}
}

// drawKey draws the key in one row below top, on a canvas if there is one,
// and returns where it ends.
func (f *Figure) drawKey(c *draw.Canvas, top vg.Length) vg.Length {
	x := gap
	for _, k := range f.Key {
		if c != nil {
			fill(*c, []vg.Point{{X: x, Y: top}, {X: x + textSize, Y: top},
				{X: x + textSize, Y: top - textSize}, {X: x, Y: top - textSize}}, k.Color)
			write(*c, k.Name, vg.Point{X: x + textSize + 4, Y: top + 1}, textSize, text.XLeft, text.YTop)
		}
		x += textSize + 4 + textStyle(textSize).Width(k.Name) + 2*gap
	}
	return x
}

// draw draws a bar of that length that begins at a point: upwards, with ticks
// and label to its right, or lying, with these below it.
func (b Bar) draw(c draw.Canvas, at vg.Point, length vg.Length, lying bool) {
	const steps, width = 64, vg.Length(10)
	place := func(along, away vg.Length) vg.Point {
		if lying {
			return vg.Point{X: at.X + along, Y: at.Y - away}
		}
		return vg.Point{X: at.X + away, Y: at.Y + along}
	}
	step := length / steps
	for i := range steps {
		low := vg.Length(i) * step
		v := b.Scale.Low + (b.Scale.High-b.Scale.Low)*(float64(i)+0.5)/steps
		// Overlapping a little leaves no seams.
		high := min(low+1.5*step, length)
		corners := []vg.Point{place(low, 0), place(low, width), place(high, width), place(high, 0)}
		fill(c, corners, b.Scale.At(v))
	}
	x, y := text.XLeft, text.YCenter
	if lying {
		x, y = text.XCenter, text.YTop
	}
	for _, tick := range (ticks{}).Ticks(b.Scale.Low, b.Scale.High) {
		along := vg.Length(b.Scale.share(tick.Value)) * length
		write(c, tick.Label, place(along, width+4), textSize-2, x, y)
	}
	style := textStyle(textSize)
	style.XAlign, style.YAlign = text.XCenter, text.YTop
	label := place(length/2, width+14)
	if !lying {
		style.Rotation = 1.5707963267948966 // π/2
		label = place(length/2, width+32)
	}
	c.FillText(style, label, b.Label)
}

// SVG returns the figure as SVG, for a notebook to show.
func (f *Figure) SVG() ([]byte, error) {
	l, _ := f.layout()
	canvas := vgsvg.New(l.width, l.height)
	if err := f.render(draw.New(canvas)); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return nil, fmt.Errorf("figure %q: %w", f.Title, err)
	}
	// Few machines have the fonts of gonum/plot; these look alike.
	return bytes.ReplaceAll(out.Bytes(), []byte("font-family:Liberation Sans;"),
		[]byte("font-family:'Liberation Sans',Arial,Helvetica,sans-serif;")), nil
}

// resolution of PNGs in dots per inch: sharp on dense screens.
const resolution = 144

// PNG returns the figure as PNG.
func (f *Figure) PNG() ([]byte, error) { return f.png(resolution) }

func (f *Figure) png(dpi int) ([]byte, error) {
	l, _ := f.layout()
	canvas := vgimg.NewWith(vgimg.UseWH(l.width, l.height), vgimg.UseDPI(dpi),
		vgimg.UseBackgroundColor(White))
	if err := f.render(draw.New(kerned{canvas})); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if _, err := (vgimg.PngCanvas{Canvas: canvas}).WriteTo(&out); err != nil {
		return nil, fmt.Errorf("figure %q: %w", f.Title, err)
	}
	return out.Bytes(), nil
}

// render draws and turns what gonum/plot panics with into an error.
func (f *Figure) render(c draw.Canvas) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("figure %q: %v", f.Title, p)
		}
	}()
	f.draw(c)
	return nil
}

// Save writes the figure to a file in the format that its extension names,
// .svg or .png. Missing folders are made, and the file appears complete or not
// at all.
func (f *Figure) Save(path string) error {
	var data []byte
	var err error
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".svg":
		data, err = f.SVG()
	case ".png":
		data, err = f.PNG()
	default:
		return fmt.Errorf("figure %s: no format %q: use .svg or .png", path, ext)
	}
	if err != nil {
		return err
	}
	return datasets.WriteFile(path, 0o666, datasets.Bytes(data))
}
