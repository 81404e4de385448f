package figures

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/neuralkforms/nkf/nkfx/internal/typeset"
)

// Animation is a figure that changes with a parameter. In a browser it can be played, and has a slider; all
// its frames are in the page, which needs no kernel. As SVG and PNG it is one of them.
type Animation struct {
	*Figure           // the frame that is shown first
	label   string    // the parameter
	values  []string  // of the parameter
	frames  []*Figure // one for each value
}

// Animate draws a figure for each value of a parameter, which a label names with its unit. The frame for the
// value nearest to first is shown first. Fix the ranges of axes and scales, or they move as well.
func Animate[V int | float64](label string, values []V, first V, draw func(value V) *Figure) *Animation {
	a, nearest := &Animation{Figure: &Figure{}, label: label}, math.Inf(1)
	for _, v := range values {
		frame := draw(v)
		a.values = append(a.values, typeset.Text(fmt.Sprintf("%.6g", float64(v))))
		a.frames = append(a.frames, frame)
		if off := math.Abs(float64(v - first)); off < nearest {
			a.Figure, nearest = frame, off
		}
	}
	return a
}

// Steps returns the values low, low + step and so on, and high: the last step may be shorter.
func Steps[V int | float64](low, high, step V) (values []V) {
	const rounding = 1e-9
	for i := 0; ; i++ {
		v := low + V(i)*step
		if float64(v) > float64(high)-rounding*float64(step) {
			return append(values, high)
		}
		values = append(values, v)
	}
}

// HTML returns the animation for a page: its frames, and the program that plays them. See [Scene.HTML].
func (a *Animation) HTML() (out string) {
	defer unlessBroken(a.Title, &out)
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // which is a level
	if err := json.NewEncoder(w).Encode(a.data()); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return paged("animation", base64.StdEncoding.EncodeToString(packed.Bytes()))
}

// data returns what the player reads. A frame is the numbers of its lines of SVG: frames share most of them.
func (a *Animation) data() object {
	if len(a.frames) == 0 {
		panic("an animation of no values")
	}
	var lines, alt []string
	var frames [][]int
	first, numbers := 0, map[string]int{}
	for i, f := range a.frames {
		svg, err := f.svg(true)
		if err != nil {
			panic(err)
		}
		var frame []int
		for line := range strings.SplitSeq(string(svg[bytes.Index(svg, []byte("<svg")):]), "\n") {
			number, known := numbers[line]
			if !known {
				number = len(lines)
				numbers[line] = number
				lines = append(lines, line)
			}
			frame = append(frame, number)
		}
		if f == a.Figure {
			first = i
		}
		frames, alt = append(frames, frame), append(alt, f.Description())
	}
	return object{"label": a.label, "values": a.values, "alt": alt, "first": first, "lines": lines,
		"frames": frames}
}
