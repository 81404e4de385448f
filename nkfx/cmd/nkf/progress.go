package main

import (
	"fmt"
	"os"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/neuralkforms/nkf/nkfx/train"
)

// progressLine shows how a cross-validation goes on: on a terminal a bar that
// is redrawn, elsewhere a line whenever a training ends, and every minute in
// which none does.
type progressLine struct {
	app  *app
	name string
	bar  *progressbar.ProgressBar // nil where standard error is no terminal
	fits int
	told time.Time // of the last line
}

// silence is how long nothing is written where standard error is no terminal.
const silence = time.Minute

// terminal reports whether standard error is a terminal.
func (a *app) terminal() bool {
	file, ok := a.stderr.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// progress returns a line for the work of that name.
func (a *app) progress(name string) *progressLine {
	l := &progressLine{app: a, name: name, told: time.Now()}
	if a.terminal() {
		l.bar = progressbar.NewOptions(1000, progressbar.OptionSetWriter(a.stderr),
			progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false),
			progressbar.OptionSetWidth(16), progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish())
	}
	return l
}

// epoch shows the state after an epoch.
func (l *progressLine) epoch(p train.Progress) {
	if l.app.ending.begun.Load() {
		return
	}
	left := ""
	if p.Left >= 0 {
		left = "  " + p.Left.Round(time.Second).String() + " left"
	}
	if l.bar == nil {
		line := fmt.Sprintf("%s: %d of %s", l.name, p.Fits, english.Plural(p.Total, "training", ""))
		switch {
		case p.Fits > l.fits:
			fmt.Fprintf(l.app.stderr, "%s%s\n", line, left)
		case time.Since(l.told) >= silence:
			fmt.Fprintf(l.app.stderr, "%s, %s%s\n", line, describe(p), left)
		default:
			return
		}
		l.fits, l.told = p.Fits, time.Now()
		return
	}
	l.bar.Describe(fmt.Sprintf("%s  %s%s", l.name, describe(p), left))
	// An error of the bar is one of drawing; the work goes on.
	_ = l.bar.Set(1000 * p.Fits / max(1, p.Total))
}

// close takes the bar off the terminal.
func (l *progressLine) close() {
	if l.bar != nil {
		_ = l.bar.Clear()
	}
}
