package main

import (
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// progress shows how far trainings are, which may run side by side: on a terminal a bar for the one of the
// last epoch, elsewhere a line whenever one ends, and ten seconds without. Work without epochs is
// shown with the time since it began, and an epoch with the time since it ended.
type progress struct {
	app   *app
	bar   *progressbar.ProgressBar // nil where standard error is no terminal
	mu    sync.Mutex               // of what follows
	fits  map[string]int           // by the name of a cross-validation
	phase string                   // of work without epochs; "" for none
	since time.Time                // the phase began, or the last epoch ended
	text  string                   // of the last epoch, for the bar
	line  string                   // and for a log; "" before the first
	share float64                  // of the phase that is done; 0 if that is unknown
	read  func() float64           // returns that share; nil where done records it
	shown time.Time                // the last of all
	wrote time.Time                // the last line
	at    int                      // of the bar
	ended chan struct{}
}

// silence is how long nothing is written where standard error is no terminal; unestimated is how long work
// goes on before its share is shown, with an estimate.
const silence, unestimated = 10 * time.Second, 2 * time.Second

// barLength is the length of the bar. It never gets there: the next training starts it again.
const barLength = 1001

// terminal reports whether standard error is a terminal.
func (a *app) terminal() bool {
	file, ok := a.stderr.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// progress returns what shows the progress of a command until it is closed.
func (a *app) progress() *progress {
	l := &progress{app: a, fits: map[string]int{}, wrote: time.Now(), ended: make(chan struct{})}
	if a.terminal() {
		l.bar = progressbar.NewOptions(barLength, progressbar.OptionSetWriter(a.stderr),
			progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false),
			progressbar.OptionSetWidth(16), progressbar.OptionThrottle(100*time.Millisecond))
	}
	go l.tick()
	return l
}

// during shows what a command is doing, and the share of it that is done, until end is called.
func (a *app) during(doing string, share func() float64) (end func()) {
	l := a.progress()
	l.begin(doing, share)
	return l.close
}

// of returns what receives the epochs of the cross-validation of that name.
func (l *progress) of(name string) func(train.Progress) {
	return func(p train.Progress) { l.epoch(name, p) }
}

// tick shows the phase every second in which nothing else is shown.
func (l *progress) tick() {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-l.ended:
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

// begin shows work without epochs, and the share of it that is done. Without share, done records it.
func (l *progress) begin(doing string, share func() float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.phase, l.since, l.share, l.read = doing, time.Now(), 0, share
	l.wait()
}

// readOf returns a function that returns the share of a file or folder that was read since; 0 of what is
// neither, such as a pipe.
func readOf(place string) func() float64 {
	var size int64
	add := func(info fs.FileInfo, err error) {
		if err == nil && info.Mode().IsRegular() {
			size += info.Size()
		}
	}
	add(os.Stat(place))
	files := os.DirFS(place)
	_ = fs.WalkDir(files, ".", func(name string, _ fs.DirEntry, err error) error {
		if err == nil {
			add(fs.Stat(files, name))
		}
		return nil // reading it is an error, too
	})
	before := fileio.BytesRead()
	return func() float64 {
		if size == 0 {
			return 0
		}
		return min(1, float64(fileio.BytesRead()-before)/float64(size))
	}
}

// wait shows the phase, or the last epoch where the next takes long.
func (l *progress) wait() {
	since := time.Since(l.since)
	elapsed := since.Round(time.Second).String()
	if l.phase == "" {
		if l.line != "" && since >= unestimated {
			l.draw(l.text+", "+elapsed+" ago", l.line+", "+elapsed+" ago", l.at, false)
		}
		return
	}
	if l.read != nil {
		l.share = l.read()
	}
	text, at := l.phase+", "+elapsed, l.at
	if l.share > 0 && since >= unestimated {
		left := time.Duration(float64(since) * (1 - l.share) / l.share)
		text += fmt.Sprintf(", %.0f %%, %s left", 100*l.share, left.Round(time.Second))
		at = int((barLength - 1) * l.share)
	}
	l.draw(text, text, at, false)
}

// done records the share of the phase that is done, which is shown every second.
func (l *progress) done(share float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.share = min(1, share)
}

// epoch shows the state of a cross-validation, or of the training on everything that follows it.
func (l *progress) epoch(name string, p train.Progress) {
	if p.All {
		name += ", training on everything"
	}
	if p.Doing != "" {
		l.begin(name+": "+p.Doing, p.Share)
		return
	}
	left := ""
	if p.Left >= 0 {
		left = "  " + p.Left.Round(time.Second).String() + " left"
	}
	if p.All {
		text := fmt.Sprintf("%s: epoch %d of %d  train %.4f%s", name, p.Epoch.Epoch+1, p.Epochs, p.TrainLoss,
			left)
		l.show(text, text, p.Epoch.Epoch+1, p.Epochs, false)
		return
	}
	state := fmt.Sprintf("fold %d seed %d epoch %d  train %.4f  validation %.4f  rate %.0e",
		p.Fold, p.Seed, p.Epoch.Epoch, p.TrainLoss, p.ValidationLoss, p.Rate)
	line := fmt.Sprintf("%s: %d of %s", name, p.Fits, english.Plural(p.Total, "training", ""))
	l.mu.Lock()
	ended := p.Fits > l.fits[name]
	l.fits[name] = p.Fits
	l.mu.Unlock()
	if !ended {
		line += ", " + state
	}
	l.show(name+"  "+state+left, line+left, p.Fits, p.Total, ended)
}

// step shows the state of an experiment after an epoch, in about ten lines where there is no terminal.
func (l *progress) step(s experiments.Step) {
	text := fmt.Sprintf("%s: epoch %d of %d, loss %.4g", s.Model, s.Epoch, s.Epochs, s.Loss)
	l.show(text, text, s.Epoch, s.Epochs, s.Epoch*10/s.Epochs > (s.Epoch-1)*10/s.Epochs)
}

// show draws the bar with a text, or writes a line if it is due.
func (l *progress) show(text, line string, done, total int, due bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.phase, l.text, l.line, l.since = "", text, line, time.Now()
	l.draw(text, line, (barLength-1)*done/max(1, total), due)
}

// draw is show for a place of the bar. A line is also due after ten seconds without one.
func (l *progress) draw(text, line string, at int, due bool) {
	l.at, l.shown = at, time.Now()
	switch {
	case l.app.ending.begun.Load():
	case l.bar != nil:
		l.bar.Describe(text)
		_ = l.bar.Set(at) // the work goes on whether or not it is drawn
	case due || time.Since(l.wrote) >= silence:
		fmt.Fprintln(l.app.stderr, line)
		l.wrote = time.Now()
	}
}

// close takes the bar off the terminal.
func (l *progress) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.phase = ""
	close(l.ended)
	if l.bar != nil {
		_ = l.bar.Clear()
	}
}
