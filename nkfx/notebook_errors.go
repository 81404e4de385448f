package nkfx

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/janpfeifer/gonb/gonbui/protocol"
	pkgerrors "github.com/pkg/errors"

	"github.com/neuralkforms/nkf/nkfx/internal/cell"
)

// Must returns value if err is nil, and otherwise ends the program, a cell of a notebook. Standard
// error says in a sentence what is wrong, and which line of which cell led there.
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

// where returns the line of a cell that led to an error, by the stack that the error carries, as
// those of GoMLX do, or else by the caller's. Elsewhere than in a notebook it returns "".
func where(err error) string {
	dir := os.Getenv(protocol.GONB_TMP_DIR_ENV)
	if dir == "" {
		return ""
	}
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
	program := filepath.Join(dir, "main.go")
	if place := cell.Locate(program, stack); place != "" {
		return place
	}
	stack = make([]uintptr, 64)
	return cell.Locate(program, stack[:runtime.Callers(2, stack)])
}
