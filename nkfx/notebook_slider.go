package nkfx

import (
	"context"
	"fmt"
	"os"

	"github.com/janpfeifer/gonb/gonbui/dom"
	"github.com/janpfeifer/gonb/gonbui/protocol"
	"github.com/janpfeifer/gonb/gonbui/widgets"
)

// Slider shows an item of [Show], the result of draw for a value, below a slider for values from low to high.
// It ends when the button beside it is pressed or the cell is interrupted.
//
// Without a browser, as when nbconvert executes a notebook, it shows the first value and returns.
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
	moved, pressed, interrupted := slider.Listen().LatestOnly(), done.Listen(), Context()
	defer func() {
		moved.Close()
		pressed.Close()
		dom.Remove(slider.HtmlId())
		dom.Remove(done.HtmlId())
		dom.Persist(root)
		notebook.sync()
	}()
	for {
		select {
		case value = <-moved.C:
			dom.SetInnerHtml(root+"_picture", picture(value))
			dom.SetInnerText(root+"_label", text(value))
		case <-pressed.C:
			return
		case <-interrupted.Done():
			Check(context.Cause(interrupted))
			return
		}
	}
}
