package nkfx

import (
	"context"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// frontend receives the output of a notebook.
type frontend struct {
	display func(mime protocol.MIMEType, content any, with attributes)
	update  func(id, html string) // replaces the output with that id
	sync    func()                // waits until all output was sent
	errors  io.Writer
	exit    func(code int)
	// patience is how long the program may go on after an interrupt; 0 sets no limit.
	patience time.Duration
}

// patience is less than the five seconds after which GoNB kills an interrupted cell without a word.
const patience = 3 * time.Second

// notebook is the notebook in which the program runs. Elsewhere output is discarded.
var notebook = func() *frontend {
	f := &frontend{
		display: display, update: gonbui.UpdateHTML, sync: gonbui.Sync, errors: os.Stderr, exit: os.Exit,
		patience: patience,
	}
	if !gonbui.IsNotebook {
		f.display = func(protocol.MIMEType, any, attributes) {}
		f.update, f.sync, f.patience = func(string, string) {}, func() {}, 0
	}
	return f
}()

// attributes are those of shown content.
type attributes struct {
	width int    // in pixels, 0 for the usual
	alt   string // in words, where it cannot be seen
}

// display sends content to the notebook.
func display(mime protocol.MIMEType, content any, with attributes) {
	gonbui.SendData(displayed(mime, content, with))
}

// displayed is the message that shows content. GoNB knows few types of metadata: a map with a width and words
// beside each other is none of them.
func displayed(mime protocol.MIMEType, content any, with attributes) *protocol.DisplayData {
	data := &protocol.DisplayData{Data: map[protocol.MIMEType]any{mime: content}, Metadata: map[string]any{}}
	if with.width > 0 {
		data.Metadata[string(mime)] = map[string]int{"width": with.width}
	}
	if with.alt != "" {
		data.Metadata["alt"] = with.alt
	}
	return data
}

// Context returns a context that ends when the cell is interrupted; a second interrupt ends the program. In a
// notebook the first interrupt also ends the program after three seconds, since some code ignores the
// context, such as a compiler.
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
