package main

import (
	"fmt"
	"os"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// progressLine shows the progress of trainings: on a terminal a bar that is redrawn, elsewhere a
// line whenever a training ends, and every minute in which none does.
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

// epoch shows the state of a cross-validation after an epoch.
func (l *progressLine) epoch(p train.Progress) {
	left := ""
	if p.Left >= 0 {
		left = "  " + p.Left.Round(time.Second).String() + " left"
	}
	line := fmt.Sprintf("%s: %d of %s", l.name, p.Fits, english.Plural(p.Total, "training", ""))
	if p.Fits == l.fits {
		line += ", " + describe(p)
	}
	l.show(l.name+"  "+describe(p)+left, line+left, p.Fits, p.Total,
		p.Fits > l.fits || time.Since(l.told) >= silence)
	l.fits = p.Fits
}

// step shows the state of an experiment after an epoch: in about ten lines where standard error is
// no terminal.
func (l *progressLine) step(s experiments.Step) {
	text := fmt.Sprintf("%s: epoch %d of %d, loss %.4g", s.Model, s.Epoch, s.Epochs, s.Loss)
	l.show(text, text, s.Epoch, s.Epochs, s.Epoch*10/s.Epochs > (s.Epoch-1)*10/s.Epochs)
}

// show draws the bar with a text, or writes a line if it is due.
func (l *progressLine) show(text, line string, done, total int, due bool) {
	switch {
	case l.app.ending.begun.Load():
	case l.bar != nil:
		l.bar.Describe(text)
		_ = l.bar.Set(1000 * done / max(1, total)) // the work goes on whether or not the bar is drawn
	case due:
		fmt.Fprintln(l.app.stderr, line)
		l.told = time.Now()
	}
}

// close takes the bar off the terminal.
func (l *progressLine) close() {
	if l.bar != nil {
		_ = l.bar.Clear()
	}
}
