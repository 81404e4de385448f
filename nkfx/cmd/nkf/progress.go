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
// last epoch, elsewhere a line whenever one ends, and every minute in which none does. What comes before the
// first epoch is shown with the time since it began.
type progress struct {
	app    *app
	bar    *progressbar.ProgressBar // nil where standard error is no terminal
	mu     sync.Mutex               // of what follows
	fits   map[string]int           // by the name of a cross-validation
	phases map[string]phase         // of those before their first epoch
	wrote  time.Time                // of the last line
	shown  time.Time                // of the last of all
	at     int                      // of the bar
	ended  chan struct{}            // closed with the progress; nil before the first phase
}

// phase is something without steps that can be counted.
type phase struct {
	doing string
	since time.Time
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
	l := &progress{app: a, fits: map[string]int{}, phases: map[string]phase{}, wrote: time.Now()}
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

// during shows what a command is doing until end is called.
func (a *app) during(doing string) (end func()) {
	l := a.progress()
	l.begin("", doing)
	return l.close
}

// begin shows what is done under a name from now on.
func (l *progress) begin(name, doing string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.phases[name] = phase{doing, time.Now()}
	l.wait()
	if l.ended == nil {
		l.ended = make(chan struct{})
		go l.tick(l.ended)
	}
}

// tick shows phases every second, where nothing else was shown since the last.
func (l *progress) tick(ended <-chan struct{}) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ended:
			return
		case <-ticker.C:
			l.mu.Lock()
			if time.Since(l.shown) >= time.Second {
				l.wait()
			}
			l.mu.Unlock()
		}
	}
}

// wait shows the phase that began last, if there is one.
func (l *progress) wait() {
	var name string
	var last phase
	for n, p := range l.phases {
		if p.since.After(last.since) {
			name, last = n, p
		}
	}
	if last.doing == "" {
		return
	}
	text := last.doing
	if name != "" {
		text = name + ": " + text
	}
	text += ", " + time.Since(last.since).Round(time.Second).String()
	l.draw(text, text, l.at, time.Since(l.wrote) >= silence)
}

// epoch shows the state of a cross-validation, or of the training on everything that follows it.
func (l *progress) epoch(name string, p train.Progress) {
	if p.All {
		name += ", training on everything"
	}
	if p.Doing != "" {
		l.begin(name, p.Doing)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.phases, name)
	left := ""
	if p.Left >= 0 {
		left = "  " + p.Left.Round(time.Second).String() + " left"
	}
	if p.All {
		text := fmt.Sprintf("%s: epoch %d of %d  train %.4f%s", name, p.Epoch.Epoch+1, p.Epochs, p.TrainLoss,
			left)
		l.show(text, text, p.Epoch.Epoch+1, p.Epochs, time.Since(l.wrote) >= silence)
		return
	}
	state := fmt.Sprintf("fold %d seed %d epoch %d  train %.4f  validation %.4f  rate %.0e",
		p.Fold, p.Seed, p.Epoch.Epoch, p.TrainLoss, p.ValidationLoss, p.Rate)
	line := fmt.Sprintf("%s: %d of %s", name, p.Fits, english.Plural(p.Total, "training", ""))
	ended := p.Fits > l.fits[name]
	if l.fits[name] = p.Fits; !ended {
		line += ", " + state
	}
	l.show(name+"  "+state+left, line+left, p.Fits, p.Total, ended || time.Since(l.wrote) >= silence)
}

// step shows the state of an experiment after an epoch: in about ten lines where standard error is
// no terminal.
func (l *progress) step(s experiments.Step) {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.phases)
	text := fmt.Sprintf("%s: epoch %d of %d, loss %.4g", s.Model, s.Epoch, s.Epochs, s.Loss)
	l.show(text, text, s.Epoch, s.Epochs, s.Epoch*10/s.Epochs > (s.Epoch-1)*10/s.Epochs)
}

// show draws the bar with a text, or writes a line if it is due.
func (l *progress) show(text, line string, done, total int, due bool) {
	l.draw(text, line, (barLength-1)*done/max(1, total), due)
}

// draw is show for a place of the bar.
func (l *progress) draw(text, line string, at int, due bool) {
	l.at, l.shown = at, time.Now()
	switch {
	case l.app.ending.begun.Load():
	case l.bar != nil:
		l.bar.Describe(text)
		_ = l.bar.Set(at) // the work goes on whether or not it is drawn
	case due:
		fmt.Fprintln(l.app.stderr, line)
		l.wrote = time.Now()
	}
}

// close takes the bar off the terminal.
func (l *progress) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.phases)
	if l.ended != nil {
		close(l.ended)
		l.ended = nil
	}
	if l.bar != nil {
		_ = l.bar.Clear()
	}
}
