package train

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	. "github.com/gomlx/gomlx/core/graph"
)

// guard turns panics into errors: those of graph building, which are how
// GoMLX reports, and those of a model that is not ours.
func guard(work func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = failure(p)
		}
	}()
	return work()
}

// failure returns what a function panicked with as an error.
func failure(p any) error {
	if err, ok := p.(error); ok {
		return err
	}
	return fmt.Errorf("%v", p)
}

// located returns what build returns, a function that the user wrote. To what it panics with, the line of it
// is added, as GoMLX's messages name none.
func located(build func() *Node) *Node {
	defer func() {
		if p := recover(); p != nil {
			panic(fmt.Errorf("%w%s", failure(p), userLine()))
		}
	}()
	return build()
}

// userLine returns the innermost line of a user's function that panicked, in parentheses: one that is neither
// of Go, GoMLX, the layers nor the models. It returns "" if there is none. A deferred function calls it.
func userLine() string {
	const above = 3 // runtime.Callers, this and the deferred function
	callers := make([]uintptr, 100)
	frames := runtime.CallersFrames(callers[:runtime.Callers(above, callers)])
	for {
		frame, more := frames.Next()
		name := frame.Function
		switch {
		case strings.HasSuffix(name, "/train.located"), strings.Contains(name, "/train.raw"):
			return ""
		case strings.HasPrefix(name, "runtime."), strings.HasPrefix(name, "github.com/gomlx/"),
			strings.HasPrefix(name, "github.com/neuralkforms/nkf/layers"),
			strings.HasPrefix(name, "github.com/neuralkforms/nkf/nkfx/models"):
		default:
			return fmt.Sprintf(" (%s:%d)", filepath.Base(frame.File), frame.Line)
		}
		if !more {
			return ""
		}
	}
}
