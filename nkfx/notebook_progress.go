package nkfx

import (
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/neuralkforms/nkf/nkfx/internal/typeset"
)

// Progress shows the progress of trainings in the output of a cell: a bar with the time left for
// each, and all losses as curves. Outside of a notebook it shows nothing. Its methods can be called
// from several goroutines.
type Progress struct {
	mu     sync.Mutex
	id     string // of the output that is redrawn
	bars   []*bar
	drawn  time.Time
	always bool // draw every step
}

// bar is the state of one training.
type bar struct {
	name        string
	done, total int
	begin, end  time.Time // of the first step and of the last
	first       int       // done at the first step
	losses      []float64
}

// redraw is the time between drawings, short enough to look alive.
const redraw = 250 * time.Millisecond

// NewProgress returns a Progress without trainings.
func NewProgress() *Progress { return &Progress{id: "nkf_progress_" + gonbui.UniqueId()} }

// Step shows the number of steps that a training has done of a total, and its loss. With 0 steps done there
// is no loss, and the time left is not yet estimated.
func (p *Progress) Step(name string, done, total int, loss float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	at := slices.IndexFunc(p.bars, func(b *bar) bool { return b.name == name })
	if at < 0 {
		at = len(p.bars)
		p.bars = append(p.bars, &bar{name: name})
	}
	b := p.bars[at]
	if b.done == 0 {
		b.begin, b.first = now, done
	}
	b.done, b.total, b.end = done, total, now
	if done > 0 {
		b.losses = append(b.losses, loss)
	}
	if p.always || done >= total || now.Sub(p.drawn) >= redraw {
		p.drawn = now
		notebook.update(p.id, p.html())
		notebook.sync()
	}
}

// left returns the time that the training still takes at its pace so far, if it has one.
func (b *bar) left() (time.Duration, bool) {
	steps := b.done - b.first
	if steps <= 0 || b.done > b.total {
		return 0, false
	}
	return b.end.Sub(b.begin) / time.Duration(steps) * time.Duration(b.total-b.done), true
}

// state describes the training in words.
func (b *bar) state() string {
	words := fmt.Sprintf("%d of %d", b.done, b.total)
	if len(b.losses) > 0 {
		words += fmt.Sprintf(", loss %.4g", b.losses[len(b.losses)-1])
	}
	if left, ok := b.left(); ok && b.done < b.total {
		words += fmt.Sprintf(", %v left", left.Round(time.Second))
	}
	return words
}

// curveColors distinguish five trainings, as of five folds, on light and dark pages. None is the
// color of a class: purple, orange and sky blue are of the palette of package figures, beside
// violet and gray.
var curveColors = []string{"#cc79a7", "#e69f00", "#56b4e9", "#8a70d6", subdued}

const (
	subdued = "#848d97" // text that is read on a light and on a dark ground
	faint   = "rgba(128,128,128,0.3)"
)

// html draws the bars and the curves.
func (p *Progress) html() string {
	var out strings.Builder
	// The background and the text have the colors of the page.
	out.WriteString(`<div class="nkf-progress" style="max-width:520px;padding:4px 0;` +
		`font:12px 'Liberation Sans',Arial,Helvetica,sans-serif">`)
	for i, b := range p.bars {
		share := 100 * float64(min(b.done, b.total)) / float64(max(1, b.total))
		fmt.Fprintf(&out, `<div>%s: %s</div><div style="height:8px;margin:2px 0 6px;background:%s">`+
			`<div style="height:8px;width:%.1f%%;background:%s"></div></div>`,
			escape(b.name), escape(b.state()), faint, share, curveColors[i%len(curveColors)])
	}
	out.WriteString(p.curves())
	out.WriteString("</div>")
	return out.String()
}

// curves draws the losses over the steps, logarithmically if they are all positive.
func (p *Progress) curves() string {
	const width, height, margin, top, text = 500.0, 142.0, 6.0, 18.0, 52.0
	scale, name := math.Log10, "log scale"
	low, high, longest := math.Inf(1), math.Inf(-1), 0
	for _, b := range p.bars {
		longest = max(longest, len(b.losses))
		for _, loss := range b.losses {
			if !math.IsNaN(loss) && !math.IsInf(loss, 0) {
				low, high = min(low, loss), max(high, loss)
			}
		}
	}
	if longest < 2 || low > high {
		return ""
	}
	if low <= 0 {
		scale, name = func(x float64) float64 { return x }, "linear scale"
	}
	span := max(scale(high)-scale(low), 1e-9)
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" `+
		`font-family="sans-serif">`, width, height)
	fmt.Fprintf(&out, `<rect x="%g" y="%g" width="%g" height="%g" fill="none" stroke="%s" `+
		`stroke-opacity="0.4"/>`, text, top, width-text-margin, height-top-margin, subdued)
	for _, label := range []struct {
		loss, y float64
	}{{high, top + 9}, {low, height - margin}} {
		fmt.Fprintf(&out, `<text x="%g" y="%g" font-size="10" text-anchor="end" fill="%s">%s</text>`,
			text-4, label.y, subdued, typeset.Text(fmt.Sprintf("%.3g", label.loss)))
	}
	// Above the frame, since curves may pass anywhere within it.
	fmt.Fprintf(&out, `<text x="%g" y="%g" font-size="10" fill="%s">loss, %s</text>`,
		text, top-6, subdued, name)
	for i, b := range p.bars {
		fmt.Fprintf(&out, `<polyline fill="none" stroke="%s" stroke-width="1.5" points="`,
			curveColors[i%len(curveColors)])
		// More points than these cannot be seen.
		stride := max(1, len(b.losses)/200)
		for at := 0; at < len(b.losses); at += stride {
			if math.IsNaN(b.losses[at]) || math.IsInf(b.losses[at], 0) {
				continue
			}
			x := text + (width-text-margin)*float64(at)/float64(longest-1)
			y := height - margin - (height-top-margin)*(scale(b.losses[at])-scale(low))/span
			fmt.Fprintf(&out, "%.1f,%.1f ", x, y)
		}
		out.WriteString(`"/>`)
	}
	out.WriteString("</svg>")
	// As an image it is shown where inline SVG is not, in notebooks that are not trusted yet.
	return `<img alt="the losses so far" style="max-width:100%" src="data:image/svg+xml;base64,` +
		base64.StdEncoding.EncodeToString([]byte(out.String())) + `">`
}
