package main

import (
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// progress shows how far trainings are, which may go on side by side: on a terminal a bar for the one of the
// last epoch, elsewhere a line whenever one ends, and every minute in which none does.
type progress struct {
	app  *app
	bar  *progressbar.ProgressBar // nil where standard error is no terminal
	mu   sync.Mutex               // of what follows
	fits map[string]int           // by the name of a cross-validation
	told time.Time                // of the last line
}

// silence is how long nothing is written where standard error is no terminal.
const silence = time.Minute

// terminal reports whether standard error is a terminal.
func (a *app) terminal() bool {
	file, ok := a.stderr.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// barLength is the length of the bar, to whose end it never comes: the next training begins anew.
const barLength = 1001

// progress returns what shows the progress of the trainings of a command.
func (a *app) progress() *progress {
	l := &progress{app: a, fits: map[string]int{}, told: time.Now()}
	if a.terminal() {
		l.bar = progressbar.NewOptions(barLength, progressbar.OptionSetWriter(a.stderr),
			progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false),
			progressbar.OptionSetWidth(16), progressbar.OptionThrottle(100*time.Millisecond))
	}
	return l
}

// of returns what receives the epochs of the cross-validation of that name.
func (l *progress) of(name string) func(train.Progress) {
	return func(p train.Progress) { l.epoch(name, p) }
}

// epoch shows the state of a cross-validation after an epoch.
func (l *progress) epoch(name string, p train.Progress) {
	l.mu.Lock()
	defer l.mu.Unlock()
	left := ""
	if p.Left >= 0 {
		left = "  " + p.Left.Round(time.Second).String() + " left"
	}
	state := fmt.Sprintf("fold %d seed %d epoch %d  train %.4f  validation %.4f  rate %.0e",
		p.Fold, p.Seed, p.Epoch.Epoch, p.TrainLoss, p.ValidationLoss, p.Rate)
	line := fmt.Sprintf("%s: %d of %s", name, p.Fits, english.Plural(p.Total, "training", ""))
	ended := p.Fits > l.fits[name]
	if l.fits[name] = p.Fits; !ended {
		line += ", " + state
	}
	l.show(name+"  "+state+left, line+left, p.Fits, p.Total, ended || time.Since(l.told) >= silence)
}

// step shows the state of an experiment after an epoch: in about ten lines where standard error is
// no terminal.
func (l *progress) step(s experiments.Step) {
	text := fmt.Sprintf("%s: epoch %d of %d, loss %.4g", s.Model, s.Epoch, s.Epochs, s.Loss)
	l.show(text, text, s.Epoch, s.Epochs, s.Epoch*10/s.Epochs > (s.Epoch-1)*10/s.Epochs)
}

// show draws the bar with a text, or writes a line if it is due.
func (l *progress) show(text, line string, done, total int, due bool) {
	switch {
	case l.app.ending.begun.Load():
	case l.bar != nil:
		l.bar.Describe(text)
		_ = l.bar.Set((barLength - 1) * done / max(1, total)) // the work goes on whether or not it is drawn
	case due:
		fmt.Fprintln(l.app.stderr, line)
		l.told = time.Now()
	}
}

// close takes the bar off the terminal.
func (l *progress) close() {
	if l.bar != nil {
		_ = l.bar.Clear()
	}
}
