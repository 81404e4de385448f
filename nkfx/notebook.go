package nkfx

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
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
