package nkfx

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
	pkgerrors "github.com/pkg/errors"
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
	value bool   // it is the value of the cell
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
	if with.value {
		data.Metadata["nkf_value"] = true // for the kernel
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

// Must returns value if err is nil, and otherwise ends the program, a cell of a notebook. It writes one
// sentence on the error to standard error, with the cell and the line.
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
	code, said := 1, sentence(err)
	if errors.Is(err, context.Canceled) {
		code, said = 130, "interrupted"
	} else if place := where(err); place != "" {
		said = place + ": " + said
	}
	fmt.Fprintf(notebook.errors, "nkf: %s\n", said)
	notebook.exit(code)
}

// mechanics matches what GoMLX prefixes to an error about how it was reached.
var mechanics = regexp.MustCompile(`failed during graph construction/compilation: |` +
	`compilation failed for Exec "(?:[^"\\]|\\.)*": |` +
	`graphFn for "(?:[^"\\]|\\.)*" panicked: |runtime panic: : `)

// sentence returns an error's message without mechanics, on one line.
func sentence(err error) string {
	return strings.Join(strings.Fields(mechanics.ReplaceAllString(err.Error(), "")), " ")
}

// The kernel names cells after their code: in stacks, as files that begin with cellFile, and in the folder of
// the variable cellsEnv, in which a file for each cell that has run holds its number.
const (
	cellFile = "/cell_"
	cellsEnv = "NKF_CELLS"
)

// where returns the line of the cell that led to an error, and the line of another that called it, by the
// stack that the error carries, as those of GoMLX do, or else by the caller's. Elsewhere than in a notebook
// it returns "".
func where(err error) string {
	var stack []uintptr // of the innermost error that has one
	for ; err != nil; err = errors.Unwrap(err) {
		if traced, ok := err.(interface {
			StackTrace() pkgerrors.StackTrace
		}); ok {
			stack = stack[:0]
			for _, frame := range traced.StackTrace() {
				stack = append(stack, uintptr(frame))
			}
		}
	}
	if place := located(stack); place != "" {
		return place
	}
	stack = make([]uintptr, 64)
	return located(stack[:runtime.Callers(2, stack)])
}

// located returns the cells in a stack, the innermost and the outermost.
func located(stack []uintptr) (place string) {
	var inner, outer string
	frames := runtime.CallersFrames(stack)
	for more := len(stack) > 0; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		id, ok := strings.CutPrefix(frame.File, cellFile)
		number, err := os.ReadFile(filepath.Join(os.Getenv(cellsEnv), id))
		if !ok || err != nil {
			continue
		}
		if outer = fmt.Sprintf("cell [%s], line %d", number, frame.Line); place == "" {
			inner, place = id, outer
		}
		if id != inner {
			place, _, _ = strings.Cut(place, ", called in ")
			place += ", called in " + outer
		}
	}
	return place
}
